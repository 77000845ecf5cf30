//===- Reduce.h - Join the elements of several ranks ----------------------===//
//
// Host arithmetic of collectives. The order of a sum is that of the sources,
// whatever buffer the result goes to: this is what makes replicas bit-equal.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_COMM_REDUCE_H
#define DTC_RUNTIME_COMM_REDUCE_H

#include "runtime/comm/Communicator.h"

namespace dtc::rt {

/// Tells whether `kind` is defined for `dtype`: or is for integers.
constexpr bool canReduce(DType dtype, ReductionKind kind) {
  return kind != ReductionKind::kOr || !isFloat(dtype);
}

/// The buffers to join, in order.
struct ReduceSources {
  const void *const *pointers;
  int count;
};

/// Reduces elements [first, first + elementCount) of the sources, in their
/// order; element `first` goes to the start of `destination`.
///
/// Shapes:  destination may be one of the places read; no other overlap.
/// Units:   first and elementCount count elements.
/// Errors:  none; canReduce() must hold.
void reduceElements(ReduceSources sources, int64_t first, void *destination,
                    int64_t elementCount, DType dtype, ReductionKind kind);

} // namespace dtc::rt

#endif // DTC_RUNTIME_COMM_REDUCE_H
