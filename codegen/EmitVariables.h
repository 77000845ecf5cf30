//===- EmitVariables.h - Variables with their initialisers -----*- C++ -*-===//
//
// The variable table of a program.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_CODEGEN_EMITVARIABLES_H
#define DTC_CODEGEN_EMITVARIABLES_H

#include "codegen/ProgramTables.h"

namespace mlir::dtc {

/// Table of a variable, without its values on the stages. Emits an error where
/// a bucket's members are not described.
FailureOr<std::unique_ptr<::dtc::program::VariableT>>
makeVariable(VariableOp variable, ProgramTables &tables);

} // namespace mlir::dtc

#endif // DTC_CODEGEN_EMITVARIABLES_H
