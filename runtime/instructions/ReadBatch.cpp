//===- ReadBatch.cpp - Read this rank's rows of a step's batch ------------===//
//
// Rows that the global batch does not have (blocks that do not fill) hold the
// input's fill value.
//
//===----------------------------------------------------------------------===//

#include "runtime/instructions/Instructions.h"

namespace dtc::rt {
namespace {

class ReadBatchInstruction final : public Instruction {
public:
  explicit ReadBatchInstruction(uint32_t operation)
      : Instruction(operation, Work::kData) {}
  ValueRef result;
  uint32_t input = 0;
  double fill = 0;
  Extent rows;
  int64_t rowElements = 1;

  Status execute(ExecuteContext &context) override {
    std::byte *destination = result.at(context.arena, context.microBatch);
    DTC_RETURN_IF_ERROR(context.batches->read(input, context.step, rows.start,
                                              rows.length, destination));
    int64_t bytes = byteSize(result.dtype);
    // The whole place: the last micro-batch's rows may end behind the batch's.
    int64_t elements = result.placeBytes / bytes;
    for (int64_t i = rows.length * rowElements; i < elements; ++i)
      storeElement(destination + i * bytes, result.dtype, fill);
    return Status::ok();
  }
};

} // namespace

Result<std::unique_ptr<Instruction>>
makeReadBatch(const program::ReadBatch &table, PrepareContext &context) {
  auto made = std::make_unique<ReadBatchInstruction>(table.id());
  DTC_ASSIGN_OR_RETURN(made->result, context.value(table.result()));
  made->input = table.input();
  const auto &inputs = *context.program.data()->inputs();
  if (table.input() >= inputs.size())
    return Status::invalidProgram()
           << "model input " << table.input() << " of " << inputs.size();
  const program::Value &value = *made->result.value;
  if (!value.local_shape() || value.local_shape()->size() == 0)
    return Status::invalidProgram()
           << "a batch without a dimension for samples";
  made->fill = inputs.Get(table.input())->fill();
  made->rows =
      context.mesh.extent(context.layout(made->result),
                          static_cast<int64_t>(value.global_shape()->Get(0)), 0,
                          context.coordinates);
  made->rowElements =
      value.local_shape()->Get(0)
          ? made->result.elementCount /
                static_cast<int64_t>(value.local_shape()->Get(0))
          : 0;
  return made;
}

} // namespace dtc::rt
