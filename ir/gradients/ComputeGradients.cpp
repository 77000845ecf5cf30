//===- ComputeGradients.cpp - Gradients of compute ops --------------------===//
//
// Every gradient is an op that the dialect has anyway. Where a gradient can be
// made from the result it is, so that the operand need not be kept; input and
// weight gradients of a matmul are ops of their own, so that a schedule can
// take them apart.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"

namespace mlir::dtc {

using Gradients = SmallVectorImpl<Value>;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// The same value as `cotangent` for an operand of the result's own shape.
static void passOn(ArrayRef<Value> cotangents, ArrayRef<bool> wanted,
                   Gradients &gradients) {
  for (bool isWanted : wanted)
    gradients.push_back(isWanted ? cotangents[0] : Value());
}

//===-- Contractions
//--------------------------------------------------------===//

/// With C = A·B, dA = dC·Bᵀ and dB = Aᵀ·dC; where an operand is transposed its
/// gradient is the transpose of that, made by swapping the factors. So for
/// y = x·Wᵀ: dx = dy·W and dW = dyᵀ·x.
void MatMulOp::buildGradients(OpBuilder &builder, ArrayRef<Value> cotangents,
                              ArrayRef<bool> wanted, Gradients &gradients) {
  Value dC = cotangents[0];
  gradients.assign(2, Value());
  if (!dC)
    return;
  auto product = [&](Value like, Value a, bool transposeA, Value b,
                     bool transposeB) {
    return builder.create<MatMulOp>(getLoc(), typeOf(like), a, b, transposeA,
                                    transposeB, TypeAttr());
  };
  if (wanted[0])
    gradients[0] =
        getTransposeLhs()
            ? product(getLhs(), getRhs(), getTransposeRhs(), dC, true)
            : product(getLhs(), dC, false, getRhs(), !getTransposeRhs());
  if (wanted[1])
    gradients[1] =
        getTransposeRhs()
            ? product(getRhs(), dC, true, getLhs(), getTransposeLhs())
            : product(getRhs(), getLhs(), !getTransposeLhs(), dC, false);
}

void ReduceSumOp::buildGradients(OpBuilder &builder, ArrayRef<Value> cotangents,
                                 ArrayRef<bool> wanted, Gradients &gradients) {
  gradients.assign(1, Value());
  if (!cotangents[0] || !wanted[0])
    return;
  SmallVector<int64_t> kept;
  for (int64_t dim = 0; dim < typeOf(getInput()).getRank(); ++dim)
    if (!llvm::is_contained(getDims(), dim))
      kept.push_back(dim);
  gradients[0] = builder.create<BroadcastOp>(getLoc(), typeOf(getInput()),
                                             cotangents[0], kept);
}

//===-- Binary ops
//----------------------------------------------------------===//

/// Sums what a broadcast repeated: the leading dimensions that `like` lacks.
static Value sumToShape(OpBuilder &builder, Location loc, Value value,
                        Value like) {
  int64_t lacking = typeOf(value).getRank() - typeOf(like).getRank();
  if (lacking == 0)
    return value;
  return builder.create<ReduceSumOp>(loc, typeOf(like), value,
                                     llvm::to_vector(llvm::seq(lacking)),
                                     TypeAttr());
}

void AddOp::buildGradients(OpBuilder &builder, ArrayRef<Value> cotangents,
                           ArrayRef<bool> wanted, Gradients &gradients) {
  gradients.assign(2, Value());
  if (!cotangents[0])
    return;
  if (wanted[0])
    gradients[0] = cotangents[0];
  if (wanted[1])
    gradients[1] = sumToShape(builder, getLoc(), cotangents[0], getRhs());
}

void SubOp::buildGradients(OpBuilder &builder, ArrayRef<Value> cotangents,
                           ArrayRef<bool> wanted, Gradients &gradients) {
  gradients.assign(2, Value());
  if (!cotangents[0])
    return;
  if (wanted[0])
    gradients[0] = cotangents[0];
  if (!wanted[1])
    return;
  Value sum = sumToShape(builder, getLoc(), cotangents[0], getRhs());
  auto scalar = RankedTensorType::get({}, typeOf(sum).getElementType());
  auto minusOne = DenseElementsAttr::get(
      scalar, builder.getFloatAttr(scalar.getElementType(), -1.0));
  Value factor = builder.create<ConstantOp>(getLoc(), scalar, minusOne);
  gradients[1] = builder.create<MulOp>(getLoc(), typeOf(getRhs()), sum, factor);
}

void MulOp::buildGradients(OpBuilder &builder, ArrayRef<Value> cotangents,
                           ArrayRef<bool> wanted, Gradients &gradients) {
  gradients.assign(2, Value());
  if (!cotangents[0])
    return;
  if (wanted[0])
    gradients[0] = builder.create<MulOp>(getLoc(), typeOf(getLhs()),
                                         cotangents[0], getRhs());
  if (!wanted[1])
    return;
  Value product = builder.create<MulOp>(getLoc(), typeOf(getLhs()),
                                        cotangents[0], getLhs());
  gradients[1] = sumToShape(builder, getLoc(), product, getRhs());
}

//===-- Unary ops
//-----------------------------------------------------------===//

void ReluOp::buildGradients(OpBuilder &builder, ArrayRef<Value> cotangents,
                            ArrayRef<bool> wanted, Gradients &gradients) {
  gradients.assign(1, Value());
  if (cotangents[0] && wanted[0])
    gradients[0] = builder.create<ReluGradOp>(getLoc(), typeOf(getInput()),
                                              cotangents[0], getResult());
}

void CastOp::buildGradients(OpBuilder &builder, ArrayRef<Value> cotangents,
                            ArrayRef<bool> wanted, Gradients &gradients) {
  gradients.assign(1, Value());
  if (cotangents[0] && wanted[0])
    gradients[0] =
        builder.create<CastOp>(getLoc(), typeOf(getInput()), cotangents[0]);
}

void MaskPadsOp::buildGradients(OpBuilder &builder, ArrayRef<Value> cotangents,
                                ArrayRef<bool> wanted, Gradients &gradients) {
  gradients.assign(1, Value());
  if (cotangents[0] && wanted[0])
    gradients[0] =
        builder.create<MaskPadsOp>(getLoc(), typeOf(getInput()), cotangents[0]);
}

//===-- Shapes
//--------------------------------------------------------------===//

/// An integer operand has no gradient; shape ops take both kinds.
static bool isWantedFloat(Value input, ArrayRef<Value> cotangents,
                          ArrayRef<bool> wanted) {
  return cotangents[0] && wanted[0] &&
         isa<FloatType>(typeOf(input).getElementType());
}

/// Sums over the new dimensions. reduce_sum takes a run of them, so they come
/// first.
void BroadcastOp::buildGradients(OpBuilder &builder, ArrayRef<Value> cotangents,
                                 ArrayRef<bool> wanted, Gradients &gradients) {
  gradients.assign(1, Value());
  if (!isWantedFloat(getInput(), cotangents, wanted))
    return;
  RankedTensorType type = typeOf(cotangents[0]);
  SmallVector<int64_t> order;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!llvm::is_contained(getDims(), dim))
      order.push_back(dim);
  int64_t added = order.size();
  Value value = cotangents[0];
  if (added == 0) {
    gradients[0] = value;
    return;
  }
  llvm::append_range(order, getDims());
  if (!llvm::is_sorted(order)) {
    SmallVector<int64_t> shape;
    for (int64_t dim : order)
      shape.push_back(type.getDimSize(dim));
    value = builder.create<TransposeOp>(
        getLoc(), RankedTensorType::get(shape, type.getElementType()), value,
        order);
  }
  gradients[0] = builder.create<ReduceSumOp>(
      getLoc(), typeOf(getInput()), value, llvm::to_vector(llvm::seq(added)),
      TypeAttr());
}

