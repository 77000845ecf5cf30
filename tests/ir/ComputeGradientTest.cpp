//===- ComputeGradientTest.cpp - Each op's gradient by differences --------===//
//
// Builds the gradients of one op with random cotangents and compares each with
// central differences, over odd shapes. A list of all differentiable ops keeps
// a new one from being forgotten.
//
//===----------------------------------------------------------------------===//

#include "tests/ir/FiniteDifferences.h"

#include <set>

namespace mlir::dtc::test {
namespace {

struct Case {
  const char *name;
  const char *operands; ///< of the function, comma separated types
  const char *body;     ///< one op on %a (and %b, %c), its result %r
  const char *result;
};

const Case kCases[] = {
    {"matmul", "tensor<3x5xf64>,tensor<5x2xf64>",
     "dtc.matmul %a, %b : (tensor<3x5xf64>, tensor<5x2xf64>) -> "
     "tensor<3x2xf64>",
     "tensor<3x2xf64>"},
    {"matmul_lhs", "tensor<5x3xf64>,tensor<5x2xf64>",
     "dtc.matmul %a, %b {transpose_lhs} : (tensor<5x3xf64>, tensor<5x2xf64>) "
     "-> "
     "tensor<3x2xf64>",
     "tensor<3x2xf64>"},
    {"matmul_rhs", "tensor<3x5xf64>,tensor<2x5xf64>",
     "dtc.matmul %a, %b {transpose_rhs} : (tensor<3x5xf64>, tensor<2x5xf64>) "
     "-> "
     "tensor<3x2xf64>",
     "tensor<3x2xf64>"},
    {"matmul_both", "tensor<5x3xf64>,tensor<2x5xf64>",
     "dtc.matmul %a, %b {transpose_lhs, transpose_rhs} : (tensor<5x3xf64>, "
     "tensor<2x5xf64>) -> tensor<3x2xf64>",
     "tensor<3x2xf64>"},
    {"add", "tensor<3x5xf64>,tensor<3x5xf64>",
     "dtc.add %a, %b : (tensor<3x5xf64>, tensor<3x5xf64>) -> tensor<3x5xf64>",
     "tensor<3x5xf64>"},
    {"add_row", "tensor<2x3x5xf64>,tensor<5xf64>",
     "dtc.add %a, %b : (tensor<2x3x5xf64>, tensor<5xf64>) -> tensor<2x3x5xf64>",
     "tensor<2x3x5xf64>"},
    {"add_scalar", "tensor<3x5xf64>,tensor<f64>",
     "dtc.add %a, %b : (tensor<3x5xf64>, tensor<f64>) -> tensor<3x5xf64>",
     "tensor<3x5xf64>"},
    {"sub_row", "tensor<3x5xf64>,tensor<5xf64>",
     "dtc.sub %a, %b : (tensor<3x5xf64>, tensor<5xf64>) -> tensor<3x5xf64>",
     "tensor<3x5xf64>"},
    {"mul", "tensor<3x5xf64>,tensor<3x5xf64>",
     "dtc.mul %a, %b : (tensor<3x5xf64>, tensor<3x5xf64>) -> tensor<3x5xf64>",
     "tensor<3x5xf64>"},
    {"mul_row", "tensor<2x3x5xf64>,tensor<3x5xf64>",
     "dtc.mul %a, %b : (tensor<2x3x5xf64>, tensor<3x5xf64>) -> "
     "tensor<2x3x5xf64>",
     "tensor<2x3x5xf64>"},
    {"relu", "tensor<3x5xf64>",
     "dtc.relu %a : (tensor<3x5xf64>) -> tensor<3x5xf64>", "tensor<3x5xf64>"},
    {"cast", "tensor<3x5xf64>",
     "dtc.cast %a : (tensor<3x5xf64>) -> tensor<3x5xf32>", "tensor<3x5xf32>"},
    {"reduce_sum_first", "tensor<2x3x5xf64>",
     "dtc.reduce_sum %a {dims = array<i64: 0, 1>} : (tensor<2x3x5xf64>) -> "
     "tensor<5xf64>",
     "tensor<5xf64>"},
    {"reduce_sum_last", "tensor<2x3x5xf64>",
     "dtc.reduce_sum %a {dims = array<i64: 2>} : (tensor<2x3x5xf64>) -> "
     "tensor<2x3xf64>",
     "tensor<2x3xf64>"},
    {"broadcast", "tensor<3x5xf64>",
     "dtc.broadcast %a {dims = array<i64: 1, 3>} : (tensor<3x5xf64>) -> "
     "tensor<2x3x2x5xf64>",
     "tensor<2x3x2x5xf64>"},
    {"broadcast_scalar", "tensor<f64>",
     "dtc.broadcast %a {dims = array<i64>} : (tensor<f64>) -> tensor<3xf64>",
     "tensor<3xf64>"},
    {"reshape", "tensor<3x10xf64>",
     "dtc.reshape %a : (tensor<3x10xf64>) -> tensor<3x2x5xf64>",
     "tensor<3x2x5xf64>"},
    {"transpose", "tensor<2x3x5xf64>",
     "dtc.transpose %a {permutation = array<i64: 2, 0, 1>} : "
     "(tensor<2x3x5xf64>) -> tensor<5x2x3xf64>",
     "tensor<5x2x3xf64>"},
    {"slice", "tensor<3x5xf64>",
     "dtc.slice %a {starts = array<i64: 1, 2>} : (tensor<3x5xf64>) -> "
     "tensor<2x2xf64>",
     "tensor<2x2xf64>"},
    {"pad", "tensor<2x2xf64>",
     "dtc.pad %a {starts = array<i64: 1, 2>} : (tensor<2x2xf64>) -> "
     "tensor<3x5xf64>",
     "tensor<3x5xf64>"},
    {"sum", "tensor<3x5xf64>,tensor<3x5xf64>,tensor<3x5xf64>",
     "dtc.sum %a, %b, %c {terms = [[\"a\"], [\"b\"], [\"c\"]]} : "
     "(tensor<3x5xf64>, tensor<3x5xf64>, tensor<3x5xf64>) -> tensor<3x5xf64>",
     "tensor<3x5xf64>"},
    {"mask_pads", "tensor<3x5xf64>",
     "dtc.mask_pads %a : (tensor<3x5xf64>) -> tensor<3x5xf64>",
     "tensor<3x5xf64>"},
    {"dropout", "tensor<7x5xf64>",
     "dtc.dropout %a {rate = 0.25 : f64, key = \"drop\"} : (tensor<7x5xf64>) "
     "-> "
     "tensor<7x5xf64>",
     "tensor<7x5xf64>"},
};

std::string makeText(const Case &test) {
  std::string arguments;
  SmallVector<StringRef> types;
  StringRef(test.operands).split(types, ",");
  for (auto [i, type] : llvm::enumerate(types))
    arguments +=
        std::string(i ? ", " : "") + "%" + char('a' + i) + ": " + type.str();
  return "func.func @f(" + arguments + ") -> " + test.result +
         " {\n  %r = " + test.body + "\n  return %r : " + test.result + "\n}\n";
}

/// Adds @g(operands, cotangent) -> gradients of the only op of @f.
void addGradientFunction(ModuleOp module) {
  auto f = module.lookupSymbol<func::FuncOp>("f");
  auto g = cast<func::FuncOp>(OpBuilder(f).clone(*f));
  g.setSymName("g");
  Block &body = g.getBody().front();
  auto end = cast<func::ReturnOp>(body.getTerminator());
  Operation *op = end.getOperand(0).getDefiningOp();
  Value cotangent = body.addArgument(end.getOperand(0).getType(), op->getLoc());
  OpBuilder builder(end);
  SmallVector<bool> wanted(op->getNumOperands(), true);
  SmallVector<Value> gradients;
  cast<Differentiable>(op).buildGradients(builder, {cotangent}, wanted,
                                          gradients);
  end->setOperands(gradients);
  SmallVector<Type> results;
  for (Value gradient : gradients)
    results.push_back(gradient.getType());
  g.setType(
      FunctionType::get(g.getContext(), body.getArgumentTypes(), results));
}

class ComputeGradientTest : public testing::TestWithParam<Case> {};

TEST_P(ComputeGradientTest, EqualsCentralDifferences) {
  InterpreterRun run(makeText(GetParam()));
  ASSERT_TRUE(run.module);
  addGradientFunction(*run.module);
  ASSERT_TRUE(succeeded(verify(*run.module))) << run.messages;
  run.open("g");
  std::vector<std::vector<double>> inputs;
  for (const std::string &name : run.ranks->getInputNames())
    inputs.push_back(drawNumbers(run.ranks->getInputType(name).getNumElements(),
                                 inputs.size() + 1));
  ASSERT_TRUE(succeeded(run.step(inputs))) << run.messages;
  std::vector<double> cotangent = inputs.back();
  std::vector<std::vector<double>> gradients;
  for (size_t i = 0; i + 1 < inputs.size(); ++i)
    gradients.push_back(run.result(i));

  run.open("f");
  inputs.pop_back();
  for (size_t i = 0; i < inputs.size(); ++i)
    expectNear(differentiate(run, inputs, i, cotangent), gradients[i], 1e-9,
               "gradient of operand " + std::to_string(i));
}

INSTANTIATE_TEST_SUITE_P(EachOp, ComputeGradientTest, testing::ValuesIn(kCases),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

TEST(ComputeGradientListTest, HasEveryDifferentiableOp) {
  std::set<std::string> tested;
  for (const Case &test : kCases) {
    StringRef op = StringRef(test.body).split(' ').first;
    tested.insert(op.str());
  }
  DialectRegistry registry;
  registry.insert<DtcDialect>();
  MLIRContext context(registry);
  context.loadAllAvailableDialects();

  for (RegisteredOperationName op : context.getRegisteredOperations())
    if (op.hasInterface<Differentiable>())
      EXPECT_EQ(tested.count(op.getStringRef().str()), 1u)
          << op.getStringRef().str() << " has a gradient but no case here";
}

} // namespace
} // namespace mlir::dtc::test
