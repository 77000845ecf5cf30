//===- LayerNames.h - Blocks repeated, names resolved ---------*- C++ -*-===//
//
// First half of buildModelGraph: from nested blocks and names to a flat list of
// layers whose operands are indices. Shapes are not looked at.
//
//===--------------------------------------------------------------------===//

#ifndef DTC_FRONTEND_LAYERNAMES_H
#define DTC_FRONTEND_LAYERNAMES_H

#include "frontend/ModelGraph.h"

namespace mlir::dtc {

/// Fills inputs, layers (ordered so that operands come first), parameters
/// (without shapes) and the names of `graph.values`, and the loss's values.
llvm::Error resolveNames(const ModelFile &file, ModelGraph &graph);

} // namespace mlir::dtc

#endif // DTC_FRONTEND_LAYERNAMES_H
