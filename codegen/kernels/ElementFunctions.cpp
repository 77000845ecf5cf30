//===- ElementFunctions.cpp - Elements of ops that are no plain map -------===//
//
// Ops whose element at an index reads other indices, a whole row's statistics,
// or pads: everything of the map and row templates besides ElementwiseOp. Each
// is a few lines, held to the interpreter by tests/codegen.
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/KernelScope.h"
#include "codegen/kernels/Templates.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/StringMap.h"

namespace mlir::dtc {
namespace {

using arith::CmpFPredicate;
using arith::CmpIPredicate;

Type elementType(Value value) { return getElementTypeOrSelf(value.getType()); }

Value compare(KernelScope &k, CmpIPredicate predicate, Value a, Value b) {
  return k.b.create<arith::CmpIOp>(k.loc, predicate, a, b);
}
Value select(KernelScope &k, Value condition, Value a, Value b) {
  return k.b.create<arith::SelectOp>(k.loc, condition, a, b);
}
Value zero(KernelScope &k, Type type) {
  return k.b.create<arith::ConstantOp>(k.loc, k.b.getZeroAttr(type));
}
Value constantLike(KernelScope &k, Type type, int64_t value) {
  return k.b.create<arith::ConstantOp>(k.loc, k.b.getIntegerAttr(type, value));
}

/// True where every index is inside the valid part of `value`.
Value isValid(KernelScope &k, Value value, ValueRange at) {
  Value all = k.b.create<arith::ConstantIntOp>(k.loc, 1, 1);
  auto type = cast<RankedTensorType>(value.getType());
  for (auto [dim, i] : llvm::enumerate(at))
    if (!getLayout(type) || getPads(type)[dim] != PadKind::None)
      all = k.b.create<arith::AndIOp>(
          k.loc, all,
          compare(k, CmpIPredicate::slt, i, k.extentLength(value, dim)));
  return all;
}

Value maskPads(KernelScope &k, OpResult result, ValueRange at) {
  Value input = result.getOwner()->getOperand(0);
  return select(k, isValid(k, input, at), k.element(input, at),
                zero(k, elementType(input)));
}

Value slice(KernelScope &k, OpResult result, ValueRange at) {
  auto op = cast<SliceOp>(result.getOwner());
  SmallVector<Value> from;
  for (auto [i, start] : llvm::zip_equal(at, op.getStarts()))
    from.push_back(k.b.create<arith::AddIOp>(k.loc, i, k.index(start)));
  return k.element(op.getInput(), from);
}

/// Zero outside the box; the load inside is made from a clamped index, since
/// both sides of a select are evaluated.
Value pad(KernelScope &k, OpResult result, ValueRange at) {
  auto op = cast<PadOp>(result.getOwner());
  ArrayRef<int64_t> shape = op.getInput().getType().getShape();
  Value inside = k.b.create<arith::ConstantIntOp>(k.loc, 1, 1);
  SmallVector<Value> from;
  for (auto [i, start, size] : llvm::zip_equal(at, op.getStarts(), shape)) {
    Value local = k.b.create<arith::SubIOp>(k.loc, i, k.index(start));
    Value fits = compare(k, CmpIPredicate::ult, local, k.index(size));
    inside = k.b.create<arith::AndIOp>(k.loc, inside, fits);
    from.push_back(select(k, fits, local, k.index(0)));
  }
  return select(k, inside, k.element(op.getInput(), from),
                zero(k, elementType(result)));
}

Value transpose(KernelScope &k, OpResult result, ValueRange at) {
  auto op = cast<TransposeOp>(result.getOwner());
  SmallVector<Value> from(at.size());
  for (auto [to, dim] : llvm::enumerate(op.getPermutation()))
    from[dim] = at[to];
  return k.element(op.getInput(), from);
}

Value broadcast(KernelScope &k, OpResult result, ValueRange at) {
  auto op = cast<BroadcastOp>(result.getOwner());
  SmallVector<Value> from;
  for (int64_t dim : op.getDims())
    from.push_back(at[dim]);
  return k.element(op.getInput(), from);
}

Value sum(KernelScope &k, OpResult result, ValueRange at) {
  Value total;
  for (Value operand : result.getOwner()->getOperands()) {
    Value term = k.element(operand, at);
    total = total ? k.b.create<arith::AddFOp>(k.loc, total, term) : term;
  }
  return total;
}

Value orBits(KernelScope &k, OpResult result, ValueRange at) {
  Value total;
  for (Value operand : result.getOwner()->getOperands()) {
    Value bit = k.element(operand, at);
    total = total ? k.b.create<arith::OrIOp>(k.loc, total, bit) : bit;
  }
  return total;
}

Value constant(KernelScope &k, OpResult result, ValueRange at) {
  auto values =
      cast<DenseElementsAttr>(cast<ConstantOp>(result.getOwner()).getValue());
  auto scalar = [&](Attribute value) -> Value {
    return k.b.create<arith::ConstantOp>(k.loc, cast<TypedAttr>(value));
  };
  if (values.isSplat())
    return scalar(values.getSplatValue<Attribute>());
  // Constants in models are short (the coefficients of a linear loss), so a
  // chain of selects over the linear index does.
  Value linear = k.index(0);
  for (auto [i, size] : llvm::zip_equal(at, getLocalShapeOf(result)))
    linear = k.b.create<arith::AddIOp>(
        k.loc, k.b.create<arith::MulIOp>(k.loc, linear, k.index(size)), i);
  Value chosen = scalar(*values.getValues<Attribute>().begin());
  for (auto [position, value] : llvm::enumerate(values.getValues<Attribute>()))
    chosen = select(k, compare(k, CmpIPredicate::eq, linear, k.index(position)),
                    scalar(value), chosen);
  return chosen;
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

/// label != ignore
Value hasLabel(KernelScope &k, Value labels, int64_t ignore, Value row) {
  Value label = k.element(labels, row);
  return compare(k, CmpIPredicate::ne, label,
                 constantLike(k, label.getType(), ignore));
}

/// scale / N, 0 where N is 0.
Value scaleOverCount(KernelScope &k, Value divisor, Value scale, Type type) {
  Value count = k.element(divisor, {});
  Value real = k.b.create<arith::SIToFPOp>(k.loc, type, count);
  Value quotient = k.b.create<arith::DivFOp>(k.loc, k.element(scale, {}), real);
  return select(
      k,
      compare(k, CmpIPredicate::eq, count, constantLike(k, count.getType(), 0)),
      zero(k, type), quotient);
}

/// logits[row, label] where this place holds the label's class, else 0.
Value pick(KernelScope &k, OpResult result, ValueRange at) {
  auto op = cast<PickOp>(result.getOwner());
  Value logits = op.getLogits();
  int64_t last = cast<RankedTensorType>(logits.getType()).getRank() - 1;
  Value label = k.b.create<arith::IndexCastOp>(k.loc, k.b.getIndexType(),
                                               k.element(op.getLabels(), at));
  Value local =
      k.b.create<arith::SubIOp>(k.loc, label, k.extentStart(logits, last));
  // Unsigned: a negative label (ignore) is outside too.
  Value here =
      compare(k, CmpIPredicate::ult, local, k.extentLength(logits, last));
  here = k.b.create<arith::AndIOp>(
      k.loc, here, hasLabel(k, op.getLabels(), op.getIgnore(), at.front()));
  SmallVector<Value> from = llvm::to_vector(at);
  from.push_back(select(k, here, local, k.index(0)));
  return select(k, here, k.element(logits, from), zero(k, elementType(result)));
}

Value crossEntropyGrad(KernelScope &k, OpResult result, ValueRange at) {
  auto op = cast<CrossEntropyGradOp>(result.getOwner());
  Type type = elementType(result);
  ValueRange row = at.drop_back();
  int64_t last = at.size() - 1;
  Value shifted = k.b.create<arith::SubFOp>(
      k.loc, k.element(op.getLogits(), at), k.element(op.getMax(), row));
  Value softmax =
      k.b.create<arith::DivFOp>(k.loc, k.b.create<math::ExpOp>(k.loc, shifted),
                                k.element(op.getSum(), row));
  Value label = k.b.create<arith::IndexCastOp>(k.loc, k.b.getIndexType(),
                                               k.element(op.getLabels(), row));
  Value column = k.b.create<arith::AddIOp>(k.loc, at.back(),
                                           k.extentStart(op.getLogits(), last));
  Value target = select(k, compare(k, CmpIPredicate::eq, label, column),
                        k.real(type, 1.0), zero(k, type));
  Value gradient = k.b.create<arith::MulFOp>(
      k.loc, k.b.create<arith::SubFOp>(k.loc, softmax, target),
      scaleOverCount(k, op.getN(), op.getScale(), type));
  Value counts = k.b.create<arith::AndIOp>(
      k.loc, hasLabel(k, op.getLabels(), op.getIgnore(), row.front()),
      isValid(k, op.getLogits(), at));
  return select(k, counts, gradient, zero(k, type));
}

int64_t globalRowElements(Value value) {
  int64_t elements = 1;
  for (int64_t size : getGlobalShape(value.getType()).drop_front())
    elements *= size;
  return elements;
}

Value squaredErrorGrad(KernelScope &k, OpResult result, ValueRange at) {
  auto op = cast<SquaredErrorGradOp>(result.getOwner());
  Type type = elementType(result);
  Value difference = k.b.create<arith::SubFOp>(
      k.loc, k.element(op.getPrediction(), at), k.element(op.getTarget(), at));
  Value factor = k.b.create<arith::MulFOp>(
      k.loc, k.real(type, 2.0 / globalRowElements(op.getPrediction())),
      scaleOverCount(k, op.getN(), op.getScale(), type));
  Value counts = k.b.create<arith::AndIOp>(
      k.loc, hasLabel(k, op.getLabels(), op.getIgnore(), at.front()),
      isValid(k, op.getPrediction(), at));
  return select(k, counts, k.b.create<arith::MulFOp>(k.loc, difference, factor),
                zero(k, type));
}

Value linearLossGrad(KernelScope &k, OpResult result, ValueRange at) {
  auto op = cast<LinearLossGradOp>(result.getOwner());
  Type type = elementType(result);
  Value counts = k.b.create<arith::AndIOp>(
      k.loc, hasLabel(k, op.getLabels(), op.getIgnore(), at.front()),
      isValid(k, result, at));
  return select(k, counts, scaleOverCount(k, op.getN(), op.getScale(), type),
                zero(k, type));
}

//===----------------------------------------------------------------------===//
// Scalars of the tail
//===----------------------------------------------------------------------===//

Value emptyBit(KernelScope &k, OpResult result, ValueRange at) {
  Value count = k.element(result.getOwner()->getOperand(0), at);
  Type type = elementType(result);
  return select(
      k,
      compare(k, CmpIPredicate::eq, count, constantLike(k, count.getType(), 0)),
      constantLike(k, type, 2), constantLike(k, type, 0));
}

/// min(1, max_norm / sqrt(sum)); a sum that is no number gives no number, and
/// the flag skips the step.
Value clipFactor(KernelScope &k, OpResult result, ValueRange at) {
  auto op = cast<ClipFactorOp>(result.getOwner());
  Type type = elementType(result);
  Value norm =
      k.b.create<math::SqrtOp>(k.loc, k.element(op.getSumSquares(), at));
  Value limit = k.real(type, op.getMaxNorm().convertToDouble());
  Value factor = k.b.create<arith::DivFOp>(k.loc, limit, norm);
  Value above =
      k.b.create<arith::CmpFOp>(k.loc, CmpFPredicate::OGT, norm, limit);
  return select(k, above, factor, k.real(type, 1.0));
}

Value learningRate(KernelScope &k, OpResult result, ValueRange) {
  auto op = cast<LearningRateOp>(result.getOwner());
  return k.real(elementType(result), op.getPeak().convertToDouble());
}

Value advance(KernelScope &k, OpResult result, ValueRange at) {
  auto op = cast<AdvanceOp>(result.getOwner());
  Value flag = k.element(op.getFlag(), at);
  Type integer = flag.getType();
  Value applied =
      compare(k, CmpIPredicate::eq, flag, constantLike(k, integer, 0));
  Value overflowed = compare(
      k, CmpIPredicate::ne,
      k.b.create<arith::AndIOp>(k.loc, flag, constantLike(k, integer, 1)),
      constantLike(k, integer, 0));
  auto plusOne = [&](Value v) -> Value {
    return k.b.create<arith::AddIOp>(k.loc, v, constantLike(k, integer, 1));
  };
  Value step = k.element(op.getStep(), at);
  if (result.getResultNumber() == 0)
    return select(k, applied, plusOne(step), step);

  bool fixed = op.getGrowthInterval() == 0;
  Value good = k.element(op.getGood(), at);
  Value next = plusOne(good);
  Value grows = k.b.create<arith::AndIOp>(
      k.loc, applied,
      compare(k, CmpIPredicate::sge, next,
              constantLike(k, integer, fixed ? 1 : op.getGrowthInterval())));
  if (result.getResultNumber() == 2) {
    Value none = constantLike(k, integer, 0);
    Value counted = fixed ? next : select(k, grows, none, next);
    return select(k, applied, counted, select(k, overflowed, none, good));
  }
  Value scale = k.element(op.getScale(), at);
  if (fixed)
    return scale;
  auto times = [&](const llvm::APFloat &factor) -> Value {
    return k.b.create<arith::MulFOp>(
        k.loc, scale, k.real(scale.getType(), factor.convertToDouble()));
  };
  return select(k, overflowed, times(op.getBackoff()),
                select(k, grows, times(op.getGrowth()), scale));
}

template <typename Op>
std::pair<StringRef, ElementFunction> entry(ElementFunction function) {
  return {Op::getOperationName(), function};
}

} // namespace

ElementFunction findElementFunction(Operation *op) {
  static const llvm::StringMap<ElementFunction> functions = [] {
    llvm::StringMap<ElementFunction> table;
    for (auto [name, function] :
         {entry<MaskPadsOp>(maskPads), entry<SliceOp>(slice), entry<PadOp>(pad),
          entry<TransposeOp>(transpose), entry<BroadcastOp>(broadcast),
          entry<SumOp>(sum), entry<OrOp>(orBits), entry<ConstantOp>(constant),
          entry<PickOp>(pick), entry<CrossEntropyGradOp>(crossEntropyGrad),
          entry<SquaredErrorGradOp>(squaredErrorGrad),
          entry<LinearLossGradOp>(linearLossGrad), entry<EmptyBitOp>(emptyBit),
          entry<ClipFactorOp>(clipFactor), entry<LearningRateOp>(learningRate),
          entry<AdvanceOp>(advance)})
      table[name] = function;
    return table;
  }();
  return functions.lookup(op->getName().getStringRef());
}

} // namespace mlir::dtc
