//===- DegreeCheck.h - Scaled once, divided once ---------------*- C++ -*-===//
//
// A check of dtc-verify-phase.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_DEGREECHECK_H
#define DTC_PASSES_DEGREECHECK_H

#include "ir/DtcOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::dtc {

/// Follows the degree in (loss scale, 1/N) of every value through the step: a
/// sum of a scaled and an unscaled term, or an update from a gradient of
/// another degree than (0, 1), is an error at the op that the operand does not
/// fit.
LogicalResult checkDegrees(ModuleOp module, llvm::StringRef stepKind);

} // namespace mlir::dtc

#endif // DTC_PASSES_DEGREECHECK_H
