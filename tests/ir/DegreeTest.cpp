//===- DegreeTest.cpp - Scale and 1/N enter once --------------------------===//
//
// A step of one linear layer, loss, gradient, unscale, norm, update: each op
// infers its degree from those before it. Then one fault at a time.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/DenseMap.h"

#include "gtest/gtest.h"

namespace mlir::dtc {
namespace {

constexpr const char *kStep = R"mlir(
func.func @step(%x: tensor<7x4xf32>, %w: tensor<3x4xf32>, %l: tensor<7xi32>,
                %scale: tensor<f32>, %t: tensor<i32>) {
  %z = dtc.matmul %x, %w {transpose_rhs} : (tensor<7x4xf32>, tensor<3x4xf32>) -> tensor<7x3xf32>
  %n = dtc.count_valid %l {ignore = -100 : i64} : (tensor<7xi32>) -> tensor<i64>
  %max = dtc.row_max %z : (tensor<7x3xf32>) -> tensor<7xf32>
  %sum = dtc.sum_exp %z, %max : (tensor<7x3xf32>, tensor<7xf32>) -> tensor<7xf32>
  %pick = dtc.pick %z, %l {ignore = -100 : i64} : (tensor<7x3xf32>, tensor<7xi32>) -> tensor<7xf32>
  %loss = dtc.cross_entropy %max, %sum, %pick, %l, %n, %scale {ignore = -100 : i64} : (tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xi32>, tensor<i64>, tensor<f32>) -> tensor<f32>
  %dz = dtc.cross_entropy_grad %z, %max, %sum, %l, %n, %scale {ignore = -100 : i64} : (tensor<7x3xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xi32>, tensor<i64>, tensor<f32>) -> tensor<7x3xf32>
  %g = dtc.matmul %dz, %x {transpose_lhs} : (tensor<7x3xf32>, tensor<7x4xf32>) -> tensor<3x4xf32>
  %bit = dtc.nonfinite_bit %g : (tensor<3x4xf32>) -> tensor<i32>
  %u = dtc.unscale %g, %scale : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  %q = dtc.sum_squares %u : (tensor<3x4xf32>) -> tensor<f32>
  %sq = dtc.sum %q {terms = [["w"]]} : (tensor<f32>) -> tensor<f32>
  %norm = dtc.sqrt %sq : (tensor<f32>) -> tensor<f32>
  %c = dtc.clip_factor %sq {max_norm = 3.0 : f64} : (tensor<f32>) -> tensor<f32>
  %lr = dtc.learning_rate %t {peak = 0.125 : f64} : (tensor<i32>) -> tensor<f32>
  %new = dtc.sgd %w, GRADIENT, %c, %bit, %lr {momentum = 0.0 : f64, segment_lengths = array<i64: 12>, decays = array<f64: 0.0>, rates = array<f64: 1.0>} : (tensor<3x4xf32>, tensor<3x4xf32>, tensor<f32>, tensor<i32>, tensor<f32>) -> tensor<3x4xf32>
  return
}
)mlir";

class DegreeTest : public testing::Test {
protected:
  DegreeTest()
      : handler(&context, [this](Diagnostic &diagnostic) {
          message = diagnostic.str();
          return success();
        }) {
    context.loadDialect<DtcDialect, func::FuncDialect>();
  }

  /// Infers every op's degrees in order; fails at the first that has none.
  LogicalResult infer(std::string text, StringRef gradient) {
    text.replace(text.find("GRADIENT"), 8, gradient.str());
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return failure();
    auto step = *module->getOps<func::FuncOp>().begin();
    degrees[step.getArgument(3)] = {1, 0};
    for (Operation &op : step.getBody().front()) {
      auto scaled = dyn_cast<Scaled>(op);
      if (!scaled)
        continue;
      SmallVector<Degree> operands;
      for (Value operand : op.getOperands())
        operands.push_back(degrees.lookup(operand));
      FailureOr<SmallVector<Degree>> results = scaled.inferDegrees(operands);
      if (failed(results))
        return failure();
      for (auto [result, degree] : llvm::zip_equal(op.getResults(), *results))
        degrees[result] = degree;
    }
    return success();
  }

  template <typename Op>
  Degree degreeOf(int skip = 0) {
    Degree found{-1, -1};
    module->walk([&](Op op) {
      if (skip-- == 0)
        found = degrees.lookup(op->getResult(0));
    });
    return found;
  }

  MLIRContext context;
  std::string message;
  ScopedDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
  llvm::DenseMap<Value, Degree> degrees;
};

TEST_F(DegreeTest, ScaleAndCountEnterAtTheLossAndScaleLeavesAtUnscale) {
  ASSERT_TRUE(succeeded(infer(kStep, "%u"))) << message;

  EXPECT_EQ(degreeOf<MatMulOp>(), (Degree{0, 0}));
  EXPECT_EQ(degreeOf<CrossEntropyOp>(), (Degree{0, 1}));
  EXPECT_EQ(degreeOf<CrossEntropyGradOp>(), (Degree{1, 1}));
  EXPECT_EQ(degreeOf<MatMulOp>(1), (Degree{1, 1}));
  EXPECT_EQ(degreeOf<UnscaleOp>(), (Degree{0, 1}));
  EXPECT_EQ(degreeOf<SumSquaresOp>(), (Degree{0, 2}));
  EXPECT_EQ(degreeOf<SqrtOp>(), (Degree{0, 1}));
  EXPECT_EQ(degreeOf<ClipFactorOp>(), (Degree{0, 0}));
}

TEST_F(DegreeTest, AScaledGradientNeverUpdates) {
  EXPECT_TRUE(failed(infer(kStep, "%g")));
  EXPECT_EQ(message, "'dtc.sgd' op operand gradient has degree (1, 1) in "
                     "(scale, 1/N), expected (0, 1)");
}

TEST_F(DegreeTest, AScaledNormNeverClips) {
  std::string text = kStep;
  text.replace(text.find("sum_squares %u"), 14, "sum_squares %g");

  EXPECT_TRUE(failed(infer(text, "%u")));
  EXPECT_EQ(message, "'dtc.clip_factor' op operand sum_squares has degree "
                     "(2, 2) in (scale, 1/N), expected (0, 2)");
}

TEST_F(DegreeTest, SumsNeedEqualDegrees) {
  std::string text = kStep;
  std::string sum = "dtc.sum %q {terms = [[\"w\"]]} : (tensor<f32>)";
  text.replace(text.find(sum), sum.size(),
               "dtc.sum %q, %loss {terms = [[\"w\"], [\"b\"]]} : "
               "(tensor<f32>, tensor<f32>)");

  EXPECT_TRUE(failed(infer(text, "%u")));
  EXPECT_EQ(message, "'dtc.sum' op the term of b has degree (0, 1) in "
                     "(scale, 1/N), expected (0, 2)");
}

} // namespace
} // namespace mlir::dtc
