//===- LayerOrder.cpp - Layers after what they read
//------------------------===//
//
// Kahn's algorithm, taking the earliest written layer that is ready, so that a
// file written in order gives a graph in that order.
//
//===----------------------------------------------------------------------===//

#include "frontend/LayerOrder.h"

#include "llvm/ADT/STLExtras.h"

#include <queue>
#include <set>

namespace mlir::dtc {
namespace {

/// Layers named in the message about a cycle before it is cut.
constexpr size_t kMaxCycleNames = 8;

/// Returns the operands of a layer that are results of layers, as indices.
llvm::SmallVector<int, 3> getLayerOperands(const GraphLayer &layer,
                                           size_t inputCount) {
  llvm::SmallVector<int, 3> operands;
  for (int value : {layer.input, layer.with, layer.add})
    if (value >= static_cast<int>(inputCount))
      operands.push_back(value - inputCount);
  return operands;
}

/// Follows unfinished operands from layer `at`: there are finitely many, so the
/// walk meets a layer twice, and from there on it is a cycle.
std::string describeCycle(llvm::ArrayRef<GraphLayer> layers, size_t inputCount,
                          const std::vector<bool> &done, int at) {
  std::vector<int> walk;
  std::vector<int> metAt(layers.size(), -1);
  while (metAt[at] < 0) {
    metAt[at] = walk.size();
    walk.push_back(at);
    for (int operand : getLayerOperands(layers[at], inputCount))
      if (!done[operand])
        at = operand;
  }
  llvm::ArrayRef<int> cycle = llvm::ArrayRef(walk).drop_front(metAt[at]);
  std::string text = layers[at].name;
  for (int step : cycle.drop_front().take_front(kMaxCycleNames))
    text += " reads " + layers[step].name;
  if (cycle.size() > kMaxCycleNames + 1)
    return text + " reads … (" + std::to_string(cycle.size()) + " layers)";
  return text + " reads " + layers[at].name;
}

} // namespace

llvm::Error orderLayers(const ModelFile &file,
                        llvm::ArrayRef<GraphLayer> written, ModelGraph &graph) {
  std::vector<std::vector<int>> users(written.size());
  std::vector<int> waiting(written.size(), 0);
  for (size_t i = 0; i < written.size(); ++i)
    for (int operand : getLayerOperands(written[i], graph.inputCount)) {
      users[operand].push_back(i);
      ++waiting[i];
    }
  std::priority_queue<int, std::vector<int>, std::greater<int>> ready;
  for (size_t i = 0; i < written.size(); ++i)
    if (waiting[i] == 0)
      ready.push(i);
  std::vector<bool> done(written.size(), false);
  while (!ready.empty()) {
    int next = ready.top();
    ready.pop();
    done[next] = true;
    graph.layers.push_back(written[next]);
    for (int user : users[next])
      if (--waiting[user] == 0)
        ready.push(user);
  }
  if (graph.layers.size() == written.size())
    return llvm::Error::success();
  int first = llvm::find(done, false) - done.begin();
  return file.error(written[first].path,
                    "layer \"" + written[first].name + "\": cycle: " +
                        describeCycle(written, graph.inputCount, done, first));
}

llvm::Error checkStages(const ModelFile &file, const ModelGraph &graph) {
  auto given = llvm::find_if(
      graph.layers, [](const GraphLayer &layer) { return layer.stage >= 0; });
  if (given == graph.layers.end())
    return llvm::Error::success();
  std::vector<const GraphLayer *> writers(graph.values.size(), nullptr);
  std::set<int> stages;
  for (const GraphLayer &layer : graph.layers) {
    stages.insert(layer.stage);
    if (layer.stage < 0)
      return file.error(layer.path, "layer \"" + layer.name + "\"" +
                                        ": stage is missing; layer \"" +
                                        given->name + "\" has one");
    writers[layer.result] = &layer;
    for (int value : {layer.input, layer.with, layer.add})
      if (value >= 0 && writers[value] && writers[value]->stage > layer.stage)
        return file.error(layer.path,
                          "layer \"" + layer.name + "\"" + " on stage " +
                              llvm::Twine(layer.stage) + " reads \"" +
                              writers[value]->name + "\" of stage " +
                              llvm::Twine(writers[value]->stage) +
                              "; stages rise along the graph");
  }
  int expected = 0;
  for (int stage : stages)
    if (stage != expected++)
      return file.error("layers", "stage " + llvm::Twine(expected - 1) +
                                      " has no layer, but stage " +
                                      llvm::Twine(stage) + " has");
  return llvm::Error::success();
}

} // namespace mlir::dtc
