//===- Schedule.cpp - Order the tasks of each stage -----------------------===//
//
// Writes for each stage the order of its task calls, and from these orders how
// many copies (slots) each buffer needs.
//
// Why no order written here can deadlock, even where a channel holds nothing:
// all stages are simulated together before anything is written. That gives each
// call a start such that (1) the calls of a stage start one after another, (2)
// a receive starts after its send's task has ended, and (3), by the choice of
// the slots, a task that overwrites a sent buffer starts after the receive of
// the micro-batch that held the slot. These are all edges along which a rank
// can wait: calls in order, receives, and the waits put in below; a send waits
// for nobody. Each edge leads forward in time, so there is no cycle, whatever
// the real times are. The last waits of a step stand in epilogues, for which no
// loop task of any stage waits. Collectives stay within a stage, whose ranks
// have one order; those over pp are in epilogues.
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"
#include "passes/ScheduleOrder.h"
#include "passes/StepFunctions.h"
#include "passes/TaskAssignment.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

#include <map>

namespace mlir::dtc {
#define GEN_PASS_DEF_SCHEDULEPASS
#include "passes/Passes.h.inc"

namespace {

bool isLoopTask(TaskKind kind) {
  return kind != TaskKind::Prologue && kind != TaskKind::Epilogue;
}

/// The tasks of one step on one stage, by kind.
using StageTasks = std::map<TaskKind, func::FuncOp>;

/// Who sends and who receives on a channel, and how often a micro-batch.
struct ChannelEnds {
  std::optional<std::pair<int64_t, TaskKind>> source, destination;
  int64_t sends = 0, receives = 0;

  SimulatedChannel simulated() const {
    return {source->first, source->second, destination->first,
            destination->second};
  }
};

/// What a stage's buffer waits for before a slot is free again.
struct BufferUse {
  BufferOp buffer;
  std::optional<TaskKind> writer;   ///< a loop task
  SmallVector<TaskKind, 2> readers; ///< loop tasks that load it
  SmallVector<int64_t, 2> channels; ///< it is sent on these, by the writer
};

/// One step ("train" or "evaluate") over all stages.
class StepScheduler {
public:
  StepScheduler(ModuleOp module, PlanAttr plan, StringRef step)
      : module(module), plan(plan), step(step), stages(plan.getPp()) {}

  LogicalResult run();

private:
  bool collectTasks();
  LogicalResult collectChannels();
  LogicalResult addEnd(Operation *op, int64_t channel, int64_t stage,
                       TaskKind kind, bool isSource);
  FailureOr<PipelineTimes> simulate();
  void writeSchedule(int64_t stage);
  std::map<std::string, BufferUse> collectUses(int64_t stage);
  int64_t countSlots(int64_t stage, const BufferUse &use,
                     const PipelineTimes &times) const;
  void setSlots(int64_t stage, const PipelineTimes &times);
  void insertWaits(int64_t stage);

