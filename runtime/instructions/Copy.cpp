//===- Copy.cpp - Copy a value --------------------------------------------===//
//
// Equal local shapes.
//
//===----------------------------------------------------------------------===//

#include "runtime/instructions/Instructions.h"

#include <cstring>

namespace dtc::rt {
namespace {

class CopyInstruction final : public Instruction {
public:
  using Instruction::Instruction;
  ValueRef input, result;

  Status execute(ExecuteContext &context) override {
    std::byte *to = result.at(context.arena, context.microBatch);
    const std::byte *from = input.at(context.arena, context.microBatch);
    if (from != to)
      std::memmove(to, from, static_cast<size_t>(result.byteCount()));
    return Status::ok();
  }
};

} // namespace

Result<std::unique_ptr<Instruction>> makeCopy(const program::Copy &table,
                                              PrepareContext &context) {
  auto made = std::make_unique<CopyInstruction>(table.id());
  DTC_ASSIGN_OR_RETURN(made->input, context.value(table.input()));
  DTC_ASSIGN_OR_RETURN(made->result, context.value(table.result()));
  if (made->input.byteCount() != made->result.byteCount())
    return Status::invalidProgram() << "copy of " << made->input.byteCount()
                                    << " bytes to " << made->result.byteCount();
  return made;
}

} // namespace dtc::rt
