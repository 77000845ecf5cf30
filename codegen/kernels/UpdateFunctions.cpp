//===- UpdateFunctions.cpp - One element of an optimizer's update ---------===//
//
// The scalar form of sgd and adamw (formulas: ir/OptimizerOps.td). Decay and
// rate are those of the bucket's segment that the loop is in; a flag gives the
// old values back.
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/UpdateFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

namespace mlir::dtc {
namespace {

/// Scalar arithmetic with the kernel's builder, so that a formula reads as one.
struct Arithmetic {
  KernelScope &k;
  Value add(Value a, Value b) { return k.b.create<arith::AddFOp>(k.loc, a, b); }
  Value sub(Value a, Value b) { return k.b.create<arith::SubFOp>(k.loc, a, b); }
  Value mul(Value a, Value b) { return k.b.create<arith::MulFOp>(k.loc, a, b); }
  Value div(Value a, Value b) { return k.b.create<arith::DivFOp>(k.loc, a, b); }
  Value real(Value like, double value) { return k.real(like.getType(), value); }
};

double toDouble(const llvm::APFloat &value) { return value.convertToDouble(); }

/// `computed` where the flag is 0, else `old`.
Value unlessFlagged(KernelScope &k, Value flag, Value computed, Value old) {
  Value bits = k.element(flag, {});
  Value clear = k.b.create<arith::CmpIOp>(
      k.loc, arith::CmpIPredicate::eq, bits,
      k.b.create<arith::ConstantOp>(k.loc,
                                    k.b.getIntegerAttr(bits.getType(), 0)));
  return k.b.create<arith::SelectOp>(k.loc, clear, computed, old);
}

/// 1 - beta^t by expm1(t log beta): the difference of two close numbers never
/// appears (beta2 = 0.999 at t = 1 would lose four digits in float32).
Value biasCorrection(KernelScope &k, Value t, double beta) {
  Arithmetic a{k};
  if (beta == 0.0)
    return a.real(t, 1.0);
  Value exponent = a.mul(t, a.real(t, std::log(beta)));
  return a.sub(a.real(t, 0.0), k.b.create<math::ExpM1Op>(k.loc, exponent));
}

SmallVector<Value> sgd(KernelScope &k, SgdOp op, ValueRange at) {
  Arithmetic a{k};
  Value p = k.element(op.getValue(), at);
  Value g =
      a.mul(k.element(op.getFactor(), {}), k.element(op.getGradient(), at));
  double decay = op.getDecays()[k.segment], rate = op.getRates()[k.segment];
  if (decay != 0.0)
    g = a.add(g, a.mul(a.real(p, decay), p));
  Value lr = a.mul(k.element(op.getLearningRate(), {}), a.real(p, rate));
  if (!op.getMomentumState())
    return {unlessFlagged(k, op.getFlag(), a.sub(p, a.mul(lr, g)), p)};
  Value old = k.element(op.getMomentumState(), at);
  Value b = a.add(a.mul(a.real(p, toDouble(op.getMomentum())), old), g);
  return {unlessFlagged(k, op.getFlag(), a.sub(p, a.mul(lr, b)), p),
          unlessFlagged(k, op.getFlag(), b, old)};
}

SmallVector<Value> adamw(KernelScope &k, AdamWOp op, ValueRange at) {
  Arithmetic a{k};
  Value p = k.element(op.getValue(), at);
  Value oldM = k.element(op.getFirstMoment(), at);
  Value oldV = k.element(op.getSecondMoment(), at);
  Value g =
      a.mul(k.element(op.getFactor(), {}), k.element(op.getGradient(), at));
  double beta1 = toDouble(op.getBeta1()), beta2 = toDouble(op.getBeta2());
  double decay = op.getDecays()[k.segment], rate = op.getRates()[k.segment];

  Value m =
      a.add(a.mul(a.real(p, beta1), oldM), a.mul(a.real(p, 1 - beta1), g));
  Value v = a.add(a.mul(a.real(p, beta2), oldV),
                  a.mul(a.real(p, 1 - beta2), a.mul(g, g)));
  Value t = a.add(k.b.create<arith::SIToFPOp>(k.loc, p.getType(),
                                              k.element(op.getStep(), {})),
                  a.real(p, 1.0));
  Value corrected = a.div(v, biasCorrection(k, t, beta2));
  Value denominator = a.add(k.b.create<math::SqrtOp>(k.loc, corrected),
                            a.real(p, toDouble(op.getEps())));
  Value direction = a.div(a.div(m, biasCorrection(k, t, beta1)), denominator);
  if (decay != 0.0)
    direction = a.add(direction, a.mul(a.real(p, decay), p));
  Value lr = a.mul(k.element(op.getLearningRate(), {}), a.real(p, rate));
  return {unlessFlagged(k, op.getFlag(), a.sub(p, a.mul(lr, direction)), p),
          unlessFlagged(k, op.getFlag(), m, oldM),
          unlessFlagged(k, op.getFlag(), v, oldV)};
}

} // namespace

bool isOptimizerUpdate(Operation *op) { return isa<SgdOp, AdamWOp>(op); }

ArrayRef<int64_t> getSegmentLengths(Operation *op) {
  if (auto update = dyn_cast<SgdOp>(op))
    return update.getSegmentLengths();
  return cast<AdamWOp>(op).getSegmentLengths();
}

SmallVector<Value> buildUpdate(KernelScope &scope, Operation *op,
                               ValueRange at) {
  if (auto update = dyn_cast<SgdOp>(op))
    return sgd(scope, update, at);
  return adamw(scope, cast<AdamWOp>(op), at);
}

} // namespace mlir::dtc
