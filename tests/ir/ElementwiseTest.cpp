//===- ElementwiseTest.cpp - Scalars of map kernels
//------------------------===//
//
// What buildScalar writes is folded on constants and compared with the meaning
// of the op. For dropout that is the random key to the last bit: generated
// kernels, the interpreter and the runtime draw the same numbers.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"
#include "ir/interpreter/Philox.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>

namespace mlir::dtc {
namespace {

class ElementwiseTest : public testing::Test {
protected:
  ElementwiseTest() {
    context.loadDialect<DtcDialect, func::FuncDialect, arith::ArithDialect,
                        math::MathDialect>();
  }

  /// Value of the scalar function of the one op in `line` (on %a, %b) at an
  /// element, given its operands, its global index, step and seed.
  double evaluate(StringRef line, ArrayRef<double> operands,
                  ArrayRef<int64_t> index = {}, int64_t step = 0,
                  int64_t seed = 0) {
    auto source = parseSourceString<ModuleOp>(
        ("func.func @f(%a: tensor<3x5xf32>, %b: tensor<3x5xf32>) {\n" + line +
         "\nreturn\n}")
            .str(),
        &context);
    if (!source)
      return std::numeric_limits<double>::infinity();
    ElementwiseOp op;
    source->walk([&](ElementwiseOp found) { op = found; });

    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    Location loc = module->getLoc();
    Type result = getElementTypeOrSelf(op->getResult(0));
    auto function = builder.create<func::FuncOp>(
        loc, "scalar", builder.getFunctionType({}, {result}));
    builder.setInsertionPointToStart(function.addEntryBlock());
    auto integer = [&](int64_t value) -> Value {
      return builder.create<arith::ConstantOp>(
          loc, builder.getI64IntegerAttr(value));
    };
    SmallVector<Value> scalars, positions;
    for (auto [value, operand] : llvm::zip(operands, op->getOperands()))
      scalars.push_back(builder.create<arith::ConstantOp>(
          loc, builder.getFloatAttr(getElementTypeOrSelf(operand), value)));
    for (int64_t position : index)
      positions.push_back(integer(position));
    Value scalar = op.buildScalar(builder, loc, scalars, positions,
                                  integer(step), integer(seed));
    builder.create<func::ReturnOp>(loc, scalar);

    (void)applyPatternsAndFoldGreedily(*module, {});
    Operation *end = function.getBody().front().getTerminator();
    FloatAttr folded;
    if (!matchPattern(end->getOperand(0), m_Constant(&folded)))
      return std::numeric_limits<double>::infinity();
    return folded.getValueAsDouble();
  }

  MLIRContext context;
};

constexpr const char *kDropout =
    "%0 = dtc.dropout %a {key = \"h.0.drop\", rate = 2.5e-01 : f64} : "
    "(tensor<3x5xf32>) -> tensor<3x5xf32>";

TEST_F(ElementwiseTest, DropoutDrawsTheRandomKeysNumbers) {
  int kept = 0;
  for (int64_t seed : {int64_t{0}, int64_t{1234567890123456789}})
    for (int64_t step : {int64_t{0}, int64_t{1} << 40}) {
      RandomStream stream(seed, "h.0.drop");
      for (int64_t row = 0; row < 3; ++row)
        for (int64_t column = 0; column < 5; ++column) {
          double expected = 0;
          if (stream.keeps(step, row * 5 + column, 0.25)) {
            expected = static_cast<float>(6 * static_cast<float>(1 / 0.75));
            ++kept;
          }

          EXPECT_EQ(evaluate(kDropout, {6}, {row, column}, step, seed),
                    expected)
              << "seed " << seed << " step " << step << " at " << row << ", "
              << column;
        }
    }
  // Neither all nor none: the comparison above can fail both ways.
  EXPECT_GT(kept, 30);
  EXPECT_LT(kept, 58);
}

TEST_F(ElementwiseTest, DropoutAloneNeedsTheIndex) {
  auto module = parseSourceString<ModuleOp>(
      "func.func @f(%a: tensor<3x5xf32>) {\n" + std::string(kDropout) +
          "\n%1 = dtc.relu %a : (tensor<3x5xf32>) -> tensor<3x5xf32>\n"
          "return\n}",
      &context);
  ASSERT_TRUE(module);

  module->walk([](ElementwiseOp op) {
    EXPECT_EQ(op.needsIndex(), isa<DropoutOp>(*op));
  });
}

TEST_F(ElementwiseTest, ReluKeepsNaNAndMakesZeroPositive) {
  const char *line = "%0 = dtc.relu %a : (tensor<3x5xf32>) -> tensor<3x5xf32>";

  EXPECT_EQ(evaluate(line, {2}), 2);
  EXPECT_EQ(evaluate(line, {-2}), 0);
  EXPECT_FALSE(std::signbit(evaluate(line, {-0.0})));
  EXPECT_TRUE(std::isnan(evaluate(line, {std::nan("")})));
}

TEST_F(ElementwiseTest, ReluGradIsZeroWhereReluGaveZero) {
  const char *line = "%0 = dtc.relu_grad %a, %b : (tensor<3x5xf32>, "
                     "tensor<3x5xf32>) -> tensor<3x5xf32>";

  EXPECT_EQ(evaluate(line, {3, 0}), 0);
  EXPECT_EQ(evaluate(line, {3, 0.5}), 3);
}

TEST_F(ElementwiseTest, ArithmeticIsTheOpsOwn) {
  auto binary = [&](StringRef name) {
    return evaluate(("%0 = dtc." + name +
                     " %a, %b : (tensor<3x5xf32>, tensor<3x5xf32>) -> "
                     "tensor<3x5xf32>")
                        .str(),
                    {6, 4});
  };

  EXPECT_EQ(binary("add"), 10);
  EXPECT_EQ(binary("sub"), 2);
  EXPECT_EQ(binary("mul"), 24);
}

TEST_F(ElementwiseTest, CastKeepsWhatBothTypesHold) {
  const char *line = "%0 = dtc.cast %a : (tensor<3x5xf32>) -> tensor<3x5xbf16>";

  EXPECT_EQ(evaluate(line, {1 + 0x1p-7}), 1 + 0x1p-7);
}

} // namespace
} // namespace mlir::dtc
