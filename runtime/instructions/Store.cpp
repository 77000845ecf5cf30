//===- Store.cpp - Give a variable its value after the step ---------------===//
//
// Nothing to do where the update wrote into the variable's own memory.
//
//===----------------------------------------------------------------------===//

#include "runtime/instructions/Instructions.h"

#include <cstring>

namespace dtc::rt {
namespace {

class StoreInstruction final : public Instruction {
public:
  using Instruction::Instruction;
  ValueRef value, variable;

  Status execute(ExecuteContext &context) override {
    std::byte *to = variable.at(context.arena, context.microBatch);
    const std::byte *from = value.at(context.arena, context.microBatch);
    if (from != to)
      std::memmove(to, from, static_cast<size_t>(value.byteCount()));
    return Status::ok();
  }
};

} // namespace

Result<std::unique_ptr<Instruction>> makeStore(const program::Store &table,
                                               PrepareContext &context) {
  auto made = std::make_unique<StoreInstruction>(table.id());
  DTC_ASSIGN_OR_RETURN(made->value, context.value(table.value()));
  if (table.variable() >= context.program.variables()->size())
    return Status::invalidProgram() << "variable " << table.variable() << " of "
                                    << context.program.variables()->size();
  const program::Variable &entry =
      *context.program.variables()->Get(table.variable());
  int32_t id =
      entry.values()->Get(static_cast<uint32_t>(context.coordinates[kPp]));
  if (id < 0)
    return Status::invalidProgram()
           << "variable " << entry.name()->str() << " is not on this stage";
  DTC_ASSIGN_OR_RETURN(made->variable,
                       context.value(static_cast<uint32_t>(id)));
  if (made->variable.byteCount() != made->value.byteCount())
    return Status::invalidProgram()
           << "store of " << made->value.byteCount() << " bytes to variable "
           << entry.name()->str() << " of " << made->variable.byteCount();
  return made;
}

} // namespace dtc::rt
