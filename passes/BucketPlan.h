//===- BucketPlan.h - Which parameters share a bucket -----------*- C++ -*-===//
//
// Parameters that lie alike are reduced, updated and gathered together. This
// unit says which, in which order, how long their bucket is, and makes its
// variables.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_BUCKETPLAN_H
#define DTC_PASSES_BUCKETPLAN_H

#include "ir/DtcOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/StringMap.h"

namespace mlir::dtc {

/// A parameter in a bucket, and its gradient in the step.
struct BucketMember {
  VariableOp variable;
  Value gradient;
  int64_t elements = 0; ///< that one coordinate of the split axes packs
};

/// Parameters of one placement, in the order of the variable table.
struct Bucket {
  std::string name; ///< `b0.whole`: stages, then how tp splits the parameters
  SmallVector<BucketMember> members;
  LayoutAttr layout;   ///< of the whole bucket: R over dp, X where split
  VariableOp variable; ///< made by createBucketVariables
  SmallVector<VariableOp> states; ///< m, v or momentum, of the shard over dp

  RankedTensorType getType() const;      ///< the whole bucket
  RankedTensorType getShardType() const; ///< S(0) over dp
  uint64_t getStageSet() const { return getStages(layout); }
};

/// Where a variable went: its bucket, and its place among the members.
struct BucketPlace {
  Bucket *bucket = nullptr;
  size_t position = 0;
  int state = -1; ///< of the bucket's states; -1: the parameter itself
};

/// Buckets of all parameters that have a gradient in `step`, by the order of
/// their first members. Key: stages, then over tp split, whole, or whole with a
/// partial gradient, then dtype.
std::vector<Bucket> planBuckets(ModuleOp module, func::FuncOp step);

/// Declares each bucket and its states before its first member, and says where
/// each variable went. The members' variables stay until they have no users.
llvm::StringMap<BucketPlace>
createBucketVariables(ModuleOp module, MutableArrayRef<Bucket> buckets);

} // namespace mlir::dtc

#endif // DTC_PASSES_BUCKETPLAN_H
