//===- DumpInstrumentation.h - The module after each pass -----*- C++ -*-===//
//
// --dump-dir for every tool that runs passes. No pipeline mentions dumping.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_DUMPINSTRUMENTATION_H
#define DTC_PASSES_DUMPINSTRUMENTATION_H

#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::dtc {

/// Writes the whole module to `directory` as `00_import.mlir` before the first
/// pass and as `<number>_<pass>.mlir` after each. The first line is the command
/// that makes a file from the one before:
///   // dtc-opt 05_dtc-assign-layouts.mlir --dtc-form-buckets
///
/// Errors:  a directory that cannot be made fails at once, with the reason on
///          stderr; a file that cannot be written later is an error at the
///          module.
LogicalResult addDumpInstrumentation(PassManager &pm,
                                     llvm::StringRef directory);

} // namespace mlir::dtc

#endif // DTC_PASSES_DUMPINSTRUMENTATION_H
