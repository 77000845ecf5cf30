//===- ModelGraph.h - A model with its names resolved ---------*- C++ -*-===//
//
// The model file says what a user has in mind: blocks that repeat, names for
// values, sizes left out where they follow. This is the same model with nothing
// left out: every layer once, in an order in which it can be computed, with the
// values it reads and the shapes they have. The importer only writes it down.
//
//===--------------------------------------------------------------------===//

#ifndef DTC_FRONTEND_MODELGRAPH_H
#define DTC_FRONTEND_MODELGRAPH_H

#include "frontend/ModelFile.h"

#include "llvm/ADT/SmallVector.h"

namespace mlir::dtc {

/// Most dimensions that a tensor may have, the batch included.
inline constexpr size_t kMaxRank = 8;
/// Most layers that a model may have once its blocks are repeated.
inline constexpr int64_t kMaxLayers = 100000;

/// A tensor of the graph, by the name a user knows it by.
struct GraphValue {
  std::string name;
  bool isBatched = false; ///< has the samples of the step in front of `shape`
  bool isInteger = false;
  llvm::SmallVector<int64_t, 4> shape;
};

/// A trained tensor.
struct GraphParameter {
  std::string name;
  std::string path; ///< of the layer that owns it, as in `layers[2]`
  llvm::SmallVector<int64_t, 4> shape;
  bool isBias = false;
  const ::dtc::model::Init *init = nullptr; ///< null: the default of its kind
  double decay = 0.0;
  double rate = 1.0;
  bool isFrozen = false;
};

/// A layer, its operands as indices into ModelGraph::values (-1: none).
struct GraphLayer {
  const ::dtc::model::Layer *layer = nullptr;
  std::string name; ///< `h.3.fc`
  std::string path; ///< `layers[1].layers[0]`
  int input = -1;
  int with = -1;
  int add = -1;
  int result = -1;
  int weight = -1; ///< into ModelGraph::parameters; also a parameter layer's
  int bias = -1;
  int stage = -1; ///< its own or that of the nearest block that has one
};

/// One addend of a linear loss.
struct GraphLossTerm {
  int value = -1;
  llvm::SmallVector<double, 4> coefficients; ///< empty: all 1
};

struct GraphLoss {
  ::dtc::model::LossKind kind = ::dtc::model::LossKind::mean;
  int input = -1;
  int target = -1;
  int64_t ignore = -100;
  bool isMean = true;
  llvm::SmallVector<GraphLossTerm, 1> terms; ///< of a linear loss
};

struct ModelGraph {
  std::vector<GraphValue> values; ///< the inputs, then each layer's result
  size_t inputCount = 0;
  std::vector<GraphParameter> parameters; ///< in the order of the layers
  std::vector<GraphLayer> layers;         ///< in an order of computation
  GraphLoss loss;
  std::vector<std::string> warnings;
};

/// Resolves the graph of `file` and infers all shapes.
///
/// Units:   `batch` is the number of samples of a step, over all ranks.
/// Errors:  with the layer's name and place: an unknown, missing or repeated
///          name, a cycle, shapes that do not fit, sizes that are negative,
///          zero or overflow, no loss, a loss that is not a scalar.
llvm::Expected<ModelGraph> buildModelGraph(const ModelFile &file,
                                           int64_t batch);

/// Returns `[2, 3]`.
std::string printShape(llvm::ArrayRef<int64_t> shape);

/// Returns `[batch, 2, 3]`, or without `batch` for what has none.
std::string printShape(const GraphValue &value);

} // namespace mlir::dtc

#endif // DTC_FRONTEND_MODELGRAPH_H
