//===- Executor.cpp - One rank's part of a program
//-------------------------===//
//
// Three loops: prepare over all tasks, run over the schedule, and a task over
// its instructions.
//
//===----------------------------------------------------------------------===//

#include "runtime/executor/Executor.h"

#include "runtime/device/ThreadTeam.h"
#include "runtime/executor/Variables.h"
#include "runtime/instructions/InstructionRegistry.h"

#include <chrono>

namespace dtc::rt {

Executor::Executor(const Program &program, const ExecutorOptions &options)
    : program(program), options(options), mesh(program.table()),
      coordinates(mesh.coordinates(options.rank)),
      stage(program->stages()->Get(static_cast<uint32_t>(coordinates[kPp]))) {}

PrepareContext Executor::makePrepareContext() const {
  return {program.table(),      *stage,          mesh, coordinates,
          options.communicator, options.kernels, {},   0,
          options.threadCount};
}

Result<std::unique_ptr<Executor>>
Executor::create(const Program &program, const ExecutorOptions &options) {
  if (options.rank < 0 || options.rank >= Mesh(program.table()).rankCount())
    return Status::invalidArgument()
           << "rank " << options.rank << " of a program for "
           << Mesh(program.table()).rankCount() << " ranks";
  std::unique_ptr<Executor> executor(new Executor(program, options));
  DTC_RETURN_IF_ERROR(executor->prepare(options));
  return executor;
}

Status Executor::prepare(const ExecutorOptions &) {
  DTC_ASSIGN_OR_RETURN(
      arena, Arena::allocate(static_cast<int64_t>(stage->arena_bytes())));
  PrepareContext context = makePrepareContext();
  for (const program::Task *task : *stage->tasks()) {
    std::vector<std::unique_ptr<Instruction>> &instructions =
        tasks.emplace_back();
    for (const program::Instruction *entry : *task->instructions()) {
      std::string where = "stage " + std::to_string(coordinates[kPp]) +
                          " task " + task->name()->str() + " instruction " +
                          std::to_string(instructions.size()) + " " +
                          program::EnumNameInstructionKind(entry->kind_type());
      auto made = makeInstruction(*entry, context);
      if (!made.isOk())
        return made.takeStatus().at(where);
      if (Status status = (*made)->prepare(context); !status.isOk())
        return std::move(status).at(where);
      instructions.push_back(std::move(*made));
    }
  }
  metrics = std::move(context.metrics);
  DTC_ASSIGN_OR_RETURN(scratch, Arena::allocate(context.scratchBytes));
  return Status::ok();
}

Status Executor::initializeVariables() {
  PrepareContext context = makePrepareContext();
  return fillVariables(context, arena.data());
}

Result<ValueRef> Executor::value(uint32_t id) const {
  return makePrepareContext().value(id);
}

/// Puts rank, step and operation before what went wrong.
Status Executor::describeFailure(Status status, const Instruction &instruction,
                                 int64_t step) const {
  uint32_t id = instruction.getOperation();
  std::string where = "[rank " + std::to_string(options.rank) + "] step " +
                      std::to_string(step + 1) + " operation " +
                      std::to_string(id);
  if (id < program->operations()->size()) {
    const program::Operation &operation = *program->operations()->Get(id);
    where += " " + operation.kind()->str() + " " + operation.name()->str();
  }
  return std::move(status).at(where);
}

/// Only instructions that may wait for others or for a file are timed: a clock
/// costs more than the small kernels between them.
Status Executor::runTask(uint32_t task, ExecuteContext &context) {
  using Clock = std::chrono::steady_clock;
  for (const std::unique_ptr<Instruction> &instruction : tasks[task]) {
    Work work = instruction->getWork();
    Clock::time_point start;
    if (work != Work::kCompute)
      start = Clock::now();
    if (Status status = instruction->execute(context); !status.isOk())
      return describeFailure(std::move(status), *instruction, context.step);
    cost.flops += instruction->getFlops();
    if (work != Work::kCompute)
      (work == Work::kData ? cost.dataSeconds : cost.communicationSeconds) +=
          std::chrono::duration<double>(Clock::now() - start).count();
  }
  return Status::ok();
}

Status Executor::run(
    const flatbuffers::Vector<flatbuffers::Offset<program::Repeat>> &schedule,
    int64_t step, BatchSource &batches, ReportSink &reports) {
  setThreadCount(options.threadCount);
  cost = StepCost();
  ExecuteContext context{arena.data(), scratch.data(),       0,
                         step,         options.communicator, &batches,
                         &reports,     options.threadCount};
  for (const program::Repeat *repeat : schedule)
    for (uint32_t round = 0; round < repeat->count(); ++round)
      for (const program::Call *call : *repeat->calls()) {
        context.microBatch = round + call->first();
        DTC_RETURN_IF_ERROR(runTask(call->task(), context));
      }
  return Status::ok();
}

Status Executor::train(int64_t step, BatchSource &batches,
                       ReportSink &reports) {
  return run(*stage->train(), step, batches, reports);
}

Status Executor::evaluate(int64_t step, BatchSource &batches,
                          ReportSink &reports) {
  if (!stage->evaluate())
    return Status::invalidArgument() << "the program has no evaluation";
  return run(*stage->evaluate(), step, batches, reports);
}

} // namespace dtc::rt
