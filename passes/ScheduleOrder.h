//===- ScheduleOrder.h - In which order a stage calls its tasks -*- C++ -*-===//
//
// The formulas of the schedules, as plain data, and a simulation of all stages
// together. The pass that writes the schedule reads from it how many slots a
// buffer needs; tests read from it what a schedule promises.
//
// With p stages, m micro-batches and stage s counted from 0:
//
//   gpipe  all forward, then all backward: F(0..m-1), BW(0..m-1)
//   1f1b   w = min(p - s - 1, m) forward to warm up; then one forward and one
//          backward in turn, m - w times; then w backward: at most p - s
//          micro-batches are in flight
//
// (Huang et al. 2019; Narayanan et al. 2019.)
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_SCHEDULEORDER_H
#define DTC_PASSES_SCHEDULEORDER_H

#include "ir/DtcOps.h"

#include <functional>
#include <vector>

namespace mlir::dtc {

/// The loop tasks that a stage has; the order of calls leaves out the others.
struct LoopTasks {
  bool forward = false;
  bool backward = false;
  bool weight = false;
};

/// A call in a repeat: in round i it has micro-batch i + first.
struct RoundCall {
  TaskKind task;
  int64_t first = 0;
};

/// Calls that are made `count` times in a row.
struct Round {
  int64_t count = 0;
  SmallVector<RoundCall, 3> calls;
};

/// The rounds of one stage; none of them is empty.
SmallVector<Round> makeRounds(ScheduleKind kind, int64_t stage, int64_t stages,
                              int64_t microBatches, LoopTasks tasks);

/// One call of a loop task.
struct LoopCall {
  TaskKind task;
  int64_t microBatch = 0;
};
SmallVector<LoopCall> expandRounds(ArrayRef<Round> rounds);

/// A channel as the simulation sees it: the task that sends on it at its end,
/// and the one that receives at its start.
struct SimulatedChannel {
  int64_t source = 0;
  TaskKind sender = TaskKind::Forward;
  int64_t destination = 0;
  TaskKind receiver = TaskKind::Forward;
};

/// When each call starts and ends, in the unit of the costs.
class PipelineTimes {
public:
  struct Span {
    double start = 0;
    double end = 0;
  };
  /// Orders and spans by stage; a span for each call.
  PipelineTimes(std::vector<SmallVector<LoopCall>> orders,
                std::vector<std::vector<Span>> spans)
      : orders(std::move(orders)), spans(std::move(spans)) {}

  /// Position of a call in its stage's order.
  int64_t indexOf(int64_t stage, LoopCall call) const;
  Span at(int64_t stage, LoopCall call) const {
    return spans[stage][indexOf(stage, call)];
  }
  /// End of the last call of any stage.
  double makespan() const;
  /// Time in which a stage runs no call, from 0 to the makespan.
  double idle(int64_t stage) const;

private:
  std::vector<SmallVector<LoopCall>> orders;
  std::vector<std::vector<Span>> spans;
};

/// Runs the orders of all stages against each other: a call starts when the one
/// before it has ended and all that it receives has been sent. Sends take no
/// time and block nobody. `cost` gives the time of a task on a stage.
///
/// Where the orders can't be run to the end (a call waits for one that waits
/// for it), emits an error with `emitError` that names a stage and its call.
FailureOr<PipelineTimes>
simulatePipeline(std::vector<SmallVector<LoopCall>> orders,
                 ArrayRef<SimulatedChannel> channels,
                 std::function<double(int64_t, TaskKind)> cost,
                 function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::dtc

#endif // DTC_PASSES_SCHEDULEORDER_H
