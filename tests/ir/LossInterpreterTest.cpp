//===- LossInterpreterTest.cpp - The losses in numbers --------------------===//
//
// Values that can be checked with a pocket calculator, and the inputs on which
// losses go wrong: large logits, pad classes, ignored rows, no row at all.
//
//===----------------------------------------------------------------------===//

#include "tests/ir/InterpreterRun.h"

#include <gmock/gmock.h>

namespace mlir::dtc::test {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

/// Cross entropy over `rows` rows and `classes` classes, which `tp` ranks
/// share: the loss, and the gradient of the logits.
std::string makeCrossEntropy(int rows, int classes, int tp, bool hasPads) {
  std::string r = std::to_string(rows), c = std::to_string(classes);
  std::string axis = "tp=" + std::to_string(tp);
  std::string pads = hasPads ? ", pad(1:any)" : "";
  std::string zeros = hasPads ? ", pad(1:zero)" : "";
  std::string text = "#z = #dtc.layout<pp=1:On{0}, dp=1:R, " + axis +
                     ":S(1), mb=1:R" + pads +
                     ">\n#g = #dtc.layout<pp=1:On{0}, "
                     "dp=1:R, " +
                     axis + ":S(1), mb=1:R" + zeros + ">\n";
  for (auto [name, state] : {std::pair("r", "R"), std::pair("x", "P(max)"),
                             std::pair("s", "P(sum)")})
    text += std::string("#") + name + " = #dtc.layout<pp=1:On{0}, dp=1:R, " +
            axis + ":" + state + ", mb=1:R>\n";
  text += R"(
func.func @f(%z: tensor<RxCxf32, #z>, %l: tensor<Rxi32, #r>, %k: tensor<f32, #r>) -> (tensor<f32, #r>, tensor<RxCxf32, #g>) {
  %n = dtc.count_valid %l {ignore = -100 : i64} : (tensor<Rxi32, #r>) -> tensor<i64, #r>
  %m0 = dtc.row_max %z : (tensor<RxCxf32, #z>) -> tensor<Rxf32, #x>
  %m = dtc.all_reduce max %m0 over ["tp"] : tensor<Rxf32, #x> -> tensor<Rxf32, #r>
  %e0 = dtc.sum_exp %z, %m : (tensor<RxCxf32, #z>, tensor<Rxf32, #r>) -> tensor<Rxf32, #s>
  %e = dtc.all_reduce sum %e0 over ["tp"] : tensor<Rxf32, #s> -> tensor<Rxf32, #r>
  %p0 = dtc.pick %z, %l {ignore = -100 : i64} : (tensor<RxCxf32, #z>, tensor<Rxi32, #r>) -> tensor<Rxf32, #s>
  %p = dtc.all_reduce sum %p0 over ["tp"] : tensor<Rxf32, #s> -> tensor<Rxf32, #r>
  %o = dtc.cross_entropy %m, %e, %p, %l, %n, %k {ignore = -100 : i64} : (tensor<Rxf32, #r>, tensor<Rxf32, #r>, tensor<Rxf32, #r>, tensor<Rxi32, #r>, tensor<i64, #r>, tensor<f32, #r>) -> tensor<f32, #r>
  %d = dtc.cross_entropy_grad %z, %m, %e, %l, %n, %k {ignore = -100 : i64} : (tensor<RxCxf32, #z>, tensor<Rxf32, #r>, tensor<Rxf32, #r>, tensor<Rxi32, #r>, tensor<i64, #r>, tensor<f32, #r>) -> tensor<RxCxf32, #g>
  return %o, %d : tensor<f32, #r>, tensor<RxCxf32, #g>
})";
  for (auto [from, to] :
       {std::pair<std::string, std::string>("<Rx", "<" + r + "x"),
        std::pair<std::string, std::string>("xCx", "x" + c + "x")})
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;)
      text.replace(at, from.size(), to);
  return text;
}

TEST(LossInterpreterTest, APadClassIsNoClass) {
  // Five equal classes over two ranks, stored as 3 + 3: ln 5, not ln 6.
  InterpreterRun run(makeCrossEntropy(1, 5, 2, true));

  ASSERT_TRUE(succeeded(run.step({{0, 0, 0, 0, 0}, {3}, {1}}))) << run.messages;

  EXPECT_THAT(run.result(0),
              ElementsAre(DoubleNear(1.6094379124341003, 1e-15)));
  EXPECT_THAT(run.result(1),
              ElementsAre(DoubleNear(0.2, 1e-15), DoubleNear(0.2, 1e-15),
                          DoubleNear(0.2, 1e-15), DoubleNear(-0.8, 1e-15),
                          DoubleNear(0.2, 1e-15)));
  EXPECT_EQ(run.part(1, 1)[2], 0); // the pad column has no gradient
}

TEST(LossInterpreterTest, LargeLogitsOverARankBoundaryStayFinite) {
  InterpreterRun run(makeCrossEntropy(1, 4, 2, false));

  ASSERT_TRUE(succeeded(run.step({{1000, 0, 999, -1000}, {2}, {1}})))
      << run.messages;

  EXPECT_NEAR(run.result(0)[0], 1.3132616875182228, 1e-12);
  EXPECT_THAT(run.result(1),
              ElementsAre(DoubleNear(0.7310585786300049, 1e-12), 0,
                          DoubleNear(-0.7310585786300049, 1e-12), 0));
}

TEST(LossInterpreterTest, IgnoredRowsAreNotCounted) {
  InterpreterRun run(makeCrossEntropy(3, 2, 1, false));

  ASSERT_TRUE(succeeded(run.step({{0, 0, 5, 5, 0, 0}, {0, -100, 1}, {4}})))
      << run.messages;

  EXPECT_NEAR(run.result(0)[0], 0.6931471805599453, 1e-15);
  EXPECT_THAT(run.result(1), ElementsAre(-1, 1, 0, 0, 1, -1));
}

TEST(LossInterpreterTest, AStepWithoutValidLabelGivesZero) {
  InterpreterRun run(makeCrossEntropy(2, 2, 1, false));

  ASSERT_TRUE(succeeded(run.step({{1, 2, 3, 4}, {-100, -100}, {4}})))
      << run.messages;

  EXPECT_THAT(run.result(0), ElementsAre(0));
  EXPECT_THAT(run.result(1), ElementsAre(0, 0, 0, 0));
}

TEST(LossInterpreterTest, RefusesALabelThatIsNoClass) {
  InterpreterRun run(makeCrossEntropy(2, 3, 1, false));

  EXPECT_TRUE(failed(run.step({{1, 2, 3, 4, 5, 6}, {0, 5}, {1}})));
  EXPECT_THAT(run.messages, HasSubstr("in row 1 is no class; expected 0 to 2"));
}

TEST(LossInterpreterTest, SquaredErrorIsTheMeanOverARowsElementsAndN) {
  InterpreterRun run(R"(
func.func @f(%p: tensor<3x2xf32>, %t: tensor<3x2xf32>, %l: tensor<3xi32>, %s: tensor<f32>) -> tensor<f32> {
  %n = dtc.count_valid %l {ignore = -100 : i64} : (tensor<3xi32>) -> tensor<i64>
  %r = dtc.squared_error %p, %t, %l, %n, %s {ignore = -100 : i64} : (tensor<3x2xf32>, tensor<3x2xf32>, tensor<3xi32>, tensor<i64>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
})");

  ASSERT_TRUE(succeeded(
      run.step({{1, 2, 3, 4, 50, 60}, {0, 0, 1, 1, 0, 0}, {1, 1, -100}, {8}})))
      << run.messages;

  // ((1 + 4) / 2 + (4 + 9) / 2) / 2; the scale does not enter the value.
  EXPECT_THAT(run.result(), ElementsAre(4.5));
}

} // namespace
} // namespace mlir::dtc::test