void ReshapeOp::buildGradients(OpBuilder &builder, ArrayRef<Value> cotangents,
                               ArrayRef<bool> wanted, Gradients &gradients) {
  gradients.assign(1, Value());
  if (isWantedFloat(getInput(), cotangents, wanted))
    gradients[0] =
        builder.create<ReshapeOp>(getLoc(), typeOf(getInput()), cotangents[0]);
}

void TransposeOp::buildGradients(OpBuilder &builder, ArrayRef<Value> cotangents,
                                 ArrayRef<bool> wanted, Gradients &gradients) {
  gradients.assign(1, Value());
  if (!isWantedFloat(getInput(), cotangents, wanted))
    return;
  SmallVector<int64_t> inverse(getPermutation().size());
  for (auto [to, from] : llvm::enumerate(getPermutation()))
    inverse[from] = to;
  gradients[0] = builder.create<TransposeOp>(getLoc(), typeOf(getInput()),
                                             cotangents[0], inverse);
}

void SliceOp::buildGradients(OpBuilder &builder, ArrayRef<Value> cotangents,
                             ArrayRef<bool> wanted, Gradients &gradients) {
  gradients.assign(1, Value());
  if (isWantedFloat(getInput(), cotangents, wanted))
    gradients[0] = builder.create<PadOp>(getLoc(), typeOf(getInput()),
                                         cotangents[0], getStarts());
}

void PadOp::buildGradients(OpBuilder &builder, ArrayRef<Value> cotangents,
                           ArrayRef<bool> wanted, Gradients &gradients) {
  gradients.assign(1, Value());
  if (cotangents[0] && wanted[0])
    gradients[0] = builder.create<SliceOp>(getLoc(), typeOf(getInput()),
                                           cotangents[0], getStarts());
}

void SumOp::buildGradients(OpBuilder &, ArrayRef<Value> cotangents,
                           ArrayRef<bool> wanted, Gradients &gradients) {
  passOn(cotangents, wanted, gradients);
}

} // namespace mlir::dtc
