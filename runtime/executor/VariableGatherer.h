//===- VariableGatherer.h - Global tensors from the parts of ranks
//---------===//
//
// Puts the parts that ranks hold of each variable together again. Ranks that
// hold the same element must hold the same bits: that is checked here, and a
// difference is an error with the element and both ranks. scatterVariables() is
// the way back. Names do not depend on the plan, so what one plan's ranks gave
// another plan's ranks take.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_EXECUTOR_VARIABLEGATHERER_H
#define DTC_RUNTIME_EXECUTOR_VARIABLEGATHERER_H

#include "runtime/executor/Executor.h"

#include <map>
#include <mutex>

namespace dtc::rt {

/// One whole variable or bucket member. Elements in row-major order.
struct GatheredTensor {
  std::vector<int64_t> shape;
  DType dtype = DType::kF32;
  std::vector<double> elements;
  std::vector<int32_t> owner; ///< the rank that gave an element, -1: none yet
};

class VariableGatherer {
public:
  /// Adds all variables of a rank. Thread-safe.
  ///
  /// Errors:  kInternal where two ranks hold different bits of an element.
  Status add(const Executor &executor, int32_t rank);

  /// By name; a member of a bucket by its own: `up.weight`, `up.weight.m`.
  const std::map<std::string, GatheredTensor> &tensors() const {
    return gathered;
  }

  /// Every element was given by some rank.
  Status checkComplete() const;

private:
  std::mutex mutex;
  std::map<std::string, GatheredTensor> gathered;
};

/// Writes whole tensors into the parts that this rank holds of its variables.
/// Pads stay as they are.
///
/// Errors:  kInvalidArgument naming a variable without a tensor, or both
///          shapes and types where they differ.
Status scatterVariables(Executor &executor,
                        const std::map<std::string, GatheredTensor> &tensors);

} // namespace dtc::rt

#endif // DTC_RUNTIME_EXECUTOR_VARIABLEGATHERER_H
