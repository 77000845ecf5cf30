//===- PrepareContext.cpp - What is known when a program is prepared ------===//
//
// Looks up by id, with an error in place of an assumption.
//
//===----------------------------------------------------------------------===//

#include "runtime/instructions/Instruction.h"

#include "runtime/program/Program.h"

#include <algorithm>

namespace dtc::rt {

Result<ValueRef> PrepareContext::value(uint32_t id) const {
  if (id >= stage.values()->size())
    return Status::invalidProgram() << "value " << id << " of a stage with "
                                    << stage.values()->size() << " values";
  ValueRef ref;
  ref.value = stage.values()->Get(id);
  ref.id = id;
  const program::Place &place = *ref.value->place();
  ref.offset = static_cast<int64_t>(place.offset());
  ref.slots = static_cast<int64_t>(place.slots());
  ref.slotStride = static_cast<int64_t>(place.slot_stride());
  ref.microBatchStride = static_cast<int64_t>(place.micro_batch_stride());
  ref.placeBytes = static_cast<int64_t>(place.bytes());
  ref.elementCount = localElementCount(*ref.value);
  ref.dtype = toDType(ref.value->dtype());
  return ref;
}

Result<GroupHandle> PrepareContext::group(const std::vector<int> &axes,
                                          const ValueRef &reduced) {
  for (int axis : axes)
    if (axis < 0 || axis >= kMb)
      return Status::invalidProgram()
             << "a collective over axis " << axis << ", expected pp, dp or tp";
  const program::AxisState &state = *layout(reduced).axes()->Get(kPp);
  uint64_t stages = state.kind() == program::AxisKind::Replicated
                        ? kAllStages
                        : state.stages();
  if (!(stages >> coordinates[kPp] & 1))
    return Status::invalidProgram()
           << "a collective of " << reduced.value->name()->str()
           << ", which stage " << coordinates[kPp] << " has no part of";
  return communicator->openGroup(mesh.group(coordinates, axes, stages));
}

int PrepareContext::metricIndex(const std::string &name) {
  auto found = std::find(metrics.begin(), metrics.end(), name);
  if (found == metrics.end())
    found = metrics.insert(found, name);
  return static_cast<int>(found - metrics.begin());
}

Result<int32_t> PrepareContext::peer(uint32_t stageIndex) const {
  if (stageIndex >= static_cast<uint64_t>(mesh.parts(kPp)))
    return Status::invalidProgram()
           << "stage " << stageIndex << " of " << mesh.parts(kPp) << " stages";
  Coordinates other = coordinates;
  other[kPp] = stageIndex;
  return mesh.rank(other);
}

} // namespace dtc::rt
