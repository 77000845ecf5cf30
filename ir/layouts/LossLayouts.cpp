//===- LossLayouts.cpp - Layout rules of losses ---------------------------===//
//
// Rows may be split (the loss is then P(sum)), and so may the classes, whose
// three reductions are partial values of their own. N and the scale are whole
// everywhere: a rank's own count of labels is no divisor.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"
#include "ir/layouts/AxisRules.h"

namespace mlir::dtc {

static PadRule noPads() { return makePadRule({PadVector()}); }

AxisRules CountValidOp::getAxisRules(StringRef) {
  AxisRules rules;
  addRule(rules, {R()}, {R()});
  for (int64_t dim = 0; dim < getRank(getLabels()); ++dim)
    addRule(rules, {S(dim)}, {P()});
  return rules;
}

PadRule CountValidOp::inferPads(ArrayRef<PadVector> operands) {
  PadRule rule = noPads();
  needFill(rule, operands, 0);
  return rule;
}

//===-- Cross entropy
//-------------------------------------------------------===//

AxisRules RowMaxOp::getAxisRules(StringRef) {
  AxisRules rules;
  int64_t classes = getRank(getLogits()) - 1;
  addRule(rules, {R()}, {R()});
  for (int64_t dim = 0; dim < classes; ++dim)
    addRule(rules, {S(dim)}, {S(dim)});
  addRule(rules, {S(classes)}, {P(ReductionKind::Max)});
  return rules;
}

PadRule RowMaxOp::inferPads(ArrayRef<PadVector>) {
  return makePadRule({allPads(getResult(), PadKind::Any)});
}

/// Rules of an op on logits and one value a row: rows split, or classes.
static AxisRules getRowRules(Value logits) {
  AxisRules rules;
  int64_t classes = getRank(logits) - 1;
  addRule(rules, {R(), R()}, {R()});
  for (int64_t dim = 0; dim < classes; ++dim)
    addRule(rules, {S(dim), S(dim)}, {S(dim)});
  addRule(rules, {S(classes), R()}, {P()});
  return rules;
}

AxisRules SumExpOp::getAxisRules(StringRef) { return getRowRules(getLogits()); }

PadRule SumExpOp::inferPads(ArrayRef<PadVector>) {
  return makePadRule({allPads(getResult(), PadKind::Any)});
}

AxisRules PickOp::getAxisRules(StringRef) { return getRowRules(getLogits()); }

PadRule PickOp::inferPads(ArrayRef<PadVector> operands) {
  PadRule rule = makePadRule({allPads(getResult(), PadKind::Any)});
  needFill(rule, operands, 1);
  return rule;
}

AxisRules CrossEntropyOp::getAxisRules(StringRef) {
  AxisRules rules;
  addRule(rules, {R(), R(), R(), R(), R(), R()}, {R()});
  for (int64_t dim = 0; dim < getRank(getLabels()); ++dim)
    addRule(rules, {S(dim), S(dim), S(dim), S(dim), R(), R()}, {P()});
  return rules;
}

PadRule CrossEntropyOp::inferPads(ArrayRef<PadVector> operands) {
  PadRule rule = noPads();
  needFill(rule, operands, 3);
  return rule;
}

AxisRules CrossEntropyGradOp::getAxisRules(StringRef) {
  AxisRules rules;
  int64_t classes = getRank(getLogits()) - 1;
  addRule(rules, {R(), R(), R(), R(), R(), R()}, {R()});
  for (int64_t dim = 0; dim < classes; ++dim)
    addRule(rules, {S(dim), S(dim), S(dim), S(dim), R(), R()}, {S(dim)});
  addRule(rules, {S(classes), R(), R(), R(), R(), R()}, {S(classes)});
  return rules;
}

PadRule CrossEntropyGradOp::inferPads(ArrayRef<PadVector> operands) {
  PadRule rule = makePadRule({allPads(getResult(), PadKind::Zero)});
  needFill(rule, operands, 3);
  return rule;
}

AxisRules CountCorrectOp::getAxisRules(StringRef) {
  AxisRules rules;
  addRule(rules, {R(), R(), R()}, {R()});
  for (int64_t dim = 0; dim < getRank(getLabels()); ++dim)
    addRule(rules, {S(dim), S(dim), S(dim)}, {P()});
  return rules;
}

PadRule CountCorrectOp::inferPads(ArrayRef<PadVector> operands) {
  PadRule rule = noPads();
  needFill(rule, operands, 2);
  return rule;
}

//===-- Losses on rows of any shape
//-----------------------------------------===//

/// Rules of a loss (or its gradient) on `tensors` tensors whose leading
/// dimensions are those of the labels: all of a split dimension, labels too
/// where they have it. The result is what `result` makes of the dimension.
static AxisRules
getRowLossRules(int tensors, int64_t rank, int64_t labelRank,
                llvm::function_ref<AxisState(int64_t)> result) {
  AxisRules rules;
  SmallVector<AxisState> operands(tensors + 3, R());
  addRule(rules, operands, {R()});
  for (int64_t dim = 0; dim < rank; ++dim) {
    for (int i = 0; i < tensors; ++i)
      operands[i] = S(dim);
    operands[tensors] = dim < labelRank ? S(dim) : R();
    addRule(rules, operands, {result(dim)});
  }
  return rules;
}

AxisRules SquaredErrorOp::getAxisRules(StringRef) {
  return getRowLossRules(2, getRank(getPrediction()), getRank(getLabels()),
                         [](int64_t) { return P(); });
}

PadRule SquaredErrorOp::inferPads(ArrayRef<PadVector> operands) {
  PadRule rule = noPads();
  needFill(rule, operands, 2);
  return rule;
}

AxisRules SquaredErrorGradOp::getAxisRules(StringRef) {
  return getRowLossRules(2, getRank(getPrediction()), getRank(getLabels()), S);
}

PadRule SquaredErrorGradOp::inferPads(ArrayRef<PadVector> operands) {
  PadRule rule = makePadRule({allPads(getResult(), PadKind::Zero)});
  needFill(rule, operands, 2);
  return rule;
}

AxisRules LinearLossOp::getAxisRules(StringRef) {
  return getRowLossRules(1, getRank(getInput()), getRank(getLabels()),
                         [](int64_t) { return P(); });
}

PadRule LinearLossOp::inferPads(ArrayRef<PadVector> operands) {
  PadRule rule = noPads();
  needFill(rule, operands, 1);
  return rule;
}

AxisRules LinearLossGradOp::getAxisRules(StringRef) {
  return getRowLossRules(1, getRank(getLike()), getRank(getLabels()), S);
}

PadRule LinearLossGradOp::inferPads(ArrayRef<PadVector> operands) {
  PadRule rule = makePadRule({allPads(getResult(), PadKind::Zero)});
  needFill(rule, operands, 1);
  return rule;
}

} // namespace mlir::dtc
