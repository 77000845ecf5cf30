//===- ReduceScatter.cpp - Sum a buffer and keep one block of it ----------===//
//
// The whole is padded to equal shards: its place has room for the pad, which
// is cleared first, so that a pad of the result is zero.
//
//===----------------------------------------------------------------------===//

#include "runtime/instructions/Instructions.h"

#include <cstring>

namespace dtc::rt {
namespace {

class ReduceScatterInstruction final : public Instruction {
public:
  explicit ReduceScatterInstruction(uint32_t operation)
      : Instruction(operation, Work::kCommunication) {}
  ValueRef input, result;
  int64_t paddedBytes = 0;
  std::vector<int> axes;
  GroupHandle group;

  Status prepare(PrepareContext &context) override {
    DTC_ASSIGN_OR_RETURN(group, context.group(axes, input));
    return Status::ok();
  }

  Status execute(ExecuteContext &context) override {
    std::byte *whole = input.at(context.arena, context.microBatch);
    std::memset(whole + input.byteCount(), 0,
                static_cast<size_t>(paddedBytes - input.byteCount()));
    return context.communicator->reduceScatter(
        group, whole, result.at(context.arena, context.microBatch),
        result.elementCount, result.dtype, ReductionKind::kSum);
  }
};

} // namespace

Result<std::unique_ptr<Instruction>>
makeReduceScatter(const program::ReduceScatter &table,
                  PrepareContext &context) {
  auto made = std::make_unique<ReduceScatterInstruction>(table.id());
  DTC_ASSIGN_OR_RETURN(made->input, context.value(table.input()));
  DTC_ASSIGN_OR_RETURN(made->result, context.value(table.result()));
  made->axes = {table.axis()};
  if (table.axis() >= kMb)
    return Status::invalidProgram()
           << "reduce_scatter over axis " << int(table.axis());
  int64_t parts = context.mesh.parts(table.axis());
  made->paddedBytes = made->result.byteCount() * parts;
  if (made->result.elementCount * parts !=
          static_cast<int64_t>(table.elements()) ||
      made->input.elementCount > static_cast<int64_t>(table.elements()) ||
      made->input.placeBytes < made->paddedBytes ||
      made->input.dtype != made->result.dtype)
    return Status::invalidProgram()
           << "reduce_scatter of " << table.elements() << " elements in "
           << made->input.placeBytes << " bytes to " << parts << " shards of "
           << made->result.elementCount;
  return made;
}

} // namespace dtc::rt
