//===- Clear.cpp - Set an accumulator to zero -----------------------------===//
//
// All of its place, pads and what aligns it included, so that a pad that takes
// part in a reduction is zero.
//
//===----------------------------------------------------------------------===//

#include "runtime/instructions/Instructions.h"

#include <cstring>

namespace dtc::rt {
namespace {

class ClearInstruction final : public Instruction {
public:
  using Instruction::Instruction;
  ValueRef accumulator;

  Status execute(ExecuteContext &context) override {
    std::memset(accumulator.at(context.arena, context.microBatch), 0,
                static_cast<size_t>(accumulator.placeBytes));
    return Status::ok();
  }
};

} // namespace

Result<std::unique_ptr<Instruction>> makeClear(const program::Clear &table,
                                               PrepareContext &context) {
  auto made = std::make_unique<ClearInstruction>(table.id());
  DTC_ASSIGN_OR_RETURN(made->accumulator, context.value(table.accumulator()));
  return made;
}

} // namespace dtc::rt
