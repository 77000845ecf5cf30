//===- ReductionFunctions.cpp - Terms of the reducing ops -----------------===//
//
// A reduction is an identity, a term for each index, and a way to combine. Sums
// may be reassociated (that is what vectorises them; the order is still fixed
// by the kernel), maxima keep NaN.
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/KernelScope.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/StringMap.h"

#include <limits>

namespace mlir::dtc {
namespace {

using arith::CmpFPredicate;
using arith::CmpIPredicate;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Value addReal(KernelScope &k, Value total, Value term) {
  return k.b.create<arith::AddFOp>(
      k.loc, total, term,
      arith::FastMathFlagsAttr::get(k.b.getContext(),
                                    arith::FastMathFlags::reassoc));
}
Value addInteger(KernelScope &k, Value total, Value term) {
  return k.b.create<arith::AddIOp>(k.loc, total, term);
}
Value maximum(KernelScope &k, Value total, Value term) {
  return k.b.create<arith::MaximumFOp>(k.loc, total, term);
}
Value orInteger(KernelScope &k, Value total, Value term) {
  return k.b.create<arith::OrIOp>(k.loc, total, term);
}

Value select(KernelScope &k, Value condition, Value a, Value b) {
  return k.b.create<arith::SelectOp>(k.loc, condition, a, b);
}
Value zeroLike(KernelScope &k, Value value) {
  return k.b.create<arith::ConstantOp>(k.loc, k.b.getZeroAttr(value.getType()));
}
Value integerLike(KernelScope &k, Value like, int64_t value) {
  return k.b.create<arith::ConstantOp>(
      k.loc, k.b.getIntegerAttr(like.getType(), value));
}
Value hasLabel(KernelScope &k, Value labels, int64_t ignore, ValueRange at) {
  Value label = k.element(labels, at);
  return k.b.create<arith::CmpIOp>(k.loc, CmpIPredicate::ne, label,
                                   integerLike(k, label, ignore));
}
/// True where the last index is a class that this place holds.
Value isClass(KernelScope &k, Value logits, ValueRange at) {
  return k.b.create<arith::CmpIOp>(
      k.loc, CmpIPredicate::slt, at.back(),
      k.extentLength(logits, static_cast<int64_t>(at.size()) - 1));
}
/// total / N, 0 where N is 0.
Value divideByCount(KernelScope &k, Value divisor, Value total) {
  Value count = k.element(divisor, {});
  Value real = k.b.create<arith::SIToFPOp>(k.loc, total.getType(), count);
  Value none = k.b.create<arith::CmpIOp>(k.loc, CmpIPredicate::eq, count,
                                         integerLike(k, count, 0));
  return select(k, none, zeroLike(k, total),
                k.b.create<arith::DivFOp>(k.loc, total, real));
}

Value plainTerm(KernelScope &k, Operation *op, ValueRange at) {
  return k.element(op->getOperand(0), at);
}

Value squareTerm(KernelScope &k, Operation *op, ValueRange at) {
  Value x = k.element(op->getOperand(0), at);
  return k.b.create<arith::MulFOp>(k.loc, x, x);
}

/// x - x is 0 for finite x and NaN for all else; NaN compares unordered.
Value nonfiniteTerm(KernelScope &k, Operation *op, ValueRange at) {
  Value x = k.element(op->getOperand(0), at);
  Value difference = k.b.create<arith::SubFOp>(k.loc, x, x);
  Value bad = k.b.create<arith::CmpFOp>(k.loc, CmpFPredicate::UNO, difference,
                                        difference);
  return k.b.create<arith::ExtUIOp>(
      k.loc, getElementTypeOrSelf(op->getResult(0).getType()), bad);
}

Value maxTerm(KernelScope &k, Operation *op, ValueRange at) {
  Value logits = op->getOperand(0);
  Value x = k.element(logits, at);
  return select(k, isClass(k, logits, at), x, k.real(x.getType(), -kInfinity));
}

Value expTerm(KernelScope &k, Operation *op, ValueRange at) {
  auto sumExp = cast<SumExpOp>(op);
  Value x = k.element(sumExp.getLogits(), at);
  Value shifted = k.b.create<arith::SubFOp>(
      k.loc, x, k.element(sumExp.getMax(), at.drop_back()));
  Value term = k.b.create<math::ExpOp>(k.loc, shifted);
  return select(k, isClass(k, sumExp.getLogits(), at), term, zeroLike(k, term));
}

Value validTerm(KernelScope &k, Operation *op, ValueRange at) {
  auto count = cast<CountValidOp>(op);
  Value valid = hasLabel(k, count.getLabels(), count.getIgnore(), at);
  return k.b.create<arith::ExtUIOp>(
      k.loc, getElementTypeOrSelf(count.getResult().getType()), valid);
}

Value correctTerm(KernelScope &k, Operation *op, ValueRange at) {
  auto count = cast<CountCorrectOp>(op);
  Value best = k.b.create<arith::CmpFOp>(k.loc, CmpFPredicate::OEQ,
                                         k.element(count.getPick(), at),
                                         k.element(count.getMax(), at));
  Value valid = hasLabel(k, count.getLabels(), count.getIgnore(), at);
  return k.b.create<arith::ExtUIOp>(
      k.loc, getElementTypeOrSelf(count.getResult().getType()),
      k.b.create<arith::AndIOp>(k.loc, best, valid));
}

Value crossEntropyTerm(KernelScope &k, Operation *op, ValueRange at) {
  auto loss = cast<CrossEntropyOp>(op);
  Value logSum = k.b.create<math::LogOp>(k.loc, k.element(loss.getSum(), at));
  Value value = k.b.create<arith::SubFOp>(
      k.loc,
      k.b.create<arith::AddFOp>(k.loc, k.element(loss.getMax(), at), logSum),
      k.element(loss.getPick(), at));
  return select(k, hasLabel(k, loss.getLabels(), loss.getIgnore(), at), value,
                zeroLike(k, value));
}

/// Rows count where they have a label, columns where they are no pads.
Value countsInLoss(KernelScope &k, Value input, Value labels, int64_t ignore,
                   ValueRange at) {
  Value counts = hasLabel(k, labels, ignore, at.front());
  for (size_t dim = 1; dim < at.size(); ++dim)
    counts = k.b.create<arith::AndIOp>(
        k.loc, counts,
        k.b.create<arith::CmpIOp>(k.loc, CmpIPredicate::slt, at[dim],
                                  k.extentLength(input, dim)));
  return counts;
}

Value squaredErrorTerm(KernelScope &k, Operation *op, ValueRange at) {
  auto loss = cast<SquaredErrorOp>(op);
  Value difference =
      k.b.create<arith::SubFOp>(k.loc, k.element(loss.getPrediction(), at),
                                k.element(loss.getTarget(), at));
  double rowElements = 1;
  for (int64_t size :
       getGlobalShape(loss.getPrediction().getType()).drop_front())
    rowElements *= size;
  Value square = k.b.create<arith::MulFOp>(
      k.loc, k.b.create<arith::MulFOp>(k.loc, difference, difference),
      k.real(difference.getType(), 1.0 / rowElements));
  return select(k,
                countsInLoss(k, loss.getPrediction(), loss.getLabels(),
                             loss.getIgnore(), at),
                square, zeroLike(k, square));
}

Value linearLossTerm(KernelScope &k, Operation *op, ValueRange at) {
  auto loss = cast<LinearLossOp>(op);
  Value x = k.element(loss.getInput(), at);
  return select(
      k,
      countsInLoss(k, loss.getInput(), loss.getLabels(), loss.getIgnore(), at),
      x, zeroLike(k, x));
}

template <typename Loss>
Value divideLoss(KernelScope &k, Operation *op, Value total) {
  return divideByCount(k, cast<Loss>(op).getN(), total);
}

template <typename Op>
std::pair<StringRef, ReductionFunction> entry(ReductionFunction function) {
  return {Op::getOperationName(), function};
}

} // namespace

const ReductionFunction *findReductionFunction(Operation *op) {
  static const llvm::StringMap<ReductionFunction> functions = [] {
    llvm::StringMap<ReductionFunction> table;
    for (auto [name, function] : {
             entry<ReduceSumOp>({0, plainTerm, addReal, nullptr}),
             entry<SumSquaresOp>({0, squareTerm, addReal, nullptr}),
             entry<NonfiniteBitOp>({0, nonfiniteTerm, orInteger, nullptr}),
             entry<RowMaxOp>({-kInfinity, maxTerm, maximum, nullptr}),
             entry<SumExpOp>({0, expTerm, addReal, nullptr}),
             entry<CountValidOp>({0, validTerm, addInteger, nullptr}),
             entry<CountCorrectOp>({0, correctTerm, addInteger, nullptr}),
             entry<CrossEntropyOp>(
                 {0, crossEntropyTerm, addReal, divideLoss<CrossEntropyOp>}),
             entry<SquaredErrorOp>(
                 {0, squaredErrorTerm, addReal, divideLoss<SquaredErrorOp>}),
             entry<LinearLossOp>(
                 {0, linearLossTerm, addReal, divideLoss<LinearLossOp>}),
         })
      table[name] = function;
    return table;
  }();
  auto found = functions.find(op->getName().getStringRef());
  return found == functions.end() ? nullptr : &found->second;
}

ArrayRef<int64_t> getReductionDomain(Operation *op) {
  return cast<RankedTensorType>(op->getOperand(0).getType()).getShape();
}

} // namespace mlir::dtc
