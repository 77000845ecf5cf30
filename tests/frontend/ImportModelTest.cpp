//===- ImportModelTest.cpp - Model file to module
//----------------------------===//
//
// The example's module is held to the one written by hand that the tests of all
// passes start from; the rest of the schema to what its ops must be.
//
//===----------------------------------------------------------------------===//

#include "tests/frontend/ModelTexts.h"

#include "frontend/ImportModel.h"

#include "ir/DtcOps.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mlir::dtc {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ImportModelTest : public testing::Test {
protected:
  ImportModelTest() {
    context.loadDialect<DtcDialect, func::FuncDialect>();
    context.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) {
      diagnostics.push_back(diagnostic.str());
    });
  }

  ModuleOp import(const ModelFile &file) {
    module = llvm::cantFail(importModel(context, file));
    EXPECT_TRUE(succeeded(verify(*module)));
    return *module;
  }
  ModuleOp import(const std::string &text) { return import(readModel(text)); }

  /// `name op` of each op of a function, as `up.matmul matmul`.
  std::vector<std::string> listOps(StringRef name) {
    std::vector<std::string> ops;
    auto function = module->lookupSymbol<func::FuncOp>(name);
    for (Operation &op : function.front().without_terminator())
      ops.push_back(op.getAttrOfType<StringAttr>("dtc.name").str() + " " +
                    op.getName().stripDialect().str());
    return ops;
  }

  /// The ops of `@step` that are neither reads nor reports.
  std::vector<std::string> listSteps() {
    std::vector<std::string> steps;
    for (const std::string &op : listOps("step"))
      if (!StringRef(op).ends_with(" read") &&
          !StringRef(op).ends_with("report"))
        steps.push_back(op);
    return steps;
  }

  std::string print(Attribute attribute) {
    std::string text;
    llvm::raw_string_ostream(text) << attribute;
    return text;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::vector<std::string> diagnostics;
};

/// Prints what an op is, without locations and SSA names.
std::string describe(Operation &op) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << op.getName() << " " << op.getAttrDictionary() << " :";
  for (Value operand : op.getOperands())
    out << " " << operand.getType();
  out << " ->";
  for (Type type : op.getResultTypes())
    out << " " << type;
  return text;
}

TEST_F(ImportModelTest, TheExampleIsTheModuleWrittenByHand) {
  OwningOpRef<ModuleOp> expected =
      parseSourceFile<ModuleOp>(DTC_EXAMPLE_MODULE, &context);
  ASSERT_TRUE(expected);
  import(llvm::cantFail(ModelFile::read(
      DTC_MODELS_SOURCE "/mlp/example.json",
      {R"(data.test={"x": "x.npy", "label": "label.npy"})", "seed=1"})));

  for (StringRef name : {"step", "evaluate"}) {
    auto made = module->lookupSymbol<func::FuncOp>(name);
    auto given = expected->lookupSymbol<func::FuncOp>(name);
    ASSERT_TRUE(made && given);
    EXPECT_EQ(made.getFunctionType(), given.getFunctionType());
    std::vector<std::string> madeOps, givenOps;
    for (Operation &op : made.front())
      madeOps.push_back(describe(op));
    for (Operation &op : given.front())
      givenOps.push_back(describe(op));
    EXPECT_EQ(madeOps, givenOps);
  }
  for (auto variable : expected->getOps<VariableOp>()) {
    auto made = module->lookupSymbol<VariableOp>(variable.getSymName());
    ASSERT_TRUE(made) << variable.getSymName().str();
    EXPECT_EQ(made.getType(), variable.getType());
    EXPECT_EQ(made.getRole(), variable.getRole());
    EXPECT_EQ(made.getDecay(), variable.getDecay());
  }
  for (StringRef name :
       {"dtc.plan", "dtc.seed", "dtc.compute", "dtc.loss_scale"})
    EXPECT_EQ((*module)->getAttr(name), (*expected)->getAttr(name))
        << name.str();
}

TEST_F(ImportModelTest, FilesAreAbsoluteAndCarryTheTensorsName) {
  import(
      llvm::cantFail(ModelFile::read(DTC_MODELS_SOURCE "/mlp/example.json")));
  auto weight = module->lookupSymbol<VariableOp>("up.weight");
  EXPECT_EQ(print(weight.getInit()),
            std::string("{kind = \"file\", path = \"") + DTC_MODELS_SOURCE +
                "/mlp/example.safetensors\", tensor = \"up.weight\"}");
  std::string data = print((*module)->getAttr("dtc.data"));
  EXPECT_THAT(data, HasSubstr("/mlp/x.npy"));
  EXPECT_THAT(data, HasSubstr("fill = -1.000000e+02 : f64, name = \"label\""));
  EXPECT_THAT(data, HasSubstr("global_batch = 7 : i64"));
}

