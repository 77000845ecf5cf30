//===- LossGradients.cpp - Where the backward graph starts ----------------===//
//
// A loss's gradient is one op on what the loss was made from, with the loss's
// own N and scale.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"

namespace mlir::dtc {

/// The five ops of cross entropy share the logits; the gradient needs them and
/// the two statistics, not the loss's pick.
Value CrossEntropyOp::buildLossGradient(OpBuilder &builder, Value &wrt) {
  auto rowMax = getMax().getDefiningOp<RowMaxOp>();
  auto sumExp = getSum().getDefiningOp<SumExpOp>();
  if (!rowMax || !sumExp || sumExp.getMax() != getMax() ||
      sumExp.getLogits() != rowMax.getLogits()) {
    emitOpError("max and sum are not dtc.row_max and dtc.sum_exp of one value, "
                "so there are no logits to differentiate");
    return {};
  }
  wrt = rowMax.getLogits();
  return builder.create<CrossEntropyGradOp>(
      getLoc(), wrt.getType(), wrt, getMax(), getSum(), getLabels(), getN(),
      getScale(), getIgnoreAttr());
}

Value SquaredErrorOp::buildLossGradient(OpBuilder &builder, Value &wrt) {
  wrt = getPrediction();
  return builder.create<SquaredErrorGradOp>(getLoc(), wrt.getType(), wrt,
                                            getTarget(), getLabels(), getN(),
                                            getScale(), getIgnoreAttr());
}

Value LinearLossOp::buildLossGradient(OpBuilder &builder, Value &wrt) {
  wrt = getInput();
  return builder.create<LinearLossGradOp>(getLoc(), wrt.getType(), wrt,
                                          getLabels(), getN(), getScale(),
                                          getIgnoreAttr());
}

} // namespace mlir::dtc
