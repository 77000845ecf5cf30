//===- OpChecks.h - Comparisons that verifiers share ----------*- C++ -*-===//
//
// Constraints speak of global shapes, whatever phase the types are in, so that
// one verifier holds before layouts, with them, and after partition.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_OPCHECKS_H
#define DTC_IR_OPCHECKS_H

#include "ir/LayoutMath.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::dtc {

/// Global shape and element type, as `7x4xf32`; what most constraints compare.
std::string describeTensor(Type type);
std::string describeShape(ArrayRef<int64_t> shape);

inline ArrayRef<int64_t> getShapeOf(Value value) {
  return getGlobalShape(value.getType());
}

inline bool hasSameShape(Value a, Value b) {
  return getShapeOf(a) == getShapeOf(b);
}

inline bool hasSameElementType(Value a, Value b) {
  return getElementTypeOrSelf(a) == getElementTypeOrSelf(b);
}

/// One global tensor type, up to the encoding.
inline bool isSameTensor(Value a, Value b) {
  return hasSameShape(a, b) && hasSameElementType(a, b);
}

/// A rank-0 tensor of `elementType`.
inline bool isScalarOf(Value value, Type elementType) {
  return getShapeOf(value).empty() &&
         getElementTypeOrSelf(value) == elementType;
}

/// Fails with "C<n>: <name> is 7x4xf32, expected 7x5xf32" where `value` is not
/// a tensor of that shape and element type.
LogicalResult expectTensor(Operation *op, unsigned constraint, StringRef name,
                           Value value, ArrayRef<int64_t> shape,
                           Type elementType);

/// `terms` of an n-ary op: an array of contribution names for each of `count`
/// operands, no name twice where they must be disjoint.
LogicalResult verifyTerms(Operation *op, ArrayAttr terms, size_t count,
                          bool mustBeDisjoint);

} // namespace mlir::dtc

#endif // DTC_IR_OPCHECKS_H
