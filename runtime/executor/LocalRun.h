//===- LocalRun.h - A whole run with ranks as threads
//----------------------===//
//
// Starts a thread a rank, runs steps and evaluations until the end, and hands
// what each step published to one listener on rank 0's thread.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_EXECUTOR_LOCALRUN_H
#define DTC_RUNTIME_EXECUTOR_LOCALRUN_H

#include "runtime/comm/Communicator.h"
#include "runtime/executor/Executor.h"
#include "runtime/program/Program.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace dtc::rt {

/// What one step published. Absent numbers are NaN.
struct StepRecord {
  int64_t step = 0; ///< from 1
  int64_t epoch = 0;
  int64_t samples = 0; ///< read in this step over all ranks
  double loss = 0, gradNorm = 0, learningRate = 0, lossScale = 0;
  int64_t valid = 0; ///< labels or samples that counted
  int32_t flag = 0;  ///< bit 1 non-finite gradient, bit 2 no valid label
  double stepSeconds = 0;
  double dataSeconds = 0;          ///< of the slowest rank
  double communicationSeconds = 0; ///< of the slowest rank, waits included
  int64_t flops = 0;               ///< of the matrix products of all ranks
  int64_t arenaBytes = 0;          ///< of the largest rank
};

struct EvaluationRecord {
  int64_t step = 0;
  double loss = 0;     ///< mean over valid samples
  double accuracy = 0; ///< NaN where the model counts none
  int64_t valid = 0;
  double seconds = 0;
};

/// Totals of one rank, after the run.
struct RankSummary {
  int64_t arenaBytes = 0, scratchBytes = 0;
  std::vector<LedgerEntry> ledger;
};

class RunListener {
public:
  virtual ~RunListener() = default;
  virtual Status onStep(const StepRecord &) { return Status::ok(); }
  virtual Status onEvaluation(const EvaluationRecord &) { return Status::ok(); }
  virtual void onStart(int64_t totalSteps, int64_t stepsPerEpoch) {
    (void)totalSteps;
    (void)stepsPerEpoch;
  }
};

struct RunOptions {
  std::string dataFolder;
  int64_t steps = 0;   ///< total; 0: what the program says
  int64_t epochs = 0;  ///< instead of steps; 0: what the program says
  int threadCount = 0; ///< of all ranks together; 0: one a core
  std::chrono::nanoseconds timeout = std::chrono::seconds(60);
  const std::atomic<bool> *stopRequested = nullptr; ///< ends after a step
  /// Called on each rank's thread after its last step.
  std::function<Status(Executor &, int32_t rank)> inspect;
};

struct RunSummary {
  int64_t steps = 0;
  bool stopped = false; ///< by request
  std::vector<RankSummary> ranks;
};

/// Runs a program to its end.
///
/// Errors:  the first failure of any rank; DTC-NONFINITE-GRADIENT where a
///          gradient is not finite and the model has no dynamic loss scale.
Result<RunSummary> runLocal(const Program &program, const RunOptions &options,
                            RunListener &listener);

} // namespace dtc::rt

#endif // DTC_RUNTIME_EXECUTOR_LOCALRUN_H
