//===- OptimizerDegrees.cpp - Where the scale leaves ----------------------===//
//
// unscale takes the scale out; the update wants what is left of it: a gradient
// of degree (0, 1).
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"
#include "ir/degrees/DegreeRules.h"

namespace mlir::dtc {

/// Bits of the flag are judged, not computed with.
Degrees NonfiniteBitOp::inferDegrees(ArrayRef<Degree>) {
  return giveAll(*this, {});
}
Degrees EmptyBitOp::inferDegrees(ArrayRef<Degree> operands) {
  if (failed(expectDegree(*this, operands, 0, {})))
    return failure();
  return giveAll(*this, {});
}
Degrees OrOp::inferDegrees(ArrayRef<Degree>) { return giveAll(*this, {}); }

Degrees UnscaleOp::inferDegrees(ArrayRef<Degree> operands) {
  if (failed(expectDegree(*this, operands, 1, makeDegree(1, 0))))
    return failure();
  return giveAll(*this, makeDegree(operands[0].scale - 1, operands[0].count));
}

Degrees SumSquaresOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveAll(*this,
                 makeDegree(2 * operands[0].scale, 2 * operands[0].count));
}

Degrees SqrtOp::inferDegrees(ArrayRef<Degree> operands) {
  Degree degree = operands[0];
  if (degree.scale % 2 != 0 || degree.count % 2 != 0)
    return emitOpError("operand input has degree ")
           << describeDegree(degree)
           << " in (scale, 1/N), expected even ones, whose root is one";
  return giveAll(*this, makeDegree(degree.scale / 2, degree.count / 2));
}

Degrees ClipFactorOp::inferDegrees(ArrayRef<Degree> operands) {
  if (failed(expectDegree(*this, operands, 0, makeDegree(0, 2))))
    return failure();
  return giveAll(*this, {});
}

Degrees LearningRateOp::inferDegrees(ArrayRef<Degree> operands) {
  if (failed(expectDegree(*this, operands, 0, {})))
    return failure();
  return giveAll(*this, {});
}

/// All operands have degree (0, 0), the gradient (0, 1).
static Degrees giveUpdate(Operation *op, ArrayRef<Degree> operands,
                          unsigned gradient) {
  for (unsigned index = 0; index < operands.size(); ++index)
    if (failed(expectDegree(op, operands, index,
                            makeDegree(0, index == gradient))))
      return failure();
  return giveAll(op, {});
}

Degrees SgdOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveUpdate(*this, operands, getMomentumState() ? 2 : 1);
}
Degrees AdamWOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveUpdate(*this, operands, 3);
}

Degrees AdvanceOp::inferDegrees(ArrayRef<Degree> operands) {
  for (unsigned index = 0; index < operands.size(); ++index)
    if (failed(expectDegree(*this, operands, index, makeDegree(index == 1, 0))))
      return failure();
  return SmallVector<Degree>{{}, makeDegree(1, 0), {}};
}

Degrees PackOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveEqual(*this, operands);
}
Degrees UnpackOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveAll(*this, operands[0]);
}

} // namespace mlir::dtc