  ModuleOp module;
  PlanAttr plan;
  StringRef step;
  std::vector<StageTasks> stages;
  std::vector<SmallVector<Round>> rounds;
  std::map<int64_t, ChannelEnds> channels; // by id
};

bool StepScheduler::collectTasks() {
  bool any = false;
  for (auto function : module.getOps<func::FuncOp>()) {
    auto kind = function->getAttrOfType<TaskKindAttr>(kTaskAttr);
    auto stage = function->getAttrOfType<IntegerAttr>(kTaskStageAttr);
    auto name = function->getAttrOfType<StringAttr>(kStepKindAttr);
    if (!kind || !stage || !name || name.getValue() != step ||
        stage.getInt() < 0 || stage.getInt() >= plan.getPp())
      continue;
    stages[stage.getInt()][kind.getValue()] = function;
    any = true;
  }
  return any;
}

/// Notes one end of a channel; it belongs to one loop task.
LogicalResult StepScheduler::addEnd(Operation *op, int64_t channel,
                                    int64_t stage, TaskKind kind,
                                    bool isSource) {
  if (!isLoopTask(kind))
    return op->emitOpError("stands in the ")
           << stringifyTaskKind(kind) << " of stage " << stage
           << ", expected a task of the loop";
  ChannelEnds &ends = channels[channel];
  auto &end = isSource ? ends.source : ends.destination;
  ++(isSource ? ends.sends : ends.receives);
  if (end && *end != std::pair(stage, kind))
    return op->emitOpError("uses channel ")
           << channel << ", as another task than this of stage " << stage
           << " does; each task has its own";
  end = {stage, kind};
  return success();
}

LogicalResult StepScheduler::collectChannels() {
  for (auto [stage, tasks] : llvm::enumerate(stages))
    for (auto &[kind, function] : tasks) {
      auto add = [&, kind = kind, stage = int64_t(stage)](Operation *op) {
        if (auto send = dyn_cast<SendOp>(op))
          return WalkResult(addEnd(op, send.getChannel(), stage, kind, true));
        if (auto receive = dyn_cast<RecvOp>(op))
          return WalkResult(
              addEnd(op, receive.getChannel(), stage, kind, false));
        return WalkResult::advance();
      };
      if (function.walk(add).wasInterrupted())
        return failure();
    }
  for (auto &[id, ends] : channels)
    if (ends.sends != ends.receives)
      return module.emitError("channel ")
             << id << " has " << ends.sends << " sends and " << ends.receives
             << " receives a micro-batch, expected as many";
  return success();
}

FailureOr<PipelineTimes> StepScheduler::simulate() {
  std::vector<SmallVector<LoopCall>> orders;
  for (auto [stage, tasks] : llvm::enumerate(stages)) {
    LoopTasks loop;
    loop.forward = tasks.count(TaskKind::Forward);
    loop.backward = tasks.count(TaskKind::Backward);
    loop.weight = tasks.count(TaskKind::Weight);
    rounds.push_back(makeRounds(plan.getSchedule(), stage, plan.getPp(),
                                plan.getMicroBatches(), loop));
    orders.push_back(expandRounds(rounds.back()));
  }
  SmallVector<SimulatedChannel> simulated;
  for (auto &entry : channels)
    simulated.push_back(entry.second.simulated());
  return simulatePipeline(
      std::move(orders), simulated, [](int64_t, TaskKind) { return 1.0; },
      [&] { return module.emitError(); });
}

void StepScheduler::writeSchedule(int64_t stage) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = module.getLoc();
  auto schedule = builder.create<ScheduleOp>(
      loc, ("stage" + Twine(stage) + "." + step).str(), stage);
  builder.setInsertionPointToStart(&schedule.getBody().emplaceBlock());
  auto call = [&](TaskKind kind, int64_t first) {
    auto task = stages[stage].find(kind);
    if (task != stages[stage].end())
      builder.create<CallOp>(loc, task->second.getSymName(), first);
  };
  call(TaskKind::Prologue, 0);
  for (const Round &round : rounds[stage]) {
    auto repeat = builder.create<RepeatOp>(loc, round.count);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&repeat.getBody().emplaceBlock());
    for (const RoundCall &entry : round.calls)
      call(entry.task, entry.first);
  }
  call(TaskKind::Epilogue, 0);
}

std::map<std::string, BufferUse> StepScheduler::collectUses(int64_t stage) {
  std::map<std::string, BufferUse> uses;
  SymbolTable symbols(module);
  for (auto &[kind, function] : stages[stage]) {
    function.walk([&, kind = kind](Operation *op) {
      if (auto save = dyn_cast<SaveOp>(op); save && isLoopTask(kind)) {
        BufferUse &use = uses[save.getBuffer().str()];
        use.buffer = symbols.lookup<BufferOp>(save.getBuffer());
        use.writer = kind;
      } else if (auto load = dyn_cast<LoadOp>(op)) {
        BufferUse &use = uses[load.getBuffer().str()];
        use.readers.push_back(kind);
        for (Operation *user : load->getUsers())
          if (auto send = dyn_cast<SendOp>(user))
            use.channels.push_back(send.getChannel());
      }
    });
  }
  return uses;
}

