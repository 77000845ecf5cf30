//===- ValidateProgram.cpp - Ids, enums and sizes of a program ------------===//
//
// Each check names the table, the index in it, what was found and the limit.
//
//===----------------------------------------------------------------------===//

#include "runtime/program/ValidateProgram.h"

#include "runtime/program/Mesh.h"
#include "runtime/program/Program.h"

namespace dtc::rt {
namespace {

constexpr uint64_t kMaxAxisParts = 1 << 20;
constexpr uint64_t kMaxRank = 8;
constexpr uint64_t kMaxElements = uint64_t(1) << 48;

/// A value from 0 to `limit` - 1, or an error naming it.
Status inRange(const std::string &what, uint64_t found, uint64_t limit) {
  if (found < limit)
    return Status::ok();
  return Status::invalidProgram()
         << what << " is " << found << ", there are " << limit;
}

Status checkAxes(const program::Program &program) {
  static const char *const names[] = {"pp", "dp", "tp", "mb"};
  if (program.axes()->size() != kMeshAxisCount)
    return Status::invalidProgram() << "the mesh has " << program.axes()->size()
                                    << " axes, expected " << kMeshAxisCount;
  uint64_t ranks = 1;
  for (int axis = 0; axis < kMeshAxisCount; ++axis) {
    const program::MeshAxis &entry = *program.axes()->Get(axis);
    if (entry.name()->str() != names[axis] || entry.parts() == 0 ||
        entry.parts() > kMaxAxisParts)
      return Status::invalidProgram()
             << "mesh axis " << axis << " is " << entry.name()->str() << "="
             << entry.parts() << ", expected " << names[axis] << " of 1 to "
             << kMaxAxisParts;
    if (axis != kMb)
      ranks *= entry.parts();
  }
  if (ranks > kMaxAxisParts)
    return Status::invalidProgram()
           << "the mesh has " << ranks << " ranks, at most " << kMaxAxisParts;
  return inRange("the number of stages without instruction lists",
                 program.axes()->Get(kPp)->parts() - program.stages()->size(),
                 1);
}

Status checkLayouts(const program::Program &program) {
  for (const program::Layout *layout : *program.layouts()) {
    if (layout->axes()->size() != kMeshAxisCount)
      return Status::invalidProgram()
             << "a layout has " << layout->axes()->size() << " axes, expected "
             << kMeshAxisCount;
    for (const program::AxisState *state : *layout->axes())
      if (state->kind() > program::AxisKind::MAX ||
          state->reduction() > program::ReductionKind::MAX)
        return Status::invalidProgram() << "a layout holds an unknown state";
  }
  return Status::ok();
}

/// Shape, element type and place of one value.
Status checkValue(const program::Program &program, const program::Stage &stage,
                  const program::Value &value) {
  if (value.dtype() > program::DType::MAX)
    return Status::invalidProgram() << "its element type is unknown";
  DTC_RETURN_IF_ERROR(
      inRange("its layout", value.layout(), program.layouts()->size()));
  uint64_t rank = value.local_shape() ? value.local_shape()->size() : 0;
  uint64_t globalRank = value.global_shape() ? value.global_shape()->size() : 0;
  if (rank != globalRank || rank > kMaxRank)
    return Status::invalidProgram()
           << "it has " << rank << " local and " << globalRank
           << " global dimensions, expected equally many, at most " << kMaxRank;
  uint64_t elements = 1;
  for (uint64_t dim = 0; dim < rank; ++dim) {
    uint64_t size = value.local_shape()->Get(dim);
    if (size > kMaxElements || value.global_shape()->Get(dim) > kMaxElements ||
        (size && elements > kMaxElements / size))
      return Status::invalidProgram() << "its shape overflows";
    elements *= size;
  }
  const program::Place &place = *value.place();
  uint64_t parts = program.axes()->Get(kMb)->parts();
  uint64_t slots = std::max<uint64_t>(place.slots(), 1);
  if (place.offset() > kMaxElements || place.bytes() > kMaxElements ||
      place.slot_stride() > kMaxElements / slots ||
      place.micro_batch_stride() > kMaxElements / parts)
    return Status::invalidProgram() << "its place overflows";
  uint64_t end = place.offset() + place.bytes() +
                 place.slot_stride() * (slots - 1) +
                 place.micro_batch_stride() * (parts - 1);
  uint64_t needed = elements * byteSize(toDType(value.dtype()));
  if (place.slots() == 0 || end > stage.arena_bytes() || place.bytes() < needed)
    return Status::invalidProgram()
           << "it needs " << needed << " bytes and lies at " << place.offset()
           << " with " << place.bytes() << " bytes in " << place.slots()
           << " slots, ending at " << end << " of an arena of "
           << stage.arena_bytes();
  return Status::ok();
}

Status checkSchedule(
    const program::Program &program, const program::Stage &stage,
    const flatbuffers::Vector<flatbuffers::Offset<program::Repeat>> *schedule) {
  if (!schedule)
    return Status::ok();
  uint64_t parts = program.axes()->Get(kMb)->parts();
  for (const program::Repeat *repeat : *schedule)
    for (const program::Call *call : *repeat->calls()) {
      DTC_RETURN_IF_ERROR(
          inRange("the task of a call", call->task(), stage.tasks()->size()));
      DTC_RETURN_IF_ERROR(inRange(
          "the last micro-batch of a call",
          uint64_t(call->first()) + std::max(repeat->count(), 1u) - 1, parts));
    }
  return Status::ok();
}

Status checkVariables(const program::Program &program) {
  for (const program::Variable *variable : *program.variables()) {
    std::string where = "variable " + variable->name()->str() + ": ";
    if (variable->role() > program::VariableRole::MAX)
      return Status::invalidProgram() << where << "its role is unknown";
    if (variable->values()->size() != program.stages()->size())
      return Status::invalidProgram()
             << where << "it has values for " << variable->values()->size()
             << " stages, expected " << program.stages()->size();
    for (size_t stage = 0; stage < program.stages()->size(); ++stage) {
      int32_t value = variable->values()->Get(stage);
      if (value >= 0)
        DTC_RETURN_IF_ERROR(
            inRange(where + "its value", value,
                    program.stages()->Get(stage)->values()->size()));
    }
    if (!variable->init() && !variable->members())
      return Status::invalidProgram()
             << where << "it has neither an initialiser nor members";
    if (variable->members())
      for (const program::Member *member : *variable->members())
        DTC_RETURN_IF_ERROR(inRange(where + "a member's layout",
                                    member->layout(),
                                    program.layouts()->size()));
  }
  return Status::ok();
}

} // namespace

Status validateProgram(const program::Program &program) {
  DTC_RETURN_IF_ERROR(checkAxes(program));
  DTC_RETURN_IF_ERROR(checkLayouts(program));
  for (size_t index = 0; index < program.stages()->size(); ++index) {
    const program::Stage &stage = *program.stages()->Get(index);
    std::string where = "stage " + std::to_string(index) + ": ";
    for (const program::Value *value : *stage.values())
      if (Status status = checkValue(program, stage, *value); !status.isOk())
        return std::move(status).at(where + "value " + value->name()->str());
    DTC_RETURN_IF_ERROR(checkSchedule(program, stage, stage.train()));
    DTC_RETURN_IF_ERROR(checkSchedule(program, stage, stage.evaluate()));
  }
  return checkVariables(program);
}

} // namespace dtc::rt
