//===- ComputeLowering.cpp - Cost and kernels of compute ops --------------===//
//
// FLOPs are those of the formula on the op's types: global types give the whole
// model's, local types one rank's (pads included, which the rank computes too).
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::dtc {

static int64_t getElements(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

//===-- Contractions
//--------------------------------------------------------===//

int64_t MatMulOp::getFlops() {
  auto lhs = cast<RankedTensorType>(getLhs().getType());
  int64_t contracted = lhs.getDimSize(getTransposeLhs() ? 0 : 1);
  return 2 * getElements(getResult()) * contracted;
}
KernelTemplate MatMulOp::getKernelTemplate() { return KernelTemplate::Library; }

int64_t ReduceSumOp::getFlops() { return getElements(getInput()); }

/// Leading dimensions are summed down the columns, trailing ones along rows.
KernelTemplate ReduceSumOp::getKernelTemplate() {
  return getDims().front() == 0 ? KernelTemplate::ColumnSum
                                : KernelTemplate::Row;
}

//===-- Maps
//----------------------------------------------------------------===//

int64_t AddOp::getFlops() { return getElements(getResult()); }
int64_t SubOp::getFlops() { return getElements(getResult()); }
int64_t MulOp::getFlops() { return getElements(getResult()); }
int64_t ReluOp::getFlops() { return getElements(getResult()); }
int64_t ReluGradOp::getFlops() { return getElements(getResult()); }
int64_t CastOp::getFlops() { return 0; }
int64_t MaskPadsOp::getFlops() { return 0; }
int64_t SumOp::getFlops() {
  return (getInputs().size() - 1) * getElements(getResult());
}

KernelTemplate AddOp::getKernelTemplate() { return KernelTemplate::Map; }
KernelTemplate SubOp::getKernelTemplate() { return KernelTemplate::Map; }
KernelTemplate MulOp::getKernelTemplate() { return KernelTemplate::Map; }
KernelTemplate ReluOp::getKernelTemplate() { return KernelTemplate::Map; }
KernelTemplate ReluGradOp::getKernelTemplate() { return KernelTemplate::Map; }
KernelTemplate CastOp::getKernelTemplate() { return KernelTemplate::Map; }
KernelTemplate MaskPadsOp::getKernelTemplate() { return KernelTemplate::Map; }
KernelTemplate SumOp::getKernelTemplate() { return KernelTemplate::Map; }

// lhs has every element of the result; rhs may be broadcast.
int AddOp::getInPlaceOperand() { return 0; }
int SubOp::getInPlaceOperand() { return 0; }
int MulOp::getInPlaceOperand() { return 0; }
int ReluOp::getInPlaceOperand() { return 0; }
int ReluGradOp::getInPlaceOperand() { return 0; }
int MaskPadsOp::getInPlaceOperand() { return 0; }
int SumOp::getInPlaceOperand() { return 0; }

/// A narrower result can't lie over its operand: the places differ.
int CastOp::getInPlaceOperand() {
  return getElementBytes(getElementTypeOrSelf(getInput())) ==
                 getElementBytes(getElementTypeOrSelf(getResult()))
             ? 0
             : -1;
}

//===-- Scalars of maps
//-----------------------------------------------------===//

static Value makeZero(OpBuilder &builder, Location loc, Type type) {
  return builder.create<arith::ConstantOp>(loc, builder.getZeroAttr(type));
}

Value AddOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands,
                         ValueRange, Value, Value) {
  return builder.create<arith::AddFOp>(loc, operands[0], operands[1]);
}

Value SubOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands,
                         ValueRange, Value, Value) {
  return builder.create<arith::SubFOp>(loc, operands[0], operands[1]);
}

Value MulOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands,
                         ValueRange, Value, Value) {
  return builder.create<arith::MulFOp>(loc, operands[0], operands[1]);
}

/// A comparison that is false for NaN keeps NaN, and gives +0 for -0.
Value ReluOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands,
                          ValueRange, Value, Value) {
  Value zero = makeZero(builder, loc, operands[0].getType());
  Value isLow = builder.create<arith::CmpFOp>(loc, arith::CmpFPredicate::OLE,
                                              operands[0], zero);
  return builder.create<arith::SelectOp>(loc, isLow, zero, operands[0]);
}

Value ReluGradOp::buildScalar(OpBuilder &builder, Location loc,
                              ValueRange operands, ValueRange, Value, Value) {
  Value zero = makeZero(builder, loc, operands[0].getType());
  Value isZero = builder.create<arith::CmpFOp>(loc, arith::CmpFPredicate::OEQ,
                                               operands[1], zero);
  return builder.create<arith::SelectOp>(loc, isZero, zero, operands[0]);
}

Value CastOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands,
                          ValueRange, Value, Value) {
  Type from = operands[0].getType(), to = getElementTypeOrSelf(getResult());
  if (from == to)
    return operands[0];
  unsigned fromBits = from.getIntOrFloatBitWidth();
  unsigned toBits = to.getIntOrFloatBitWidth();
  if (toBits > fromBits)
    return builder.create<arith::ExtFOp>(loc, to, operands[0]);
  if (toBits < fromBits)
    return builder.create<arith::TruncFOp>(loc, to, operands[0]);
  // f16 and bf16: by way of f32, which holds both.
  Value wide =
      builder.create<arith::ExtFOp>(loc, builder.getF32Type(), operands[0]);
  return builder.create<arith::TruncFOp>(loc, to, wide);
}

//===-- Shapes
//--------------------------------------------------------------===//

int64_t BroadcastOp::getFlops() { return 0; }
int64_t ReshapeOp::getFlops() { return 0; }
int64_t TransposeOp::getFlops() { return 0; }
int64_t SliceOp::getFlops() { return 0; }
int64_t PadOp::getFlops() { return 0; }
int64_t ConstantOp::getFlops() { return 0; }

// Each element of the result is one of the input's: a map with another index.
KernelTemplate BroadcastOp::getKernelTemplate() { return KernelTemplate::Map; }
KernelTemplate TransposeOp::getKernelTemplate() { return KernelTemplate::Map; }
KernelTemplate SliceOp::getKernelTemplate() { return KernelTemplate::Map; }
KernelTemplate PadOp::getKernelTemplate() { return KernelTemplate::Map; }
KernelTemplate ReshapeOp::getKernelTemplate() { return KernelTemplate::View; }
KernelTemplate ConstantOp::getKernelTemplate() {
  return KernelTemplate::Instruction;
}

} // namespace mlir::dtc
