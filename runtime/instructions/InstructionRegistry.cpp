//===- InstructionRegistry.cpp - From schema table to instruction ---------===//
//
// An explicit table, not self-registering statics: a static library drops an
// object file that nobody names, and a table can be read.
//
//===----------------------------------------------------------------------===//

#include "runtime/instructions/InstructionRegistry.h"

#include "runtime/instructions/Instructions.h"

namespace dtc::rt {
namespace {

using Maker = Result<std::unique_ptr<Instruction>> (*)(
    const program::Instruction &, PrepareContext &);

/// Read, UnpackBucket and View: the value is where it was.
class NoInstruction final : public Instruction {
public:
  using Instruction::Instruction;
  Status execute(ExecuteContext &) override { return Status::ok(); }
};

template <typename Table>
Result<std::unique_ptr<Instruction>>
makeNothing(const program::Instruction &entry, PrepareContext &) {
  return std::make_unique<NoInstruction>(entry.kind_as<Table>()->id());
}

template <typename Table, Result<std::unique_ptr<Instruction>> (*make)(
                              const Table &, PrepareContext &)>
Result<std::unique_ptr<Instruction>> makeFrom(const program::Instruction &entry,
                                              PrepareContext &context) {
  return make(*entry.kind_as<Table>(), context);
}

struct RegistryEntry {
  program::InstructionKind kind;
  Maker make;
};

#define DTC_INSTRUCTION(kind)                                                  \
  {program::InstructionKind::kind, makeFrom<program::kind, make##kind>}
#define DTC_NO_INSTRUCTION(kind)                                               \
  {program::InstructionKind::kind, makeNothing<program::kind>}

constexpr RegistryEntry kRegistry[] = {
    DTC_INSTRUCTION(Accumulate),
    DTC_INSTRUCTION(AllGather),
    DTC_INSTRUCTION(AllReduce),
    DTC_INSTRUCTION(Clear),
    DTC_INSTRUCTION(Copy),
    DTC_INSTRUCTION(LaunchKernel),
    DTC_INSTRUCTION(LocalSlice),
    DTC_INSTRUCTION(MatMul),
    DTC_INSTRUCTION(PackBucket),
    DTC_INSTRUCTION(ReadBatch),
    DTC_INSTRUCTION(Recv),
    DTC_INSTRUCTION(ReduceScatter),
    DTC_INSTRUCTION(Report),
    DTC_INSTRUCTION(Send),
    DTC_INSTRUCTION(Store),
    DTC_INSTRUCTION(ToPartial),
    DTC_INSTRUCTION(Wait),
    DTC_NO_INSTRUCTION(Read),
    DTC_NO_INSTRUCTION(UnpackBucket),
    DTC_NO_INSTRUCTION(View),
};

#undef DTC_INSTRUCTION
#undef DTC_NO_INSTRUCTION

} // namespace

ReductionKind toReductionKind(program::ReductionKind kind) {
  switch (kind) {
  case program::ReductionKind::Sum:
    return ReductionKind::kSum;
  case program::ReductionKind::Max:
    return ReductionKind::kMax;
  case program::ReductionKind::Or:
    return ReductionKind::kOr;
  }
  return ReductionKind::kSum;
}

Result<std::unique_ptr<Instruction>>
makeInstruction(const program::Instruction &entry, PrepareContext &context) {
  for (const RegistryEntry &known : kRegistry)
    if (known.kind == entry.kind_type())
      return known.make(entry, context);
  return Status::invalidProgram()
         << "instruction of unknown kind " << int(entry.kind_type());
}

} // namespace dtc::rt
