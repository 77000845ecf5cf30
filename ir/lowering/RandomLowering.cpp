//===- RandomLowering.cpp - Random numbers in generated kernels -----------===//
//
// The random key of runtime/docs/random-key.md, written in arith. It must give
// the interpreter's and the runtime's bits: integer arithmetic only, and the
// one comparison in f32, where the uniform number is exact.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <array>

namespace mlir::dtc {
namespace {

/// 64- and 32-bit arithmetic under short names.
struct Bits {
  OpBuilder &builder;
  Location loc;

  Value constant(uint64_t value, unsigned width) {
    return builder.create<arith::ConstantOp>(
        loc, builder.getIntegerAttr(builder.getIntegerType(width),
                                    APInt(width, value)));
  }
  Value wide(uint64_t value) { return constant(value, 64); }
  Value add(Value a, Value b) {
    return builder.create<arith::AddIOp>(loc, a, b);
  }
  Value mul(Value a, Value b) {
    return builder.create<arith::MulIOp>(loc, a, b);
  }
  Value exclusiveOr(Value a, Value b) {
    return builder.create<arith::XOrIOp>(loc, a, b);
  }
  Value shiftRight(Value a, unsigned bits) {
    return builder.create<arith::ShRUIOp>(
        loc, a, constant(bits, a.getType().getIntOrFloatBitWidth()));
  }
  Value low(Value a) {
    return builder.create<arith::TruncIOp>(loc, builder.getI32Type(), a);
  }
  Value high(Value a) { return low(shiftRight(a, 32)); }
  Value extend(Value a) {
    return builder.create<arith::ExtUIOp>(loc, builder.getI64Type(), a);
  }

  /// splitmix64.
  Value mix(Value z) {
    z = add(z, wide(0x9e3779b97f4a7c15));
    z = mul(exclusiveOr(z, shiftRight(z, 30)), wide(0xbf58476d1ce4e5b9));
    z = mul(exclusiveOr(z, shiftRight(z, 27)), wide(0x94d049bb133111eb));
    return exclusiveOr(z, shiftRight(z, 31));
  }
};

/// FNV-1a of the stable name, known at compile time.
uint64_t hashName(StringRef name) {
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char byte : name)
    hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

/// Philox4x32-10. Source: Salmon et al. 2011.
std::array<Value, 4> buildPhilox(Bits &bits, std::array<Value, 4> c, Value k0,
                                 Value k1) {
  Value raise0 = bits.constant(0x9e3779b9, 32);
  Value raise1 = bits.constant(0xbb67ae85, 32);
  for (int round = 0; round < 10; ++round) {
    if (round > 0) {
      k0 = bits.add(k0, raise0);
      k1 = bits.add(k1, raise1);
    }
    Value p = bits.mul(bits.wide(0xd2511f53), bits.extend(c[0]));
    Value q = bits.mul(bits.wide(0xcd9e8d57), bits.extend(c[2]));
    c = {bits.exclusiveOr(bits.exclusiveOr(bits.high(q), c[1]), k0),
         bits.low(q),
         bits.exclusiveOr(bits.exclusiveOr(bits.high(p), c[3]), k1),
         bits.low(p)};
  }
  return c;
}

/// Word of element `index` (i64) of the op `name`.
Value buildWord(Bits &bits, StringRef name, Value seed, Value step,
                Value index) {
  Value key =
      bits.mix(bits.exclusiveOr(bits.mix(seed), bits.wide(hashName(name))));
  Value block = bits.shiftRight(index, 2);
  std::array<Value, 4> words = buildPhilox(
      bits,
      {bits.low(block), bits.high(block), bits.low(step), bits.high(step)},
      bits.low(key), bits.high(key));
  Value lane = bits.builder.create<arith::AndIOp>(bits.loc, bits.low(index),
                                                  bits.constant(3, 32));
  Value word = words[0];
  for (int i = 1; i < 4; ++i) {
    Value isLane = bits.builder.create<arith::CmpIOp>(
        bits.loc, arith::CmpIPredicate::eq, lane, bits.constant(i, 32));
    word =
        bits.builder.create<arith::SelectOp>(bits.loc, isLane, words[i], word);
  }
  return word;
}

} // namespace

int64_t DropoutOp::getFlops() {
  return cast<RankedTensorType>(getResult().getType()).getNumElements();
}

KernelTemplate DropoutOp::getKernelTemplate() { return KernelTemplate::Map; }

int DropoutOp::getInPlaceOperand() { return 0; }

bool DropoutOp::needsIndex() { return true; }

Value DropoutOp::buildScalar(OpBuilder &builder, Location loc,
                             ValueRange operands, ValueRange index, Value step,
                             Value seed) {
  Bits bits{builder, loc};
  Value linear = bits.wide(0);
  ArrayRef<int64_t> shape = getGlobalShape(getInput().getType());
  for (auto [size, position] : llvm::zip_equal(shape, index)) {
    Value at = position;
    if (at.getType().isIndex())
      at = builder.create<arith::IndexCastOp>(loc, builder.getI64Type(), at);
    linear = bits.add(bits.mul(linear, bits.wide(size)), at);
  }
  Value word = buildWord(bits, getKey(), seed, step, linear);

  Type f32 = builder.getF32Type(), type = operands[0].getType();
  auto constant = [&](Type of, double value) -> Value {
    return builder.create<arith::ConstantOp>(loc,
                                             builder.getFloatAttr(of, value));
  };
  double rate = getRate().convertToDouble();
  Value uniform = builder.create<arith::MulFOp>(
      loc, builder.create<arith::UIToFPOp>(loc, f32, bits.shiftRight(word, 8)),
      constant(f32, 0x1p-24));
  Value isKept =
      builder.create<arith::CmpFOp>(loc, arith::CmpFPredicate::OGE, uniform,
                                    constant(f32, static_cast<float>(rate)));
  Value scaled = builder.create<arith::MulFOp>(loc, operands[0],
                                               constant(type, 1 / (1 - rate)));
  return builder.create<arith::SelectOp>(loc, isKept, scaled,
                                         constant(type, 0));
}

} // namespace mlir::dtc
