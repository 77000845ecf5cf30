//===- TailBuckets.h - One tail op for all members of a bucket --*- C++ -*-===//
//
// The tail as optimize-step writes it has one chain of ops for each parameter.
// In a bucket the chains of all members become one.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_TAILBUCKETS_H
#define DTC_PASSES_TAILBUCKETS_H

#include "passes/BucketPlan.h"

namespace mlir::dtc {

/// Replaces the variables of `buckets` in `function`: reads become views of a
/// read bucket, and the chains of the tail (ops of phase update that use a
/// member's gradient, state or value) one chain for each bucket, from its
/// packed and reduced gradient on. The merged ops are not laid out yet.
LogicalResult mergeTail(func::FuncOp function, MutableArrayRef<Bucket> buckets,
                        const llvm::StringMap<BucketPlace> &places);

} // namespace mlir::dtc

#endif // DTC_PASSES_TAILBUCKETS_H
