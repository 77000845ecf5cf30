//===- ModelGraphTest.cpp - Names resolved, shapes inferred
//------------------===//
//
// Cases P48 (graphs that are wrong) and P49 (numbers in shapes), and what
// blocks and defaults stand for.
//
//===----------------------------------------------------------------------===//

#include "tests/frontend/ModelTexts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mlir::dtc {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

ModelGraph build(const std::string &text) {
  ModelFile file = readModel(text);
  return llvm::cantFail(buildModelGraph(file, 7));
}

std::vector<std::string> nameParameters(const ModelGraph &graph) {
  std::vector<std::string> names;
  for (const GraphParameter &parameter : graph.parameters)
    names.push_back(parameter.name);
  return names;
}

//===----------------------------------------------------------------------===//
// What is right
//===----------------------------------------------------------------------===//

TEST(ModelGraphTest, BlocksRepeatWithReadableNames) {
  ModelFile file = readModel(withGraph(R"("layers": [
{"name": "in", "kind": "linear", "width": 4},
{"name": "h", "kind": "block", "repeat": 2, "layers": [
  {"name": "fc", "kind": "linear", "width": 6, "activation": "relu"},
  {"name": "proj", "kind": "linear", "width": 4, "add": "@input"}]},
{"name": "head", "kind": "linear", "width": 3, "input": "h"}],
"loss": {"kind": "cross_entropy", "target": "label"})"));

  ModelGraph graph = llvm::cantFail(buildModelGraph(file, 7));

  ASSERT_EQ(graph.layers.size(), 6u);
  EXPECT_EQ(graph.layers[3].name, "h.1.fc");
  EXPECT_EQ(graph.values[graph.layers[2].add].name, "in");
  EXPECT_EQ(graph.values[graph.layers[3].input].name, "h.0.proj");
  EXPECT_EQ(graph.values[graph.layers[4].add].name, "h.0.proj");
  EXPECT_EQ(graph.values[graph.layers[5].input].name, "h.1.proj");
  EXPECT_EQ(graph.parameters[4].name, "h.0.proj.weight");
  EXPECT_EQ(printShape(graph.parameters[4].shape), "[4, 6]");
  EXPECT_EQ(printShape(graph.values[graph.loss.input]), "[batch, 3]");
}

TEST(ModelGraphTest, LayersMayBeWrittenInAnyOrder) {
  ModelGraph graph = build(withGraph(R"("layers": [
{"name": "b", "kind": "relu", "input": "a"},
{"name": "a", "kind": "relu", "input": "x"}],
"loss": {"kind": "sum", "input": "b"})"));
  EXPECT_EQ(graph.layers[0].name, "a");
  EXPECT_EQ(graph.layers[1].name, "b");
}

TEST(ModelGraphTest, TiedWeightsAreOneParameter) {
  ModelGraph graph = build(withLayers(R"(
{"name": "a", "kind": "linear", "width": 2, "bias": false},
{"name": "b", "kind": "linear", "width": 2, "weight": "a.weight", "bias": false})"));
  EXPECT_EQ(nameParameters(graph), std::vector<std::string>{"a.weight"});
  EXPECT_EQ(graph.layers[1].weight, 0);
}

TEST(ModelGraphTest, ParametersAndConstantsAreNotTheLayerBefore) {
  ModelGraph graph = build(withLayers(R"(
{"name": "w", "kind": "parameter", "shape": [2]},
{"name": "c", "kind": "constant", "shape": [], "values": [2]},
{"name": "y", "kind": "mul", "with": "w"},
{"name": "z", "kind": "mul", "with": "c"})"));
  EXPECT_EQ(graph.values[graph.layers[2].input].name, "x");
  EXPECT_EQ(graph.values[graph.layers[3].input].name, "y");
  EXPECT_EQ(nameParameters(graph), std::vector<std::string>{"w"});
}

TEST(ModelGraphTest, LinearLossOfParametersNeedsNoInput) {
  ModelGraph graph = build(R"({"name": "m", "layers": [
{"name": "w", "kind": "parameter", "shape": [2]},
{"name": "g", "kind": "parameter"}],
"loss": {"kind": "linear", "terms": [{"input": "w", "coefficients": [3, 4]},
                                      {"input": "g", "coefficients": [12]}]}})");
  EXPECT_EQ(graph.loss.terms.size(), 2u);
  EXPECT_EQ(graph.loss.terms[1].coefficients[0], 12);
}

