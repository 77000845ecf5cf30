//===- OptimizerInterpreterTest.cpp - The tail of the step in numbers -----===//
//
// Sequences of steps with known ends: AdamW with and without decay, momentum,
// the state machine of the loss scale, what a flag leaves untouched.
//
//===----------------------------------------------------------------------===//

#include "tests/ir/InterpreterRun.h"

#include <gmock/gmock.h>

namespace mlir::dtc::test {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

/// Two elements, the first decayed: the update as @f(gradient, flag), in place.
const char *kAdamW = R"(
dtc.variable @p : tensor<2xf32> {init = {kind = "ones"}, role = "parameter"}
dtc.variable @m : tensor<2xf32> {init = {kind = "zeros"}, role = "state", of = @p}
dtc.variable @v : tensor<2xf32> {init = {kind = "zeros"}, role = "state", of = @p}
dtc.variable @t : tensor<i32> {init = {kind = "zeros"}, role = "scalar"}
dtc.variable @s : tensor<f32> {init = {kind = "constant", value = 1.0}, role = "scalar"}
dtc.variable @g : tensor<i32> {init = {kind = "zeros"}, role = "scalar"}
func.func @f(%gradient: tensor<2xf32>, %factor: tensor<f32>, %flag: tensor<i32>) {
  %p = dtc.read @p : tensor<2xf32>
  %m = dtc.read @m : tensor<2xf32>
  %v = dtc.read @v : tensor<2xf32>
  %t = dtc.read @t : tensor<i32>
  %s = dtc.read @s : tensor<f32>
  %g = dtc.read @g : tensor<i32>
  %lr = dtc.learning_rate %t {peak = 0.01 : f64} : (tensor<i32>) -> tensor<f32>
  %np, %nm, %nv = dtc.adamw %p, %m, %v, %gradient, %factor, %flag, %lr, %t {beta1 = 0.9 : f64, beta2 = 0.999 : f64, eps = 1.0e-08 : f64, segment_lengths = array<i64: 1, 1>, decays = array<f64: 0.1, 0.0>, rates = array<f64: 1.0, 1.0>} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  %nt, %ns, %ng = dtc.advance %t, %s, %g, %flag {growth_interval = 3 : i64, growth = 2.0 : f64, backoff = 0.5 : f64} : (tensor<i32>, tensor<f32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<f32>, tensor<i32>)
  dtc.store %np, @p : tensor<2xf32>
  dtc.store %nm, @m : tensor<2xf32>
  dtc.store %nv, @v : tensor<2xf32>
  dtc.store %nt, @t : tensor<i32>
  dtc.store %ns, @s : tensor<f32>
  dtc.store %ng, @g : tensor<i32>
  return
})";

TEST(OptimizerInterpreterTest, AdamWDecaysApartFromTheGradient) {
  InterpreterRun run(kAdamW);
  std::vector<std::vector<double>> after;

  for (double gradient : {0.5, -0.25, 0.1}) {
    ASSERT_TRUE(succeeded(run.step({{gradient, gradient}, {1}, {0}})))
        << run.messages;
    after.push_back(run.variable("p"));
  }

  EXPECT_THAT(after[0],
              ElementsAre(DoubleNear(0.989, 1e-8), DoubleNear(0.99, 1e-8)));
  EXPECT_THAT(after[1], ElementsAre(DoubleNear(0.98534763, 1e-8),
                                    DoubleNear(0.98733663, 1e-8)));
  EXPECT_THAT(after[2], ElementsAre(DoubleNear(0.98120985, 1e-8),
                                    DoubleNear(0.98418419, 1e-8)));
}

TEST(OptimizerInterpreterTest, AFlagLeavesNoTraceButInTheScale) {
  InterpreterRun run(kAdamW);
  ASSERT_TRUE(succeeded(run.step({{1, 1}, {1}, {0}})));
  std::vector<double> p = run.variable("p"), m = run.variable("m");

  ASSERT_TRUE(succeeded(run.step({{INFINITY, NAN}, {NAN}, {1}})));

  EXPECT_EQ(run.variable("p"), p);
  EXPECT_EQ(run.variable("m"), m);
  EXPECT_THAT(run.variable("t"), ElementsAre(1));
  EXPECT_THAT(run.variable("s"), ElementsAre(0.5));
}

