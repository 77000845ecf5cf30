//===- LossDegrees.cpp - Where scale and 1/N enter ------------------------===//
//
// A loss turns values of degree (0, 0) into (0, 1), its gradient into (1, 1).
// No other op makes a degree out of nothing.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"
#include "ir/degrees/DegreeRules.h"

namespace mlir::dtc {

/// Operands have degree (0, 0), but the last, the scale, (1, 0).
static Degrees giveLoss(Operation *op, ArrayRef<Degree> operands,
                        Degree result) {
  for (unsigned index = 0; index + 1 < operands.size(); ++index)
    if (failed(expectDegree(op, operands, index, {})))
      return failure();
  if (failed(expectDegree(op, operands, operands.size() - 1, makeDegree(1, 0))))
    return failure();
  return giveAll(op, result);
}

static Degrees givePlain(Operation *op, ArrayRef<Degree> operands) {
  for (unsigned index = 0; index < operands.size(); ++index)
    if (failed(expectDegree(op, operands, index, {})))
      return failure();
  return giveAll(op, {});
}

Degrees CountValidOp::inferDegrees(ArrayRef<Degree> operands) {
  return givePlain(*this, operands);
}
Degrees RowMaxOp::inferDegrees(ArrayRef<Degree> operands) {
  return givePlain(*this, operands);
}
Degrees SumExpOp::inferDegrees(ArrayRef<Degree> operands) {
  return givePlain(*this, operands);
}
Degrees PickOp::inferDegrees(ArrayRef<Degree> operands) {
  return givePlain(*this, operands);
}
Degrees CountCorrectOp::inferDegrees(ArrayRef<Degree> operands) {
  return givePlain(*this, operands);
}
Degrees CrossEntropyOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveLoss(*this, operands, makeDegree(0, 1));
}
Degrees SquaredErrorOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveLoss(*this, operands, makeDegree(0, 1));
}
Degrees LinearLossOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveLoss(*this, operands, makeDegree(0, 1));
}
Degrees CrossEntropyGradOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveLoss(*this, operands, makeDegree(1, 1));
}
Degrees SquaredErrorGradOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveLoss(*this, operands, makeDegree(1, 1));
}
Degrees LinearLossGradOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveLoss(*this, operands, makeDegree(1, 1));
}

} // namespace mlir::dtc
