//===- ProgramEmitter.h - A planned module as program bytes ----*- C++ -*-===//
//
// The last step of compilation.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_CODEGEN_PROGRAMEMITTER_H
#define DTC_CODEGEN_PROGRAMEMITTER_H

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <vector>

namespace mlir::dtc {

/// Writes a module in phase `planned` as a size-prefixed program
/// (runtime/schema/program.fbs), with the kernels that it launches compiled for
/// this machine's processor. Equal modules give equal bytes. Errors are emitted
/// at the op, or at the module for what is missing from it.
FailureOr<std::vector<uint8_t>> emitProgram(ModuleOp module);

} // namespace mlir::dtc

#endif // DTC_CODEGEN_PROGRAMEMITTER_H
