//===- LossOps.cpp - Constraints of losses --------------------------------===//
//
// Rows are the leading dimensions, those of the labels; N is an i64 scalar and
// the scale a float scalar in every loss.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"
#include "ir/OpChecks.h"

namespace mlir::dtc {

static Type getI64(Operation *op) { return Builder(op).getI64Type(); }

/// The constraint `c`: labels have the shape `rows`.
static LogicalResult verifyLabels(Operation *op, unsigned c, Value labels,
                                  ArrayRef<int64_t> rows) {
  return expectTensor(op, c, "labels", labels, rows,
                      getElementTypeOrSelf(labels));
}

/// The constraint `c`: N is an i64 scalar, scale a scalar.
static LogicalResult verifyDivisorAndScale(Operation *op, unsigned c,
                                           Value divisor, Value scale) {
  if (failed(expectTensor(op, c, "N", divisor, {}, getI64(op))))
    return failure();
  return expectTensor(op, c, "scale", scale, {}, getElementTypeOrSelf(scale));
}

LogicalResult CountValidOp::verify() {
  // C1
  return expectTensor(*this, 1, "result", getResult(), {}, getI64(*this));
}

//===-- Cross entropy
//-------------------------------------------------------===//

/// C1: the logits have a last dimension, their classes; `rows` gets the others.
static LogicalResult getRows(Operation *op, Value logits,
                             ArrayRef<int64_t> &rows) {
  if (getShapeOf(logits).empty())
    return op->emitOpError("C1: logits is a scalar, expected a last dimension "
                           "of classes");
  rows = getShapeOf(logits).drop_back();
  return success();
}

LogicalResult RowMaxOp::verify() {
  ArrayRef<int64_t> rows;
  if (failed(getRows(*this, getLogits(), rows)))
    return failure();
  // C2
  return expectTensor(*this, 2, "result", getResult(), rows,
                      getElementTypeOrSelf(getLogits()));
}

LogicalResult SumExpOp::verify() {
  ArrayRef<int64_t> rows;
  if (failed(getRows(*this, getLogits(), rows)))
    return failure();
  Type type = getElementTypeOrSelf(getLogits());
  // C2
  if (failed(expectTensor(*this, 2, "max", getMax(), rows, type)))
    return failure();
  return expectTensor(*this, 2, "result", getResult(), rows, type);
}

LogicalResult PickOp::verify() {
  ArrayRef<int64_t> rows;
  if (failed(getRows(*this, getLogits(), rows)) ||
      failed(verifyLabels(*this, 2, getLabels(), rows))) // C2
    return failure();
  // C3
  return expectTensor(*this, 3, "result", getResult(), rows,
                      getElementTypeOrSelf(getLogits()));
}

LogicalResult CrossEntropyOp::verify() {
  ArrayRef<int64_t> rows = getShapeOf(getMax());
  Type type = getElementTypeOrSelf(getMax());
  // C1
  if (failed(expectTensor(*this, 1, "sum", getSum(), rows, type)) ||
      failed(expectTensor(*this, 1, "pick", getPick(), rows, type)))
    return failure();
  // C2, C3
  if (failed(verifyLabels(*this, 2, getLabels(), rows)) ||
      failed(verifyDivisorAndScale(*this, 3, getN(), getScale())))
    return failure();
  // C4
  return expectTensor(*this, 4, "result", getResult(), {}, type);
}

LogicalResult CrossEntropyGradOp::verify() {
  ArrayRef<int64_t> rows;
  Type type = getElementTypeOrSelf(getLogits());
  // C1
  if (failed(getRows(*this, getLogits(), rows)) ||
      failed(expectTensor(*this, 1, "max", getMax(), rows, type)) ||
      failed(expectTensor(*this, 1, "sum", getSum(), rows, type)))
    return failure();
  // C2, C3
  if (failed(verifyLabels(*this, 2, getLabels(), rows)) ||
      failed(verifyDivisorAndScale(*this, 3, getN(), getScale())))
    return failure();
  // C4
  return expectTensor(*this, 4, "result", getResult(), getShapeOf(getLogits()),
                      type);
}

LogicalResult CountCorrectOp::verify() {
  ArrayRef<int64_t> rows = getShapeOf(getMax());
  // C1
  if (failed(expectTensor(*this, 1, "pick", getPick(), rows,
                          getElementTypeOrSelf(getMax()))))
    return failure();
  // C2
  if (failed(verifyLabels(*this, 2, getLabels(), rows)))
    return failure();
  // C3
  return expectTensor(*this, 3, "result", getResult(), {}, getI64(*this));
}

//===-- Losses on rows of any shape
//-----------------------------------------===//

/// The constraint `c`: labels have the leading dimensions of `tensor`; the next
/// one: N and scale.
static LogicalResult verifyRowLoss(Operation *op, unsigned c, Value tensor,
                                   Value labels, Value divisor, Value scale) {
  ArrayRef<int64_t> shape = getShapeOf(tensor);
  size_t labelRank = getShapeOf(labels).size();
  if (labelRank > shape.size() ||
      shape.take_front(labelRank) != getShapeOf(labels))
    return op->emitOpError("C")
           << c << ": labels is " << describeTensor(labels.getType())
           << ", expected leading dimensions of "
           << describeTensor(tensor.getType());
  return verifyDivisorAndScale(op, c + 1, divisor, scale);
}

LogicalResult SquaredErrorOp::verify() {
  Type type = getElementTypeOrSelf(getPrediction());
  // C1
  if (failed(expectTensor(*this, 1, "target", getTarget(),
                          getShapeOf(getPrediction()), type)))
    return failure();
  // C2, C3
  if (failed(verifyRowLoss(*this, 2, getPrediction(), getLabels(), getN(),
                           getScale())))
    return failure();
  // C4
  return expectTensor(*this, 4, "result", getResult(), {}, type);
}

LogicalResult SquaredErrorGradOp::verify() {
  Type type = getElementTypeOrSelf(getPrediction());
  // C1
  if (failed(expectTensor(*this, 1, "target", getTarget(),
                          getShapeOf(getPrediction()), type)))
    return failure();
  // C2, C3
  if (failed(verifyRowLoss(*this, 2, getPrediction(), getLabels(), getN(),
                           getScale())))
    return failure();
  // C4
  return expectTensor(*this, 4, "result", getResult(),
                      getShapeOf(getPrediction()), type);
}

LogicalResult LinearLossOp::verify() {
  // C1, C2
  if (failed(
          verifyRowLoss(*this, 1, getInput(), getLabels(), getN(), getScale())))
    return failure();
  // C3
  return expectTensor(*this, 3, "result", getResult(), {},
                      getElementTypeOrSelf(getInput()));
}

LogicalResult LinearLossGradOp::verify() {
  // C1, C2
  if (failed(
          verifyRowLoss(*this, 1, getLike(), getLabels(), getN(), getScale())))
    return failure();
  // C3
  return expectTensor(*this, 3, "result", getResult(), getShapeOf(getLike()),
                      getElementTypeOrSelf(getLike()));
}

} // namespace mlir::dtc
