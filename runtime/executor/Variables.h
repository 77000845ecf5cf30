//===- Variables.h - Initial values of a rank's variables
//------------------===//
//
// A weight is a function of seed, name and logical index, so each rank fills
// its own part and no rank sends any.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_EXECUTOR_VARIABLES_H
#define DTC_RUNTIME_EXECUTOR_VARIABLES_H

#include "runtime/instructions/Instruction.h"

#include <functional>
#include <string>
#include <vector>

namespace dtc::rt {

/// A parameter as it lies in a variable: the variable itself, or a member of a
/// bucket, whose elements a rank's shard may hold in part.
struct VariablePart {
  std::string name;
  const program::Initializer *init = nullptr;
  std::vector<int64_t> globalShape;
  const program::Layout *layout = nullptr; ///< without the bucket's shard
  int64_t first = 0;     ///< element of the packed variable where it begins
  bool isPacked = false; ///< a member of a bucket
};

/// The parts of a variable, in the order of its elements.
std::vector<VariablePart> getParts(const PrepareContext &context,
                                   const program::Variable &variable,
                                   const ValueRef &value);

/// Calls `visit(local, global)` for each element of `part` that this rank's
/// value holds: `local` counts elements of the value, `global` those of the
/// part's global tensor. Pads are left out.
void forEachElement(
    const PrepareContext &context, const ValueRef &value,
    const VariablePart &part,
    const std::function<void(int64_t local, int64_t global)> &visit);

/// Calls `visit` for each part of each variable that the rank's stage holds,
/// until one fails.
Status forEachPart(
    const PrepareContext &context,
    const std::function<Status(const ValueRef &value, const VariablePart &part)>
        &visit);

/// Fills all variables of the rank's stage in `arena`; pads become zero.
///
/// Errors:  kInvalidArgument with the variable, the file and both shapes.
Status fillVariables(const PrepareContext &context, std::byte *arena);

} // namespace dtc::rt

#endif // DTC_RUNTIME_EXECUTOR_VARIABLES_H
