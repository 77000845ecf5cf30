//===- PackBucket.cpp - Members of a bucket one after another
//--------------------===//
//
// Where plan-memory laid the members in the bucket's own memory nothing moves.
//
//===----------------------------------------------------------------------===//

#include "runtime/instructions/Instructions.h"

#include <cstring>

namespace dtc::rt {
namespace {

class PackBucketInstruction final : public Instruction {
public:
  using Instruction::Instruction;

  Status execute(ExecuteContext &context) override {
    std::byte *to = result.at(context.arena, context.microBatch);
    for (const ValueRef &member : members) {
      const std::byte *from = member.at(context.arena, context.microBatch);
      if (from != to)
        std::memmove(to, from, static_cast<size_t>(member.byteCount()));
      to += member.byteCount();
    }
    return Status::ok();
  }

  std::vector<ValueRef> members;
  ValueRef result;
};

} // namespace

Result<std::unique_ptr<Instruction>>
makePackBucket(const program::PackBucket &table, PrepareContext &context) {
  auto made = std::make_unique<PackBucketInstruction>(table.id());
  DTC_ASSIGN_OR_RETURN(made->result, context.value(table.result()));
  int64_t bytes = 0;
  for (uint32_t id : *table.members()) {
    DTC_ASSIGN_OR_RETURN(ValueRef member, context.value(id));
    bytes += member.byteCount();
    made->members.push_back(member);
  }
  if (bytes > made->result.placeBytes)
    return Status::invalidProgram()
           << "pack of " << bytes << " bytes into " << made->result.placeBytes;
  return made;
}

} // namespace dtc::rt
