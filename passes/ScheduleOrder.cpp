//===- ScheduleOrder.cpp - In which order a stage calls its tasks ---------===//
//
// A simulation by rounds over the stages: each advances as far as its receives
// allow. It ends when no stage can advance, either because all are done or
// because the orders contradict each other.
//
//===----------------------------------------------------------------------===//

#include "passes/ScheduleOrder.h"

namespace mlir::dtc {

SmallVector<Round> makeRounds(ScheduleKind kind, int64_t stage, int64_t stages,
                              int64_t microBatches, LoopTasks tasks) {
  SmallVector<Round> rounds;
  auto add = [&](int64_t count, int64_t firstForward, bool forward,
                 int64_t firstBackward, bool backward) {
    Round round;
    round.count = count;
    if (forward && tasks.forward)
      round.calls.push_back({TaskKind::Forward, firstForward});
    if (backward && tasks.backward)
      round.calls.push_back({TaskKind::Backward, firstBackward});
    if (backward && tasks.weight)
      round.calls.push_back({TaskKind::Weight, firstBackward});
    if (count > 0 && !round.calls.empty())
      rounds.push_back(round);
  };
  bool alternates = kind == ScheduleKind::OneFOneB && tasks.forward &&
                    (tasks.backward || tasks.weight);
  int64_t warmUp =
      alternates ? std::min(stages - stage - 1, microBatches) : microBatches;
  add(warmUp, 0, true, 0, false);
  add(microBatches - warmUp, warmUp, true, 0, true);
  add(warmUp, 0, false, microBatches - warmUp, true);
  return rounds;
}

SmallVector<LoopCall> expandRounds(ArrayRef<Round> rounds) {
  SmallVector<LoopCall> calls;
  for (const Round &round : rounds)
    for (int64_t i = 0; i < round.count; ++i)
      for (const RoundCall &call : round.calls)
        calls.push_back({call.task, call.first + i});
  return calls;
}

double PipelineTimes::makespan() const {
  double end = 0;
  for (const std::vector<Span> &stage : spans)
    if (!stage.empty())
      end = std::max(end, stage.back().end);
  return end;
}

double PipelineTimes::idle(int64_t stage) const {
  double busy = 0;
  for (const Span &span : spans[stage])
    busy += span.end - span.start;
  return makespan() - busy;
}

namespace {

int64_t findCall(ArrayRef<LoopCall> order, LoopCall call) {
  for (auto [i, other] : llvm::enumerate(order))
    if (other.task == call.task && other.microBatch == call.microBatch)
      return i;
  llvm_unreachable("a call that is in no round of its stage");
}

/// The state of simulatePipeline.
struct Simulation {
  std::vector<SmallVector<LoopCall>> orders;
  std::vector<std::vector<PipelineTimes::Span>> spans; ///< so far
  ArrayRef<SimulatedChannel> channels;
  std::function<double(int64_t, TaskKind)> cost;

  /// When the receives of a call are all sent; nothing while one is not.
  std::optional<double> readyAt(int64_t stage, LoopCall call) const {
    double ready = 0;
    for (const SimulatedChannel &channel : channels) {
      if (channel.destination != stage || channel.receiver != call.task)
        continue;
      size_t index =
          findCall(orders[channel.source], {channel.sender, call.microBatch});
      if (index >= spans[channel.source].size())
        return std::nullopt;
      ready = std::max(ready, spans[channel.source][index].end);
    }
    return ready;
  }

  /// Runs one stage as far as it goes; true if it went.
  bool advance(int64_t stage) {
    auto &done = spans[stage];
    bool advanced = false;
    while (done.size() < orders[stage].size()) {
      LoopCall call = orders[stage][done.size()];
      std::optional<double> ready = readyAt(stage, call);
      if (!ready)
        break;
      double start = std::max(*ready, done.empty() ? 0.0 : done.back().end);
      done.push_back({start, start + cost(stage, call.task)});
      advanced = true;
    }
    return advanced;
  }
};

} // namespace

int64_t PipelineTimes::indexOf(int64_t stage, LoopCall call) const {
  return findCall(orders[stage], call);
}

FailureOr<PipelineTimes>
simulatePipeline(std::vector<SmallVector<LoopCall>> orders,
                 ArrayRef<SimulatedChannel> channels,
                 std::function<double(int64_t, TaskKind)> cost,
                 function_ref<InFlightDiagnostic()> emitError) {
  int64_t stages = orders.size();
  Simulation simulation{std::move(orders), {}, channels, std::move(cost)};
  simulation.spans.resize(stages);
  bool advanced = true;
  while (advanced) {
    advanced = false;
    for (int64_t stage = 0; stage < stages; ++stage)
      advanced |= simulation.advance(stage);
  }
  for (int64_t stage = 0; stage < stages; ++stage) {
    size_t done = simulation.spans[stage].size();
    if (done == simulation.orders[stage].size())
      continue;
    LoopCall stuck = simulation.orders[stage][done];
    emitError() << "the schedule can't be run: stage " << stage
                << " waits for what " << stringifyTaskKind(stuck.task)
                << " of micro-batch " << stuck.microBatch
                << " receives, and its sender waits for this stage";
    return failure();
  }
  return PipelineTimes(std::move(simulation.orders),
                       std::move(simulation.spans));
}

} // namespace mlir::dtc