TEST(ModelGraphTest, TheFirstGroupThatMatchesCounts) {
  ModelFile file = readModel(
      withLayers(R"({"name": "a", "kind": "linear", "width": 2})"),
      {R"(optimizer.groups=[{"match": "a.w*", "decay": 0.5, "frozen": true},
         {"match": "*", "decay": 0.25, "lr_factor": 2}, {"match": "z"}])"});
  ModelGraph graph = llvm::cantFail(buildModelGraph(file, 7));
  EXPECT_EQ(graph.parameters[0].decay, 0.5);
  EXPECT_TRUE(graph.parameters[0].isFrozen);
  EXPECT_EQ(graph.parameters[1].decay, 0.25);
  EXPECT_EQ(graph.parameters[1].rate, 2);
  ASSERT_EQ(graph.warnings.size(), 1u);
  EXPECT_THAT(graph.warnings[0], HasSubstr("\"z\""));
}

//===----------------------------------------------------------------------===//
// P48: graphs that are wrong
//===----------------------------------------------------------------------===//

TEST(ModelGraphTest, P48UnknownKind) {
  EXPECT_THAT(
      complainAbout(withLayers(R"({"name": "c", "kind": "convolve3"})")),
      HasSubstr("layer \"c\": unknown kind \"convolve3\""));
}

