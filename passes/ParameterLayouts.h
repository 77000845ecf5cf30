//===- ParameterLayouts.h - Which parameters are split over tp --*- C++ -*-===//
//
// Parameters are never gathered, so how they lie is decided before anything
// else: from the plan, the residual stream and the rules of the ops that use
// them. No search is needed.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_PARAMETERLAYOUTS_H
#define DTC_PASSES_PARAMETERLAYOUTS_H

#include "ir/DtcOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/StringMap.h"

namespace mlir::dtc {

/// State of each split parameter over `tp`; R where a name is missing.
using ParameterStates = llvm::StringMap<AxisState>;

/// Chooses the states of a step's parameters over `tp`.
///
/// Between two values of the residual stream (results with `dtc.residual`,
/// model inputs, what the head reads) the first linear layer is split by
/// columns, the last by rows, one alone and the middle ones are whole. The head
/// is split by classes where the ops between it and the loss take split
/// classes. What is added to or multiplied with a split result is split with it
/// (a bias). `dtc.tp` on a matmul overrides. A parameter whose layers want
/// different splits is whole; where both say so by `dtc.tp`, that is an error.
FailureOr<ParameterStates> chooseParameterStates(func::FuncOp step,
                                                 PlanAttr plan);

} // namespace mlir::dtc

#endif // DTC_PASSES_PARAMETERLAYOUTS_H
