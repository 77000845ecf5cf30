//===- LossCheck.h - Whether a loss can take its operands -----*- C++ -*-===//
//
// The last part of checkShapes.
//
//===--------------------------------------------------------------------===//

#ifndef DTC_FRONTEND_LOSSCHECK_H
#define DTC_FRONTEND_LOSSCHECK_H

#include "frontend/ModelGraph.h"

namespace mlir::dtc {

/// Checks shapes and types of what the loss of `graph` reads, and that it is a
/// scalar; sets `isMean`.
llvm::Error checkLoss(const ModelFile &file, int64_t batch, ModelGraph &graph);

} // namespace mlir::dtc

#endif // DTC_FRONTEND_LOSSCHECK_H
