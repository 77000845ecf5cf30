//===- LayerOrder.h - Layers after what they read -------------*- C++ -*-===//
//
// Layers may be written in any order; a cycle among them is what no order
// helps.
//
//===--------------------------------------------------------------------===//

#ifndef DTC_FRONTEND_LAYERORDER_H
#define DTC_FRONTEND_LAYERORDER_H

#include "frontend/ModelGraph.h"

namespace mlir::dtc {

/// Fills `graph.layers` with `written` (result of the i-th is value inputCount
/// + i), each after what it reads, otherwise as they were written.
///
/// Errors:  a cycle, with the layers on it.
llvm::Error orderLayers(const ModelFile &file,
                        llvm::ArrayRef<GraphLayer> written, ModelGraph &graph);

/// Checks that stages are given for all layers of `graph` or for none, without
/// a gap, and rise along the graph.
llvm::Error checkStages(const ModelFile &file, const ModelGraph &graph);

} // namespace mlir::dtc

#endif // DTC_FRONTEND_LAYERORDER_H
