//===- AxisRules.h - Short names for writing rules down -------*- C++ -*-===//
//
// A family's rules are lists of states. They are read more than anything else
// in this folder, so the states have the names that the layouts print.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_LAYOUTS_AXISRULES_H
#define DTC_IR_LAYOUTS_AXISRULES_H

#include "ir/LayoutMath.h"

namespace mlir::dtc {

using AxisRules = SmallVector<AxisRule>;

inline AxisState R() { return AxisState::replicated(); }
inline AxisState S(int64_t dim) { return AxisState::split(dim); }
inline AxisState X() { return AxisState::opaque(); }
inline AxisState P(ReductionKind kind = ReductionKind::Sum) {
  return AxisState::partial(kind);
}

/// Adds the rule "operands lie so, then results lie so".
inline void addRule(AxisRules &rules, ArrayRef<AxisState> operands,
                    ArrayRef<AxisState> results) {
  AxisRule rule;
  rule.operands.assign(operands.begin(), operands.end());
  rule.results.assign(results.begin(), results.end());
  rules.push_back(std::move(rule));
}

inline int64_t getRank(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank();
}

/// Pads of a result that an op makes zero in every dimension, or of which it
/// says nothing.
inline PadVector allPads(Value value, PadKind kind) {
  return PadVector(getRank(value), kind);
}

inline PadRule makePadRule(ArrayRef<PadVector> results) {
  PadRule rule;
  rule.results.assign(results.begin(), results.end());
  return rule;
}

/// What is not known to be zero is any: an input's fill value stays its own
/// only where the value itself is passed on.
inline PadKind zeroOrAny(bool isZero) {
  return isZero ? PadKind::Zero : PadKind::Any;
}

/// True for pads that hold something other than zero.
inline bool isNotZero(PadKind kind) {
  return kind == PadKind::Any || kind == PadKind::Fill;
}

/// Rows without a sample are known by their label: `labels` needs pads `fill`.
inline void needFill(PadRule &rule, ArrayRef<PadVector> operands, int labels) {
  for (auto [dim, kind] : llvm::enumerate(operands[labels]))
    if (kind == PadKind::Zero || kind == PadKind::Any) {
      rule.mustBeFill = labels;
      rule.dim = dim;
      return;
    }
}

/// A sum over `dims` of operand `operand` needs its pads there to be zero.
inline void needZero(PadRule &rule, ArrayRef<PadVector> operands, int operand,
                     ArrayRef<int64_t> dims) {
  for (int64_t dim : dims)
    if (rule.mustBeZero < 0 && isNotZero(operands[operand][dim])) {
      rule.mustBeZero = operand;
      rule.dim = dim;
    }
}

} // namespace mlir::dtc

#endif // DTC_IR_LAYOUTS_AXISRULES_H
