//===- Instructions.h - The maker of each kind of instruction -------------===//
//
// One function a table of the schema, defined in the file of its name. Read,
// Unpack and View only tell the checker what a place holds: nothing runs.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_INSTRUCTIONS_INSTRUCTIONS_H
#define DTC_RUNTIME_INSTRUCTIONS_INSTRUCTIONS_H

#include "runtime/instructions/Instruction.h"

namespace dtc::rt {

Result<std::unique_ptr<Instruction>>
makeAccumulate(const program::Accumulate &table, PrepareContext &context);
Result<std::unique_ptr<Instruction>>
makeAllGather(const program::AllGather &table, PrepareContext &context);
Result<std::unique_ptr<Instruction>>
makeAllReduce(const program::AllReduce &table, PrepareContext &context);
Result<std::unique_ptr<Instruction>> makeClear(const program::Clear &table,
                                               PrepareContext &context);
Result<std::unique_ptr<Instruction>> makeCopy(const program::Copy &table,
                                              PrepareContext &context);
Result<std::unique_ptr<Instruction>>
makeLaunchKernel(const program::LaunchKernel &table, PrepareContext &context);
Result<std::unique_ptr<Instruction>>
makeLocalSlice(const program::LocalSlice &table, PrepareContext &context);
Result<std::unique_ptr<Instruction>> makeMatMul(const program::MatMul &table,
                                                PrepareContext &context);
Result<std::unique_ptr<Instruction>>
makePackBucket(const program::PackBucket &table, PrepareContext &context);
Result<std::unique_ptr<Instruction>>
makeReadBatch(const program::ReadBatch &table, PrepareContext &context);
Result<std::unique_ptr<Instruction>> makeRecv(const program::Recv &table,
                                              PrepareContext &context);
Result<std::unique_ptr<Instruction>>
makeReduceScatter(const program::ReduceScatter &table, PrepareContext &context);
Result<std::unique_ptr<Instruction>> makeReport(const program::Report &table,
                                                PrepareContext &context);
Result<std::unique_ptr<Instruction>> makeSend(const program::Send &table,
                                              PrepareContext &context);
Result<std::unique_ptr<Instruction>> makeStore(const program::Store &table,
                                               PrepareContext &context);
Result<std::unique_ptr<Instruction>>
makeToPartial(const program::ToPartial &table, PrepareContext &context);
Result<std::unique_ptr<Instruction>> makeWait(const program::Wait &table,
                                              PrepareContext &context);

/// Reduction of a schema enum; programs are checked before.
ReductionKind toReductionKind(program::ReductionKind kind);

} // namespace dtc::rt

#endif // DTC_RUNTIME_INSTRUCTIONS_INSTRUCTIONS_H
