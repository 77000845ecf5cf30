//===- ResidualStream.h - Which linear layers tensor ranks share -*- C++
//-*-===//
//
// Tensor parallelism splits linear layers in pairs, so that one sum a pair is
// the only communication. Which layers pair follows from the residual stream,
// and that is plainest where layers are still layers.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_FRONTEND_RESIDUALSTREAM_H
#define DTC_FRONTEND_RESIDUALSTREAM_H

#include "frontend/ModelGraph.h"

namespace mlir::dtc {

/// What tensor parallelism has to know of a model.
struct ResidualStream {
  /// By value: it is added to, or made by adding to, what flows through.
  std::vector<bool> isResidual;
  /// By layer of ModelGraph::layers; `automatic` for what is not linear.
  std::vector<::dtc::model::Split> splits;
};

/// Finds the residual stream of `graph` and how each linear layer is split: as
/// its field `tp` says, otherwise
///
///   - the head of a cross entropy by columns, that is by classes;
///   - of two layers with nothing but relu and dropout between them, where no
///     one else reads, the first by columns and the second by rows: between two
///     values of the residual stream, and in a model without one, in order;
///   - others not at all.
ResidualStream findResidualStream(const ModelGraph &graph);

} // namespace mlir::dtc

#endif // DTC_FRONTEND_RESIDUALSTREAM_H