TEST(ModelGraphTest, P48Cycle) {
  EXPECT_THAT(complainAbout(withLayers(R"(
{"name": "a", "kind": "relu", "input": "b"},
{"name": "b", "kind": "relu", "input": "a"})")),
              HasSubstr("layer \"a\": cycle: a reads b reads a"));
  EXPECT_THAT(complainAbout(
                  withLayers(R"({"name": "a", "kind": "relu", "input": "a"})")),
              HasSubstr("cycle: a reads a"));
}

TEST(ModelGraphTest, P48ShapesOfAMatrixProduct) {
  EXPECT_THAT(complainAbout(withLayers(R"(
{"name": "p", "kind": "parameter", "shape": [2, 3]},
{"name": "q", "kind": "parameter", "shape": [4, 5]},
{"name": "y", "kind": "matmul", "input": "p", "with": "q"})")),
              HasSubstr("layer \"y\": multiplies \"p\" [2, 3] by \"q\" [4, 5]: "
                        "3 columns meet 4 rows"));
}

TEST(ModelGraphTest, P48TiedWeightOfAnotherShape) {
  EXPECT_THAT(complainAbout(withLayers(R"(
{"name": "a", "kind": "linear", "width": 3},
{"name": "b", "kind": "linear", "width": 5, "weight": "a.weight"})")),
              HasSubstr("layer \"b\": weight \"a.weight\" has shape [3, 2], "
                        "width and input \"a\" [batch, 3] need [5, 3]"));
}

TEST(ModelGraphTest, P48RepeatedName) {
  EXPECT_THAT(complainAbout(withLayers(R"({"name": "fc1", "kind": "relu"},
{"name": "fc1", "kind": "relu"})")),
              StartsWith("m.json:6:1: error: two values are named \"fc1\": two "
                         "layers, first on line 5"));
}

TEST(ModelGraphTest, P48MissingTensor) {
  EXPECT_THAT(
      complainAbout(withLayers(R"({"name": "h1", "kind": "relu"},
{"name": "y", "kind": "relu", "input": "h9"})")),
      HasSubstr("layer \"y\": nobody writes \"h9\"; did you mean \"h1\""));
}

TEST(ModelGraphTest, P48NoLoss) {
  EXPECT_THAT(
      complainAbout(withGraph(R"("layers": [{"name": "a", "kind": "relu"}])")),
      HasSubstr("model \"m\" has no loss"));
}

TEST(ModelGraphTest, P48LossThatIsNoScalar) {
  EXPECT_THAT(complainAbout(withGraph(R"("layers": [],
"loss": {"kind": "cross_entropy", "input": "x", "target": "label",
         "reduction": "none"})")),
              HasSubstr("reduction none leaves shape [7], expected a scalar"));
}

TEST(ModelGraphTest, P48FloatLabels) {
  EXPECT_THAT(complainAbout(withGraph(R"("layers": [],
"loss": {"kind": "cross_entropy", "input": "x", "target": "x"})")),
              HasSubstr("target \"x\" is f32, expected class ids of type i32"));
}

TEST(ModelGraphTest, P48ParameterThatIsAnInput) {
  EXPECT_THAT(complainAbout(withLayers(
                  R"({"name": "x", "kind": "parameter", "shape": [2]})")),
              HasSubstr("parameter \"x\" is also an input"));
}

TEST(ModelGraphTest, P48IntegerInputOfALayer) {
  EXPECT_THAT(complainAbout(withLayers(
                  R"({"name": "a", "kind": "relu", "input": "label"})")),
              HasSubstr("layer \"a\": input \"label\" is i32, expected f32"));
}

//===----------------------------------------------------------------------===//
// P49: numbers in shapes
//===----------------------------------------------------------------------===//

std::string complainAboutShape(const std::string &shape) {
  return complainAbout(withLayers(
      R"({"name": "p", "kind": "parameter", "shape": )" + shape + "}"));
}

TEST(ModelGraphTest, P49Negative) {
  EXPECT_THAT(complainAboutShape("[3, -1]"),
              HasSubstr("parameter \"p\" has shape [3, -1]: -1 is negative"));
}

TEST(ModelGraphTest, P49Overflow) {
  for (const char *shape :
       {"[4294967296, 4294967296]", "[3037000500, 3037000500]"})
    EXPECT_THAT(complainAboutShape(shape),
                HasSubstr(std::string("parameter \"p\" has shape ") + shape +
                          ": its bytes overflow 64 bits"));
}

TEST(ModelGraphTest, P49FourGiBAreNoOverflow) {
  EXPECT_EQ(complainAbout(withGraph(R"("layers": [
{"name": "p", "kind": "parameter", "shape": [65536, 65536]}],
"loss": {"kind": "sum", "input": "p"})")),
            "");
}

TEST(ModelGraphTest, P49Zero) {
  EXPECT_THAT(complainAboutShape("[4, 0]"),
              HasSubstr("a dimension of 0 makes it empty"));
  EXPECT_THAT(complainAbout(
                  withLayers(R"({"name": "a", "kind": "linear", "width": 0})")),
              HasSubstr("width is 0, expected at least 1"));
}

TEST(ModelGraphTest, P49Rank) {
  std::string shape = "[1";
  for (int i = 1; i < 300; ++i)
    shape += ", 1";
  EXPECT_THAT(complainAboutShape(shape + "]"),
              HasSubstr("parameter \"p\" has rank 300, at most 8"));
}

TEST(ModelGraphTest, P49WidthsAreMultipliedWithCare) {
  EXPECT_THAT(
      complainAbout(withLayers(
          R"({"name": "a", "kind": "linear", "width": 9223372036854775807})")),
      HasSubstr("parameter \"a.weight\" has shape "
                "[9223372036854775807, 2]: its bytes overflow"));
}

TEST(ModelGraphTest, RepeatsAreBounded) {
  EXPECT_THAT(
      complainAbout(withLayers(
          R"({"name": "h", "kind": "block", "repeat": 4611686018427387904,
 "layers": [{"name": "r", "kind": "relu"}]})")),
      HasSubstr("more than 100000 layers"));
  EXPECT_THAT(complainAbout(withLayers(
                  R"({"name": "h", "kind": "block", "repeat": 0,
 "layers": [{"name": "r", "kind": "relu"}]})")),
              HasSubstr("repeat is 0, expected at least 1"));
}

TEST(ModelGraphTest, StagesRiseWithoutGaps) {
  auto complain = [](const std::string &first, const std::string &second,
                     const std::string &pp) {
    return complainAbout(withLayers(R"({"name": "a", "kind": "relu")" + first +
                                    R"(}, {"name": "b", "kind": "relu")" +
                                    second + "}"),
                         {"plan.pp=" + pp});
  };
  EXPECT_THAT(complain(R"(, "stage": 1)", R"(, "stage": 0)", "2"),
              HasSubstr("layer \"b\" on stage 0 reads \"a\" of stage 1"));
  EXPECT_THAT(complain(R"(, "stage": 0)", R"(, "stage": 2)", "3"),
              HasSubstr("stage 1 has no layer, but stage 2 has"));
  EXPECT_THAT(complain("", R"(, "stage": 0)", "1"),
              HasSubstr("layer \"a\": stage is missing; layer \"b\" has one"));
}

TEST(ModelGraphTest, ElementwiseOperandsMustFit) {
  EXPECT_THAT(complainAbout(withLayers(R"(
{"name": "w", "kind": "parameter", "shape": [3]},
{"name": "y", "kind": "add", "with": "w"})")),
              HasSubstr("layer \"y\": \"x\" [batch, 2] with \"w\" [3]"));
}

TEST(ModelGraphTest, SlicesStayInside) {
  EXPECT_THAT(complainAbout(withLayers(
                  R"({"name": "s", "kind": "slice", "begin": 1, "end": 3})")),
              HasSubstr("takes [1, 3) of \"x\" [batch, 2]"));
}

TEST(ModelGraphTest, DropoutKeepsSomething) {
  EXPECT_THAT(
      complainAbout(withLayers(R"({"name": "d", "kind": "dropout", "p": 1})")),
      HasSubstr("expected 0 <= p < 1"));
}

} // namespace
} // namespace mlir::dtc