TEST_F(ImportModelTest, PackagesKeepTheNamesOfTheirFiles) {
  import(llvm::cantFail(
      ModelFile::read(DTC_MODELS_SOURCE "/mlp/mlp-fashion.json")));
  std::string data = print((*module)->getAttr("dtc.data"));
  EXPECT_THAT(data, HasSubstr("files = [\"train-images-idx3-ubyte.gz\"]"));
  EXPECT_THAT(data, HasSubstr("package = \"fashion-mnist\""));
  EXPECT_THAT(data, HasSubstr("scale = 0.0039215686274509803 : f64"));
  EXPECT_EQ(print((*module)->getAttr("dtc.run")),
            "{deterministic = false, epochs = 5 : i64, evaluate_every = 0 : "
            "i64, steps = 0 : i64}");
}

TEST_F(ImportModelTest, EvaluationDropsNothing) {
  import(llvm::cantFail(
      ModelFile::read(DTC_MODELS_SOURCE "/mlp/mlp-narrow.json")));
  EXPECT_THAT(listOps("step"), testing::Contains("drop dropout"));
  EXPECT_THAT(listOps("evaluate"),
              testing::Not(testing::Contains("drop dropout")));
  EXPECT_THAT(listOps("evaluate"), testing::Contains("correct count_correct"));
}

TEST_F(ImportModelTest, ModelsWithoutLabelsCountTheSamplesThatAreThere) {
  import(R"({"name": "m", "inputs": {"x": {"shape": [1]}, "t": {"shape": [1]}},
"layers": [{"name": "y", "kind": "linear", "width": 1, "bias": false}],
"loss": {"kind": "mean_squared_error", "target": "t"}, "batch": {"global": 5},
"optimizer": {"kind": "sgd", "lr": 0.1},
"data": {"train": {"x": "x.npy", "t": "t.npy"}}})");
  EXPECT_THAT(listSteps(), ElementsAre("y matmul", "loss.valid count_valid",
                                       "loss squared_error"));
  auto step = module->lookupSymbol<func::FuncOp>("step");
  EXPECT_EQ(step.getNumArguments(), 3u);
  EXPECT_EQ(step.getArgAttrOfType<StringAttr>(2, "dtc.input"), "valid");
  EXPECT_THAT(
      print((*module)->getAttr("dtc.data")),
      HasSubstr("name = \"valid\", shape = array<i64>, validity = true"));
}

TEST_F(ImportModelTest, ASumDividesByOne) {
  import(withLayers(
      R"({"name": "y", "kind": "linear", "width": 3, "bias": false})"));
  EXPECT_THAT(listSteps(),
              ElementsAre("y matmul", "loss.valid count_valid",
                          "loss.divisor constant", "loss linear_loss"));
}

TEST_F(ImportModelTest, AMeanIsOverAllElements) {
  import(withGraph(R"("layers": [
{"name": "y", "kind": "linear", "width": 4, "bias": false}],
"loss": {"kind": "mean"})"));
  EXPECT_THAT(listSteps(), ElementsAre("y matmul", "loss.valid count_valid",
                                       "loss.term0.coefficients constant",
                                       "loss.term0 mul", "loss linear_loss"));
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  EXPECT_THAT(text, HasSubstr("dense<2.500000e-01> : tensor<f32>"));
}

TEST_F(ImportModelTest, TermsWithoutBatchCountOnceASample) {
  import(withGraph(R"("layers": [
{"name": "w", "kind": "parameter", "shape": [2]},
{"name": "g", "kind": "parameter"}, {"name": "u", "kind": "parameter"}],
"loss": {"kind": "linear", "terms": [{"input": "w", "coefficients": [3, 4]},
                                      {"input": "g", "coefficients": [12]},
                                      {"input": "x"}]})"));
  EXPECT_THAT(
      listSteps(),
      ElementsAre(
          "loss.valid count_valid", "loss.term0.coefficients constant",
          "loss.term0 mul", "loss.term0.sum reduce_sum",
          "loss.term0.rows broadcast", "loss.term1.coefficients constant",
          "loss.term1 mul", "loss.term1.rows broadcast", "loss.terms add",
          "loss.term2.sum reduce_sum", "loss.terms add", "loss linear_loss"));
  // An unused parameter is a variable and is not read.
  EXPECT_TRUE(module->lookupSymbol<VariableOp>("u"));
  EXPECT_THAT(listOps("step"), testing::Not(testing::Contains("u read")));
}