TEST(OptimizerInterpreterTest, TheScaleGrowsAndBacksOff) {
  InterpreterRun run(kAdamW);
  run.setVariable("s", {1024});
  std::vector<double> scales, counters;

  for (double flag : {0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 2}) {
    ASSERT_TRUE(succeeded(run.step({{1, 1}, {1}, {flag}})));
    scales.push_back(run.variable("s")[0]);
    counters.push_back(run.variable("g")[0]);
  }

  EXPECT_THAT(scales, ElementsAre(1024, 1024, 512, 512, 512, 1024, 1024, 1024,
                                  2048, 1024, 512, 512));
  EXPECT_THAT(counters, ElementsAre(1, 2, 0, 1, 2, 0, 1, 2, 0, 0, 0, 0));
  EXPECT_THAT(run.variable("t"), ElementsAre(8));
}

TEST(OptimizerInterpreterTest, MomentumAddsUpGradients) {
  InterpreterRun run(R"(
dtc.variable @p : tensor<1xf32> {init = {kind = "zeros"}, role = "parameter"}
dtc.variable @b : tensor<1xf32> {init = {kind = "zeros"}, role = "state", of = @p}
func.func @f(%gradient: tensor<1xf32>, %factor: tensor<f32>, %flag: tensor<i32>, %lr: tensor<f32>) {
  %p = dtc.read @p : tensor<1xf32>
  %b = dtc.read @b : tensor<1xf32>
  %np, %nb = dtc.sgd %p, %b, %gradient, %factor, %flag, %lr {momentum = 0.9 : f64, segment_lengths = array<i64: 1>, decays = array<f64: 0.0>, rates = array<f64: 1.0>} : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<f32>, tensor<i32>, tensor<f32>) -> (tensor<1xf32>, tensor<1xf32>)
  dtc.store %np, @p : tensor<1xf32>
  dtc.store %nb, @b : tensor<1xf32>
  return
})");

  for (double x = 1; x <= 6; ++x)
    ASSERT_TRUE(succeeded(run.step({{x}, {1}, {0}, {0.1}}))) << run.messages;

  EXPECT_NEAR(run.variable("p")[0], -4.953279, 1e-12);
}

TEST(OptimizerInterpreterTest, NormAndFlagSeeWhatTheyShould) {
  InterpreterRun run(R"(
func.func @f(%a: tensor<2xf32>, %n: tensor<i64>, %s: tensor<f32>) -> (tensor<i32>, tensor<f32>) {
  %0 = dtc.nonfinite_bit %a : (tensor<2xf32>) -> tensor<i32>
  %1 = dtc.empty_bit %n : (tensor<i64>) -> tensor<i32>
  %2 = dtc.or %0, %1 {terms = [["a"], ["n"]]} : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %3 = dtc.unscale %a, %s : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %4 = dtc.sum_squares %3 : (tensor<2xf32>) -> tensor<f32>
  %5 = dtc.clip_factor %4 {max_norm = 1.0 : f64} : (tensor<f32>) -> tensor<f32>
  return %2, %5 : tensor<i32>, tensor<f32>
})");

  ASSERT_TRUE(succeeded(run.step({{3072, 4096}, {1}, {1024}}))) << run.messages;
  EXPECT_THAT(run.result(0), ElementsAre(0));
  EXPECT_THAT(run.result(1), ElementsAre(0.2));

  ASSERT_TRUE(succeeded(run.step({{NAN, 0}, {0}, {1}})));
  EXPECT_THAT(run.result(0), ElementsAre(3));

  ASSERT_TRUE(succeeded(run.step({{0, 0}, {1}, {1}})));
  EXPECT_THAT(run.result(1), ElementsAre(1));
}

} // namespace
} // namespace mlir::dtc::test
