//===- EmitData.h - Data and length of the run -----------------*- C++ -*-===//
//
// What the loader and the training loop read from a program.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_CODEGEN_EMITDATA_H
#define DTC_CODEGEN_EMITDATA_H

#include "codegen/ProgramTables.h"

namespace mlir::dtc {

/// Table Data from the module's dtc.data, and the fields of the run from
/// dtc.run and dtc.loss_scale. Errors name the field that is missing.
LogicalResult addData(ModuleOp module, ::dtc::program::ProgramT &program);

} // namespace mlir::dtc

#endif // DTC_CODEGEN_EMITDATA_H
