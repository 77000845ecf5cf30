//===- DtcDialect.h - Dialect, attributes, attribute names ----*- C++ -*-===//
//
// What every user of the dialect needs besides the ops, and the names of the
// discardable attributes by which passes hand decisions on.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_DTCDIALECT_H
#define DTC_IR_DTCDIALECT_H

#include "ir/DtcLayout.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/TensorEncoding.h"

#include "ir/DtcDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/DtcAttrs.h.inc"

namespace mlir::dtc {

/// On every graph op: the model's name for it (StringAttr), as `h.3.fc.matmul`.
inline constexpr llvm::StringLiteral kNameAttr = "dtc.name";
/// On every op of a step: "forward", "backward" or "update" (StringAttr).
inline constexpr llvm::StringLiteral kPhaseAttr = "dtc.phase";
/// Between assign-stages and assign-layouts: stages of the op (DenseI64Array).
inline constexpr llvm::StringLiteral kStagesAttr = "dtc.stages";
/// Index of the op in the step graph (IntegerAttr i64), set by precision's end.
inline constexpr llvm::StringLiteral kIdAttr = "dtc.id";
/// On an op whose result enters the residual stream (UnitAttr), set by import.
inline constexpr llvm::StringLiteral kResidualAttr = "dtc.residual";
/// On a linear layer's matmul: "column", "row" or "whole" (StringAttr).
inline constexpr llvm::StringLiteral kTensorParallelAttr = "dtc.tp";
/// On a gradient's op: the contribution it is (StringAttr), `h0/skip`.
inline constexpr llvm::StringLiteral kTermAttr = "dtc.term";
/// On an op of a stage after plan-memory: a PlaceAttr for each result.
inline constexpr llvm::StringLiteral kPlacesAttr = "dtc.places";

/// On the module.
inline constexpr llvm::StringLiteral kPlanAttr = "dtc.plan";
inline constexpr llvm::StringLiteral kOptimizerAttr = "dtc.optimizer";
inline constexpr llvm::StringLiteral kLossScaleAttr = "dtc.loss_scale";
inline constexpr llvm::StringLiteral kComputeAttr = "dtc.compute";

/// Names of the variables that every training step has.
inline constexpr llvm::StringLiteral kStepVariable = "dtc.step";
inline constexpr llvm::StringLiteral kLossScaleVariable = "dtc.loss_scale";
inline constexpr llvm::StringLiteral kGoodStepsVariable = "dtc.good_steps";

} // namespace mlir::dtc

#endif // DTC_IR_DTCDIALECT_H
