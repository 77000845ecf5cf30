//===- OptimizerLowering.cpp - Cost and kernels of the tail ---------------===//
//
// Updates and summaries run over many tensors in one launch. Scalars of the
// step are maps over one element.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::dtc {

static int64_t getElements(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

int64_t NonfiniteBitOp::getFlops() { return 0; }
int64_t EmptyBitOp::getFlops() { return 0; }
int64_t OrOp::getFlops() { return 0; }
int64_t UnscaleOp::getFlops() { return getElements(getInput()); }
int64_t SumSquaresOp::getFlops() { return 2 * getElements(getInput()); }
int64_t SqrtOp::getFlops() { return getElements(getInput()); }
int64_t ClipFactorOp::getFlops() { return 3; }
int64_t LearningRateOp::getFlops() { return 0; }
int64_t SgdOp::getFlops() { return 7 * getElements(getValue()); }
int64_t AdamWOp::getFlops() { return 16 * getElements(getValue()); }
int64_t AdvanceOp::getFlops() { return 1; }
int64_t PackOp::getFlops() { return 0; }
int64_t UnpackOp::getFlops() { return 0; }

KernelTemplate NonfiniteBitOp::getKernelTemplate() {
  return KernelTemplate::MultiTensor;
}
KernelTemplate SumSquaresOp::getKernelTemplate() {
  return KernelTemplate::MultiTensor;
}
KernelTemplate SgdOp::getKernelTemplate() {
  return KernelTemplate::MultiTensor;
}
KernelTemplate AdamWOp::getKernelTemplate() {
  return KernelTemplate::MultiTensor;
}
KernelTemplate EmptyBitOp::getKernelTemplate() { return KernelTemplate::Map; }
KernelTemplate OrOp::getKernelTemplate() { return KernelTemplate::Map; }
KernelTemplate UnscaleOp::getKernelTemplate() { return KernelTemplate::Map; }
KernelTemplate SqrtOp::getKernelTemplate() { return KernelTemplate::Map; }
KernelTemplate ClipFactorOp::getKernelTemplate() { return KernelTemplate::Map; }
KernelTemplate LearningRateOp::getKernelTemplate() {
  return KernelTemplate::Map;
}
KernelTemplate AdvanceOp::getKernelTemplate() { return KernelTemplate::Map; }
KernelTemplate PackOp::getKernelTemplate() { return KernelTemplate::View; }
KernelTemplate UnpackOp::getKernelTemplate() { return KernelTemplate::View; }

int UnscaleOp::getInPlaceOperand() { return 0; }

/// New values and states over the old ones, which stand first among the
/// operands in the order of the results.
int AdamWOp::getInPlaceOperandFor(unsigned result) {
  return static_cast<int>(result);
}
int SgdOp::getInPlaceOperandFor(unsigned result) {
  return static_cast<int>(result);
}

// Views move no bytes.
int64_t PackOp::getBytes() { return 0; }
int64_t UnpackOp::getBytes() { return 0; }

/// True division: a product with 1/scale would round twice.
Value UnscaleOp::buildScalar(OpBuilder &builder, Location loc,
                             ValueRange operands, ValueRange, Value, Value) {
  Type type = operands[0].getType();
  Value scale = operands[1];
  if (scale.getType() == type)
    return builder.create<arith::DivFOp>(loc, operands[0], scale);
  // A narrow gradient is divided in the scale's type.
  Type wide = scale.getType();
  bool isNarrow = type.getIntOrFloatBitWidth() < wide.getIntOrFloatBitWidth();
  if (!isNarrow) {
    scale = builder.create<arith::ExtFOp>(loc, type, scale);
    return builder.create<arith::DivFOp>(loc, operands[0], scale);
  }
  Value input = builder.create<arith::ExtFOp>(loc, wide, operands[0]);
  Value quotient = builder.create<arith::DivFOp>(loc, input, scale);
  return builder.create<arith::TruncFOp>(loc, type, quotient);
}

Value SqrtOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands,
                          ValueRange, Value, Value) {
  return builder.create<math::SqrtOp>(loc, operands[0]);
}

} // namespace mlir::dtc
