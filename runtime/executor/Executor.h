//===- Executor.h - One rank's part of a program
//---------------------------===//
//
// Prepares every instruction of the rank's stage once, then walks the schedule.
// A step allocates nothing and asks nothing but its instructions.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_EXECUTOR_EXECUTOR_H
#define DTC_RUNTIME_EXECUTOR_EXECUTOR_H

#include "runtime/executor/Arena.h"
#include "runtime/instructions/Instruction.h"
#include "runtime/program/Program.h"

#include <memory>
#include <string>
#include <vector>

namespace dtc::rt {

/// Where the time of a rank's last step went, and its work.
struct StepCost {
  double dataSeconds = 0;          ///< reading the batch
  double communicationSeconds = 0; ///< in collectives and channels, waits too
  int64_t flops = 0;               ///< of matrix products
};

struct ExecutorOptions {
  int32_t rank = 0;
  int threadCount = 1;
  Communicator *communicator = nullptr;
  const KernelImage *kernels = nullptr;
};

class Executor {
public:
  /// Prepares the program for one rank. `program`, communicator and kernels
  /// outlive the executor.
  ///
  /// Errors:  start with the stage, the task and the operation that failed.
  static Result<std::unique_ptr<Executor>>
  create(const Program &program, const ExecutorOptions &options);

  /// Fills variables from their initialisers; bucket members by their own.
  Status initializeVariables();

  /// Runs one step of the schedule. `step` counts from the start of the run.
  Status train(int64_t step, BatchSource &batches, ReportSink &reports);
  Status evaluate(int64_t step, BatchSource &batches, ReportSink &reports);
  bool hasEvaluation() const { return stage->evaluate() != nullptr; }

  const StepCost &getLastCost() const { return cost; }

  /// Names of the metrics that this rank reports, by index.
  const std::vector<std::string> &getMetrics() const { return metrics; }

  /// A value's bytes on this rank, for checks and checkpoints.
  Result<ValueRef> value(uint32_t id) const;
  std::byte *bytes(const ValueRef &ref, int64_t microBatch = 0) const {
    return ref.at(arena.data(), microBatch);
  }

  /// What instructions are prepared with, for walks over values.
  PrepareContext makePrepareContext() const;

  const Mesh &getMesh() const { return mesh; }
  const Coordinates &getCoordinates() const { return coordinates; }
  const program::Stage &getStage() const { return *stage; }
  int64_t arenaBytes() const { return arena.byteSize(); }
  /// Library workspace besides the arena.
  int64_t scratchBytes() const { return scratch.byteSize(); }

private:
  Executor(const Program &program, const ExecutorOptions &options);
  Status prepare(const ExecutorOptions &options);
  Status
  run(const flatbuffers::Vector<flatbuffers::Offset<program::Repeat>> &schedule,
      int64_t step, BatchSource &batches, ReportSink &reports);
  Status runTask(uint32_t task, ExecuteContext &context);
  Status describeFailure(Status status, const Instruction &instruction,
                         int64_t step) const;

  const Program &program;
  ExecutorOptions options;
  Mesh mesh;
  Coordinates coordinates;
  const program::Stage *stage = nullptr;
  Arena arena, scratch;
  std::vector<std::vector<std::unique_ptr<Instruction>>> tasks;
  std::vector<std::string> metrics;
  StepCost cost;
};

} // namespace dtc::rt

#endif // DTC_RUNTIME_EXECUTOR_EXECUTOR_H
