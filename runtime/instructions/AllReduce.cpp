//===- AllReduce.cpp - Reduce a buffer across a rank group ----------------===//
//
// One collective over the ranks that differ on the axes. Order across ranks
// was certified on the programs of all ranks; nothing here could repair it.
//
//===----------------------------------------------------------------------===//

#include "runtime/instructions/Instructions.h"

namespace dtc::rt {
namespace {

class AllReduceInstruction final : public Instruction {
public:
  explicit AllReduceInstruction(uint32_t operation)
      : Instruction(operation, Work::kCommunication) {}
  ValueRef input, result;
  ReductionKind kind = ReductionKind::kSum;
  std::vector<int> axes;
  GroupHandle group;

  Status prepare(PrepareContext &context) override {
    DTC_ASSIGN_OR_RETURN(group, context.group(axes, input));
    return Status::ok();
  }

  Status execute(ExecuteContext &context) override {
    return context.communicator->allReduce(
        group, input.at(context.arena, context.microBatch),
        result.at(context.arena, context.microBatch), input.elementCount,
        input.dtype, kind);
  }
};

} // namespace

Result<std::unique_ptr<Instruction>>
makeAllReduce(const program::AllReduce &table, PrepareContext &context) {
  auto made = std::make_unique<AllReduceInstruction>(table.id());
  DTC_ASSIGN_OR_RETURN(made->input, context.value(table.input()));
  DTC_ASSIGN_OR_RETURN(made->result, context.value(table.result()));
  made->kind = toReductionKind(table.kind());
  for (uint8_t axis : *table.axes())
    made->axes.push_back(axis);
  if (made->input.elementCount != made->result.elementCount ||
      made->input.dtype != made->result.dtype ||
      static_cast<uint64_t>(made->input.elementCount) != table.elements())
    return Status::invalidProgram()
           << "all_reduce of " << table.elements() << " elements from "
           << made->input.elementCount << " " << made->input.dtype << " to "
           << made->result.elementCount << " " << made->result.dtype;
  return made;
}

} // namespace dtc::rt
