//===- LossGradientTest.cpp - Each loss's gradient by differences ---------===//
//
// A loss's gradient op gives scale times the slope of the loss, whose value is
// not scaled; ignored rows have none. Found through the Loss interface, as
// differentiate finds it.
//
//===----------------------------------------------------------------------===//

#include "tests/ir/FiniteDifferences.h"

#include <set>

namespace mlir::dtc::test {
namespace {

const char *kCrossEntropy = R"(
func.func @f(%z: tensor<5x3xf64>, %l: tensor<5xi32>, %s: tensor<f64>) -> tensor<f64> {
  %n = dtc.count_valid %l {ignore = -100 : i64} : (tensor<5xi32>) -> tensor<i64>
  %m = dtc.row_max %z : (tensor<5x3xf64>) -> tensor<5xf64>
  %e = dtc.sum_exp %z, %m : (tensor<5x3xf64>, tensor<5xf64>) -> tensor<5xf64>
  %p = dtc.pick %z, %l {ignore = -100 : i64} : (tensor<5x3xf64>, tensor<5xi32>) -> tensor<5xf64>
  %r = dtc.cross_entropy %m, %e, %p, %l, %n, %s {ignore = -100 : i64} : (tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xi32>, tensor<i64>, tensor<f64>) -> tensor<f64>
  return %r : tensor<f64>
})";
const char *kSquaredError = R"(
func.func @f(%z: tensor<5x3xf64>, %l: tensor<5xi32>, %s: tensor<f64>, %t: tensor<5x3xf64>) -> tensor<f64> {
  %n = dtc.count_valid %l {ignore = -100 : i64} : (tensor<5xi32>) -> tensor<i64>
  %r = dtc.squared_error %z, %t, %l, %n, %s {ignore = -100 : i64} : (tensor<5x3xf64>, tensor<5x3xf64>, tensor<5xi32>, tensor<i64>, tensor<f64>) -> tensor<f64>
  return %r : tensor<f64>
})";
const char *kLinearLoss = R"(
func.func @f(%z: tensor<5x3xf64>, %l: tensor<5xi32>, %s: tensor<f64>) -> tensor<f64> {
  %n = dtc.count_valid %l {ignore = -100 : i64} : (tensor<5xi32>) -> tensor<i64>
  %r = dtc.linear_loss %z, %l, %n, %s {ignore = -100 : i64} : (tensor<5x3xf64>, tensor<5xi32>, tensor<i64>, tensor<f64>) -> tensor<f64>
  return %r : tensor<f64>
})";

/// Adds @g, which returns the gradient of @f's loss.
void addGradientFunction(ModuleOp module) {
  auto f = module.lookupSymbol<func::FuncOp>("f");
  auto g = cast<func::FuncOp>(OpBuilder(f).clone(*f));
  g.setSymName("g");
  Block &body = g.getBody().front();
  auto end = cast<func::ReturnOp>(body.getTerminator());
  OpBuilder builder(end);
  Value prediction;
  Value gradient = cast<Loss>(end.getOperand(0).getDefiningOp())
                       .buildLossGradient(builder, prediction);
  ASSERT_EQ(prediction, body.getArgument(0));
  end->setOperands(gradient);
  g.setType(FunctionType::get(g.getContext(), body.getArgumentTypes(),
                              gradient.getType()));
}

void expectSlope(const char *text, std::vector<double> labels) {
  InterpreterRun run(text);
  ASSERT_TRUE(run.module);
  addGradientFunction(*run.module);
  ASSERT_TRUE(succeeded(verify(*run.module))) << run.messages;
  run.open("g");
  std::vector<std::vector<double>> inputs{drawNumbers(15, 3), labels, {8}};
  if (run.ranks->getInputNames().size() == 4)
    inputs.push_back(drawNumbers(15, 4));
  ASSERT_TRUE(succeeded(run.step(inputs))) << run.messages;
  std::vector<double> gradient = run.result();

  run.open("f");
  std::vector<double> slopes = differentiate(run, inputs, 0, {8});
  expectNear(slopes, gradient, 1e-8, "gradient of the prediction");
}

TEST(LossGradientTest, OfCrossEntropyIsTheScaledSlope) {
  expectSlope(kCrossEntropy, {0, 2, -100, 1, 0});
}

TEST(LossGradientTest, OfSquaredErrorIsTheScaledSlope) {
  expectSlope(kSquaredError, {1, 1, -100, 1, 1});
}

TEST(LossGradientTest, OfLinearLossIsTheScaledSlope) {
  expectSlope(kLinearLoss, {1, 1, -100, 1, 1});
}

TEST(LossGradientTest, OfAnEmptyBatchIsZeroAndNoNan) {
  for (const char *text : {kCrossEntropy, kSquaredError, kLinearLoss})
    expectSlope(text, {-100, -100, -100, -100, -100});
}

TEST(LossGradientTest, HasEveryLoss) {
  DialectRegistry registry;
  registry.insert<DtcDialect>();
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  std::set<std::string> losses;
  for (RegisteredOperationName op : context.getRegisteredOperations())
    if (op.hasInterface<Loss>())
      losses.insert(op.getStringRef().str());

  EXPECT_EQ(losses,
            (std::set<std::string>{"dtc.cross_entropy", "dtc.linear_loss",
                                   "dtc.squared_error"}));
}

} // namespace
} // namespace mlir::dtc::test
