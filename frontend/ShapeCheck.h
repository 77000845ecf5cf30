//===- ShapeCheck.h - Shapes of a model, in the user's names --*- C++ -*-===//
//
// Second half of buildModelGraph. Sizes come from outside and are multiplied,
// so every product is checked before it is made, and nothing is allocated.
//
//===--------------------------------------------------------------------===//

#ifndef DTC_FRONTEND_SHAPECHECK_H
#define DTC_FRONTEND_SHAPECHECK_H

#include "frontend/ModelGraph.h"

namespace mlir::dtc {

/// Infers the shapes of all values and parameters of `graph`, whose names are
/// resolved, and checks that each layer and the loss can take its operands.
llvm::Error checkShapes(const ModelFile &file, int64_t batch,
                        ModelGraph &graph);

} // namespace mlir::dtc

#endif // DTC_FRONTEND_SHAPECHECK_H