/// The fewest slots with which no call overwrites a micro-batch that is still
/// read here or not yet received there.
int64_t StepScheduler::countSlots(int64_t stage, const BufferUse &use,
                                  const PipelineTimes &times) const {
  int64_t microBatches = plan.getMicroBatches();
  auto suffices = [&](int64_t slots) {
    for (int64_t m = slots; m < microBatches; ++m) {
      LoopCall writer{*use.writer, m};
      for (TaskKind reader : use.readers)
        if (reader != *use.writer && isLoopTask(reader) &&
            times.indexOf(stage, {reader, m - slots}) >
                times.indexOf(stage, writer))
          return false;
      for (int64_t id : use.channels) {
        SimulatedChannel channel = channels.at(id).simulated();
        if (times.at(channel.destination, {channel.receiver, m - slots})
                .start >= times.at(stage, writer).start)
          return false;
      }
    }
    return true;
  };
  int64_t slots = 1;
  while (!suffices(slots))
    ++slots;
  return slots;
}

void StepScheduler::setSlots(int64_t stage, const PipelineTimes &times) {
  for (auto &entry : collectUses(stage))
    if (BufferUse &use = entry.second; use.writer && use.buffer)
      use.buffer.setSlots(countSlots(stage, use, times));
}

/// Before a task overwrites a slot that it sent from, the peer must have taken
/// what was in it. With n posts a call on a channel, the i-th from a buffer of
/// k slots, the call for micro-batch m follows n m posts, and the one of
/// m - k is number n (m - k) + i: at most n k - i - 1 may be pending.
void StepScheduler::insertWaits(int64_t stage) {
  SymbolTable symbols(module);
  for (auto &[kind, function] : stages[stage]) {
    if (!isLoopTask(kind))
      continue;
    std::map<int64_t, SmallVector<std::pair<SendOp, int64_t>>> sends;
    function.walk([&](SendOp send) {
      auto load = send.getValue().getDefiningOp<LoadOp>();
      auto buffer = load ? symbols.lookup<BufferOp>(load.getBuffer()) : nullptr;
      sends[send.getChannel()].push_back(
          {send, buffer ? buffer.getSlots() : int64_t(1)});
    });
    OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
    for (auto &[channel, posts] : sends) {
      int64_t posted = posts.size();
      int64_t pending = posted * plan.getMicroBatches();
      for (auto [i, post] : llvm::enumerate(posts))
        pending = std::min<int64_t>(pending, posted * post.second - i - 1);
      // A step starts with empty channels, so this many are never pending.
      if (pending >= posted * (plan.getMicroBatches() - 1))
        continue;
      SendOp first = posts.front().first;
      auto wait = builder.create<WaitOp>(first.getLoc(), channel, pending);
      for (StringRef name : {StringRef(kNameAttr), StringRef(kPhaseAttr)})
        if (Attribute attribute = first->getAttr(name))
          wait->setAttr(name, attribute);
    }
  }
}

LogicalResult StepScheduler::run() {
  if (!collectTasks())
    return success();
  if (failed(collectChannels()))
    return failure();
  FailureOr<PipelineTimes> times = simulate();
  if (failed(times))
    return failure();
  for (int64_t stage = 0; stage < plan.getPp(); ++stage) {
    setSlots(stage, *times);
    insertWaits(stage);
    writeSchedule(stage);
  }
  return success();
}

struct SchedulePass : public impl::SchedulePassBase<SchedulePass> {
  using SchedulePassBase::SchedulePassBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    if (!module.getOps<ScheduleOp>().empty())
      return;
    auto plan = module->getAttrOfType<PlanAttr>(kPlanAttr);
    if (!plan) {
      module.emitError("has no ") << kPlanAttr
                                  << ", which says how many "
                                     "micro-batches a step has";
      return signalPassFailure();
    }
    for (StringRef step : {"train", "evaluate"})
      if (failed(StepScheduler(module, plan, step).run()))
        return signalPassFailure();
  }
};

} // namespace
} // namespace mlir::dtc
