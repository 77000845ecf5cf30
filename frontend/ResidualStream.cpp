//===- ResidualStream.cpp - Which linear layers tensor ranks share
//---------===//
//
// A pair starts where a whole value is read and ends where the sum over the
// split dimension is taken; relu and dropout between the two work on a split
// dimension as it is.
// Source: Shoeybi et al. 2019 (Megatron-LM), section 3.
//
//===----------------------------------------------------------------------===//

#include "frontend/ResidualStream.h"

#include "llvm/ADT/STLExtras.h"

namespace mlir::dtc {
namespace {

using ::dtc::model::LayerKind;
using ::dtc::model::LossKind;
using ::dtc::model::Split;

LayerKind kindOf(const GraphLayer &layer) { return *layer.layer->kind(); }

class StreamFinder {
public:
  explicit StreamFinder(const ModelGraph &graph)
      : graph(graph), writers(graph.values.size(), -1),
        readers(graph.values.size(), 0) {}

  ResidualStream run();

private:
  void countReaders();
  void markResiduals();
  int findPartner(int layer) const;
  bool isAutomatic(int layer) const {
    return graph.layers[layer].layer->tp() == Split::automatic;
  }

  const ModelGraph &graph;
  std::vector<int> writers; ///< layer that makes a value, -1 for inputs
  std::vector<int> readers; ///< how many read a value
  ResidualStream stream;
};

void StreamFinder::countReaders() {
  auto read = [&](int value) {
    if (value >= 0)
      ++readers[value];
  };
  for (auto [i, layer] : llvm::enumerate(graph.layers)) {
    writers[layer.result] = i;
    for (int value : {layer.input, layer.with, layer.add})
      read(value);
  }
  read(graph.loss.input);
  read(graph.loss.target);
  for (const GraphLossTerm &term : graph.loss.terms)
    read(term.value);
}

void StreamFinder::markResiduals() {
  stream.isResidual.assign(graph.values.size(), false);
  for (const GraphLayer &layer : graph.layers) {
    if (layer.add >= 0) {
      stream.isResidual[layer.add] = true;
      stream.isResidual[layer.result] = true;
    }
    if (kindOf(layer) != LayerKind::add ||
        !graph.values[layer.input].isBatched ||
        !graph.values[layer.with].isBatched)
      continue;
    for (int value : {layer.input, layer.with, layer.result})
      stream.isResidual[value] = true;
  }
}

/// The linear layer whose only way to a reader is linear layer `last`: through
/// relu and dropout alone. -1 where there is none.
int StreamFinder::findPartner(int last) const {
  int value = graph.layers[last].input;
  while (true) {
    int writer = writers[value];
    if (writer < 0 || readers[value] != 1 || stream.isResidual[value])
      return -1;
    LayerKind kind = kindOf(graph.layers[writer]);
    if (kind == LayerKind::linear)
      return writer;
    if (kind != LayerKind::relu && kind != LayerKind::dropout)
      return -1;
    value = graph.layers[writer].input;
  }
}

ResidualStream StreamFinder::run() {
  countReaders();
  markResiduals();
  stream.splits.assign(graph.layers.size(), Split::automatic);
  bool hasStream = llvm::is_contained(stream.isResidual, true);
  for (int i = 0; i < static_cast<int>(graph.layers.size()); ++i) {
    const GraphLayer &layer = graph.layers[i];
    if (kindOf(layer) != LayerKind::linear)
      continue;
    stream.splits[i] = Split::whole;
    if (!isAutomatic(i)) {
      stream.splits[i] = layer.layer->tp();
      continue;
    }
    if (graph.loss.kind == LossKind::cross_entropy &&
        layer.result == graph.loss.input) {
      stream.splits[i] = Split::column;
      continue;
    }
    int partner = findPartner(i);
    if (partner < 0 || !isAutomatic(partner) ||
        stream.splits[partner] != Split::whole)
      continue;
    bool isBetween = stream.isResidual[graph.layers[partner].input] &&
                     stream.isResidual[layer.result];
    if (hasStream && !isBetween)
      continue;
    stream.splits[partner] = Split::column;
    stream.splits[i] = Split::row;
  }
  return stream;
}

} // namespace

ResidualStream findResidualStream(const ModelGraph &graph) {
  return StreamFinder(graph).run();
}

} // namespace mlir::dtc
