//===- UpdateFunctions.h - One element of an optimizer's update -*- C++ -*-===//
//
// What the multi-tensor template needs to know of the ops that update a
// variable or bucket segment by segment.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_CODEGEN_KERNELS_UPDATEFUNCTIONS_H
#define DTC_CODEGEN_KERNELS_UPDATEFUNCTIONS_H

#include "codegen/kernels/KernelScope.h"

namespace mlir::dtc {

/// True for ops that update a variable (sgd, adamw).
bool isOptimizerUpdate(Operation *op);

/// Elements of each segment of the whole bucket, in order.
ArrayRef<int64_t> getSegmentLengths(Operation *op);

/// New elements of the op's results at `at`, for `scope.segment`.
SmallVector<Value> buildUpdate(KernelScope &scope, Operation *op,
                               ValueRange at);

} // namespace mlir::dtc

#endif // DTC_CODEGEN_KERNELS_UPDATEFUNCTIONS_H
