//===- StepFunctions.h - What passes know of a step function --*- C++ -*-===//
//
// Finding the step, its loss and its variables, and the attributes that every
// op of a step carries.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_STEPFUNCTIONS_H
#define DTC_PASSES_STEPFUNCTIONS_H

#include "ir/DtcOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::dtc {

/// On a step function: "train" or "evaluate" (StringAttr), set by import.
inline constexpr llvm::StringLiteral kStepKindAttr = "dtc.step_kind";
/// On the op that makes a parameter's gradient: the parameter
/// (FlatSymbolRefAttr), set by dtc-differentiate.
inline constexpr llvm::StringLiteral kGradientOfAttr = "dtc.gradient_of";
/// On the op whose result the loss judges (UnitAttr), set by dtc-differentiate.
inline constexpr llvm::StringLiteral kPredictionAttr = "dtc.prediction";
/// On a backward op: dtc.name of the forward op that it belongs to, of a sum of
/// cotangents that of the op whose result is summed for (StringAttr). From
/// dtc-differentiate to dtc-assign-stages.
inline constexpr llvm::StringLiteral kForwardAttr = "dtc.forward";
/// End of the name of a step's untouched copy: `@step.graph`.
inline constexpr llvm::StringLiteral kGraphSuffix = ".graph";

/// Which part of a step an op belongs to; its spelling is dtc.phase.
enum class StepPhase { Forward, Backward, Update };

/// The function with dtc.step_kind = "train" that is not a copy of the graph;
/// null after an error at the module where there is none.
func::FuncOp findTrainStep(ModuleOp module);

/// The step functions (train first, then evaluate), without their copies
/// and tasks.
SmallVector<func::FuncOp> findStepFunctions(ModuleOp module);

/// The op whose value is reported as "loss"; an error at the function where
/// there is none or it is not a loss.
FailureOr<Loss> findLoss(func::FuncOp function);

/// True for a parameter that is not frozen.
bool isTrainableParameter(VariableOp variable);

/// The op's dtc.name, or its op name where import gave none.
StringRef getModelName(Operation *op);

/// The op's name without the dialect: `matmul`.
StringRef getShortName(Operation *op);

/// Sets dtc.name and dtc.phase.
void setNameAndPhase(Operation *op, const Twine &name, StepPhase phase);

} // namespace mlir::dtc

#endif // DTC_PASSES_STEPFUNCTIONS_H
