//===- ResidualStreamTest.cpp - Which linear layers tensor ranks share
//-------===//
//
// Pairs as Megatron has them, with and without a residual stream.
//
//===----------------------------------------------------------------------===//

#include "tests/frontend/ModelTexts.h"

#include "frontend/ResidualStream.h"

#include <gtest/gtest.h>

namespace mlir::dtc {
namespace {

/// `up:column down:row`, linear layers only.
std::string describeSplits(const std::string &text) {
  ModelFile file = readModel(text);
  ModelGraph graph = llvm::cantFail(buildModelGraph(file, 7));
  ResidualStream stream = findResidualStream(graph);
  std::string result;
  for (size_t i = 0; i < graph.layers.size(); ++i)
    if (*graph.layers[i].layer->kind() == ::dtc::model::LayerKind::linear)
      result += (result.empty() ? "" : " ") + graph.layers[i].name + ":" +
                EnumNameSplit(stream.splits[i]);
  return result;
}

std::string makeClassifier(const std::string &layers) {
  return withGraph(
      "\"layers\": [" + layers +
      R"(], "loss": {"kind": "cross_entropy", "target": "label"})");
}

TEST(ResidualStreamTest, BetweenTwoValuesOfTheStreamTheFirstIsByColumns) {
  EXPECT_EQ(describeSplits(makeClassifier(R"(
{"name": "in", "kind": "linear", "width": 4, "activation": "relu"},
{"name": "up", "kind": "linear", "width": 5, "activation": "relu"},
{"name": "drop", "kind": "dropout", "p": 0.5},
{"name": "down", "kind": "linear", "width": 4, "add": "in"},
{"name": "head", "kind": "linear", "width": 3})")),
            "in:whole up:column down:row head:column");
}

TEST(ResidualStreamTest, WithoutAStreamLayersPairInOrder) {
  EXPECT_EQ(describeSplits(makeClassifier(R"(
{"name": "a", "kind": "linear", "width": 4, "activation": "relu"},
{"name": "b", "kind": "linear", "width": 5, "activation": "relu"},
{"name": "c", "kind": "linear", "width": 6},
{"name": "head", "kind": "linear", "width": 3})")),
            "a:column b:row c:whole head:column");
}

TEST(ResidualStreamTest, TheFieldOfALayerOverrides) {
  EXPECT_EQ(describeSplits(makeClassifier(R"(
{"name": "a", "kind": "linear", "width": 4, "tp": "whole"},
{"name": "b", "kind": "linear", "width": 5},
{"name": "head", "kind": "linear", "width": 3, "tp": "row"})")),
            "a:whole b:whole head:row");
}

TEST(ResidualStreamTest, AValueReadTwiceIsNotSplit) {
  EXPECT_EQ(describeSplits(makeClassifier(R"(
{"name": "a", "kind": "linear", "width": 4},
{"name": "b", "kind": "linear", "width": 4, "input": "a"},
{"name": "y", "kind": "mul", "input": "a", "with": "b"},
{"name": "head", "kind": "linear", "width": 3})")),
            "a:whole b:whole head:column");
}

} // namespace
} // namespace mlir::dtc
