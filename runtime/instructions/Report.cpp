//===- Report.cpp - Publish a scalar --------------------------------------===//
//
// Read on the host after everything before it.
//
//===----------------------------------------------------------------------===//

#include "runtime/instructions/Instructions.h"

namespace dtc::rt {
namespace {

class ReportInstruction final : public Instruction {
public:
  using Instruction::Instruction;
  ValueRef value;
  int metric = 0;

  Status execute(ExecuteContext &context) override {
    context.reports->report(
        metric,
        loadElement(value.at(context.arena, context.microBatch), value.dtype));
    return Status::ok();
  }
};

} // namespace

Result<std::unique_ptr<Instruction>> makeReport(const program::Report &table,
                                                PrepareContext &context) {
  auto made = std::make_unique<ReportInstruction>(table.id());
  DTC_ASSIGN_OR_RETURN(made->value, context.value(table.value()));
  if (made->value.elementCount != 1)
    return Status::invalidProgram() << "report of " << made->value.elementCount
                                    << " elements, expected a scalar";
  made->metric = context.metricIndex(table.metric()->str());
  return made;
}

} // namespace dtc::rt
