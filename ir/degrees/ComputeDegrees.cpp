//===- ComputeDegrees.cpp - Degrees of compute ops ------------------------===//
//
// Linear ops pass a degree on, products add, sums need equal ones. relu is
// positively homogeneous, so it passes one on too.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"
#include "ir/degrees/DegreeRules.h"

namespace mlir::dtc {

static Degrees giveProduct(Operation *op, ArrayRef<Degree> operands) {
  return giveAll(op, makeDegree(operands[0].scale + operands[1].scale,
                                operands[0].count + operands[1].count));
}

Degrees MatMulOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveProduct(*this, operands);
}
Degrees MulOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveProduct(*this, operands);
}
Degrees AddOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveEqual(*this, operands);
}
Degrees SubOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveEqual(*this, operands);
}
Degrees SumOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveEqual(*this, operands);
}

/// Of relu's result only the sign counts, so its degree does not.
Degrees ReluGradOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveAll(*this, operands[0]);
}
Degrees ReluOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveAll(*this, operands[0]);
}
Degrees CastOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveAll(*this, operands[0]);
}
Degrees ReduceSumOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveAll(*this, operands[0]);
}
Degrees BroadcastOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveAll(*this, operands[0]);
}
Degrees ReshapeOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveAll(*this, operands[0]);
}
Degrees TransposeOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveAll(*this, operands[0]);
}
Degrees SliceOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveAll(*this, operands[0]);
}
Degrees PadOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveAll(*this, operands[0]);
}
Degrees MaskPadsOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveAll(*this, operands[0]);
}
Degrees DropoutOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveAll(*this, operands[0]);
}
Degrees ConstantOp::inferDegrees(ArrayRef<Degree>) {
  return giveAll(*this, {});
}

} // namespace mlir::dtc
