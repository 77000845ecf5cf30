//===- ToPartial.cpp - Let a whole value enter a sum once -----------------===//
//
// Coordinate 0 of the axes keeps the value, all others write zero. Over `mb`
// it enters on the first micro-batch.
//
//===----------------------------------------------------------------------===//

#include "runtime/instructions/Instructions.h"

#include <cstring>

namespace dtc::rt {
namespace {

class ToPartialInstruction final : public Instruction {
public:
  using Instruction::Instruction;
  ValueRef input, result;
  bool first = true, overTime = false;

  Status execute(ExecuteContext &context) override {
    std::byte *to = result.at(context.arena, context.microBatch);
    size_t bytes = static_cast<size_t>(result.byteCount());
    if (!first || (overTime && context.microBatch != 0))
      std::memset(to, 0, bytes);
    else if (const std::byte *from =
                 input.at(context.arena, context.microBatch);
             from != to)
      std::memcpy(to, from, bytes);
    return Status::ok();
  }
};

} // namespace

Result<std::unique_ptr<Instruction>>
makeToPartial(const program::ToPartial &table, PrepareContext &context) {
  auto made = std::make_unique<ToPartialInstruction>(table.id());
  DTC_ASSIGN_OR_RETURN(made->input, context.value(table.input()));
  DTC_ASSIGN_OR_RETURN(made->result, context.value(table.result()));
  for (uint8_t axis : *table.axes()) {
    if (axis >= kMeshAxisCount)
      return Status::invalidProgram() << "to_partial over axis " << int(axis);
    made->overTime |= axis == kMb;
    made->first &= context.coordinates[axis] == 0;
  }
  if (made->input.byteCount() != made->result.byteCount())
    return Status::invalidProgram()
           << "to_partial from " << made->input.byteCount() << " to "
           << made->result.byteCount() << " bytes";
  return made;
}

} // namespace dtc::rt