TEST_F(ImportModelTest, EveryLayerKindHasItsOps) {
  import(withLayers(R"(
{"name": "w", "kind": "parameter", "shape": [2, 6]},
{"name": "c", "kind": "constant", "shape": [3], "values": [1, 2, 3]},
{"name": "m", "kind": "matmul", "with": "w"},
{"name": "r", "kind": "relu"},
{"name": "s", "kind": "reshape", "shape": [2, 3]},
{"name": "p", "kind": "mul", "input": "c", "with": "s"},
{"name": "t", "kind": "slice", "dim": 1, "begin": 1, "end": 3},
{"name": "f", "kind": "flatten"},
{"name": "d", "kind": "dropout", "p": 0.5},
{"name": "a", "kind": "add", "with": "d"})"));
  EXPECT_THAT(listSteps(),
              ElementsAre("c constant", "m matmul", "r relu", "s reshape",
                          "p mul", "t slice", "f reshape", "d dropout", "a add",
                          "loss.valid count_valid", "loss.divisor constant",
                          "loss linear_loss"));
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  EXPECT_THAT(text, HasSubstr("starts = array<i64: 0, 0, 1>"));
  EXPECT_THAT(text, HasSubstr("-> tensor<7x2x2xf32>"));
}

TEST_F(ImportModelTest, InitialisersFollowFromShapes) {
  import(withLayers(R"(
{"name": "k", "kind": "linear", "width": 8},
{"name": "x1", "kind": "linear", "width": 4, "init": {"kind": "xavier"}},
{"name": "n", "kind": "linear", "width": 4, "init": {"kind": "normal", "std": 0.5}},
{"name": "o", "kind": "linear", "width": 4, "init": {"kind": "ones"}})"));
  auto init = [&](StringRef name) {
    return print(module->lookupSymbol<VariableOp>(name).getInit());
  };
  // sqrt(2 / 2) and sqrt(6 / (8 + 4)).
  EXPECT_EQ(init("k.weight"),
            "{kind = \"normal\", mean = 0.000000e+00 : f64, std = 1.000000e+00 "
            ": f64}");
  EXPECT_EQ(init("k.bias"), "{kind = \"zeros\"}");
  EXPECT_THAT(init("x1.weight"), HasSubstr("high = 0.70710678118654757 : f64"));
  EXPECT_THAT(init("n.weight"), HasSubstr("std = 5.000000e-01"));
  EXPECT_EQ(init("n.bias"), "{kind = \"zeros\"}");
  EXPECT_EQ(init("o.bias"), "{kind = \"ones\"}");
}

TEST_F(ImportModelTest, GroupsBecomeFieldsOfVariables) {
  import(readModel(
      withLayers(R"({"name": "a", "kind": "linear", "width": 2})"),
      {R"(optimizer.groups=[{"match": "*.weight", "decay": 0.5, "frozen": true},
                            {"match": "*.none"}, {"match": "*", "lr_factor": 2}])"}));
  auto weight = module->lookupSymbol<VariableOp>("a.weight");
  EXPECT_TRUE(weight.getFrozen());
  EXPECT_EQ(weight.getDecay().convertToDouble(), 0.5);
  EXPECT_EQ(
      module->lookupSymbol<VariableOp>("a.bias").getRate().convertToDouble(),
      2);
  EXPECT_THAT(diagnostics, ElementsAre(HasSubstr("matches no parameter")));
}

TEST_F(ImportModelTest, OpsKnowTheirPlaceInTheFile) {
  import(withLayers(R"({"name": "a", "kind": "relu"})"));
  auto step = module->lookupSymbol<func::FuncOp>("step");
  ReluOp relu = *step.getOps<ReluOp>().begin();
  auto name = cast<NameLoc>(relu.getLoc());
  EXPECT_EQ(name.getName(), "a");
  EXPECT_EQ(cast<FileLineColLoc>(name.getChildLoc()).getLine(), 5u);
}

TEST_F(ImportModelTest, AnnotatedStagesAreOnTheOps) {
  import(readModel(withLayers(R"({"name": "a", "kind": "relu", "stage": 0},
{"name": "b", "kind": "linear", "width": 3, "stage": 1})"),
                   {"plan.pp=2"}));
  auto step = module->lookupSymbol<func::FuncOp>("step");
  MatMulOp matmul = *step.getOps<MatMulOp>().begin();
  EXPECT_EQ(print(matmul->getAttr("dtc.stages")), "array<i64: 1>");
}

} // namespace
} // namespace mlir::dtc
