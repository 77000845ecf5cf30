//===- ScheduleRun.cpp - Tasks and schedules, each rank with a cursor -----===//
//
// Every rank walks its stage's schedule until it must wait: for the members of
// its next collective, for a message, or for a message of its own to be taken.
// The ranks take turns; when none can go on, the step hangs, and the report says
// where each rank waits.
//
//===----------------------------------------------------------------------===//

#include "ir/interpreter/SimulatedRanks.h"

#include "ir/DtcOps.h"

#include <deque>

namespace mlir::dtc {
namespace {

/// One call of a task, with the repeat unrolled.
struct TaskCall {
  func::FuncOp task;
  int64_t microBatch = 0;
};

/// A copy of a buffer, and the micro-batch that filled it.
struct Slot {
  std::optional<HostTensor> value;
  int64_t microBatch = -1;
};

/// A rank's cursor and what it remembers between tasks.
struct RankState {
  size_t rank = 0;
  std::vector<TaskCall> calls;
  size_t call = 0;
  Operation *next = nullptr; ///< op that the cursor stands before
  ValueMap values;           ///< of the running call
  llvm::StringMap<std::vector<Slot>> buffers;
  std::map<std::vector<size_t>, size_t> meetings; ///< joined, by group
  bool hasJoined = false; ///< stands in its next collective

  bool isDone() const { return call == calls.size(); }
};

/// The n-th collective of one group.
struct Meeting {
  std::map<size_t, Operation *> ops; ///< by rank
  std::map<size_t, std::optional<HostTensor>> inputs;
  std::map<size_t, HostTensor> outputs;
};

/// Messages of one channel from one rank to another, sent and not yet taken.
struct ChannelKey {
  int64_t channel;
  size_t source, destination;
  bool operator<(const ChannelKey &o) const {
    return std::tie(channel, source, destination) <
           std::tie(o.channel, o.source, o.destination);
  }
};

class ScheduleRun {
public:
  ScheduleRun(ModuleOp module, const Mesh &mesh, Interpreter &interpreter,
              VariableStore &variables, InputLookup inputs,
              const PlaceContext &prototype, StepTrace &trace)
      : module(module), mesh(mesh), interpreter(interpreter),
        variables(variables), inputs(inputs), prototype(prototype),
        trace(trace) {}

  LogicalResult run(StringRef kind);

private:
  enum class Outcome { Advanced, Waits };

  LogicalResult findCalls(StringRef kind);
  LogicalResult addCalls(Block &block, std::optional<int64_t> round,
                         RankState &rank);
  FailureOr<Outcome> advance(RankState &rank);
  FailureOr<Outcome> runOp(RankState &rank, Operation *op);
  FailureOr<Outcome> runCollective(RankState &rank, Collective op);
  LogicalResult combine(Meeting &meeting, ArrayRef<size_t> members);
  LogicalResult runSend(RankState &rank, SendOp op);
  FailureOr<Outcome> runRecv(RankState &rank, RecvOp op);
  FailureOr<Outcome> runWait(RankState &rank, WaitOp op);
  LogicalResult runLoad(RankState &rank, LoadOp op);
  LogicalResult runAccumulate(RankState &rank, AccumulateIntoOp op);
  LogicalResult runReadBatch(RankState &rank, ReadBatchOp op);
  LogicalResult runLocal(RankState &rank, Operation *op);
  LogicalResult finishStep();
  LogicalResult reportDeadlock();

  FailureOr<Slot *> findSlot(RankState &rank, Operation *op, StringRef buffer);
  LogicalResult put(RankState &rank, Operation *op, StringRef buffer,
                    const HostTensor &value);
  LogicalResult keep(RankState &rank, OpResult result, HostTensor value);
  PlaceContext at(const RankState &rank, Operation *op) const;
  std::vector<size_t> getMembers(const RankState &rank, Collective op) const;
  size_t getPeer(const RankState &rank, int64_t stage) const;
  int64_t getMicroBatch(const RankState &rank) const {
    return rank.calls[rank.call].microBatch;
  }
  const Coordinates &getCoordinates(size_t rank) const {
    return mesh.getPlace(mesh.getPlaceOf(rank, 0));
  }

  ModuleOp module;
  const Mesh &mesh;
  Interpreter &interpreter;
  VariableStore &variables;
  InputLookup inputs;
  PlaceContext prototype;
  StepTrace &trace;
  std::vector<RankState> ranks;
  std::map<std::pair<std::vector<size_t>, size_t>, Meeting> meetings;
  std::map<ChannelKey, std::deque<HostTensor>> channels;
};

//===-- Schedules -----------------------------------------------------------===//

LogicalResult ScheduleRun::addCalls(Block &block, std::optional<int64_t> round,
                                    RankState &rank) {
  for (Operation &op : block) {
    if (auto repeat = dyn_cast<RepeatOp>(op)) {
      for (int64_t i = 0; i < static_cast<int64_t>(repeat.getCount()); ++i)
        if (failed(addCalls(repeat.getBody().front(), i, rank)))
          return failure();
      continue;
    }
    auto call = dyn_cast<CallOp>(op);
    if (!call)
      return op.emitOpError("stands in a schedule; expected call and repeat");
    auto task = module.lookupSymbol<func::FuncOp>(call.getTask());
    if (!task)
      return call.emitOpError("calls ") << call.getTask() << ", which is no task";
    int64_t microBatch =
        round.value_or(0) + static_cast<int64_t>(call.getFirst());
    if (microBatch < 0 || microBatch >= mesh.getMicroBatches())
      return call.emitOpError("runs micro-batch ")
             << microBatch << " of " << mesh.getMicroBatches();
    rank.calls.push_back({task, microBatch});
  }
  return success();
}

LogicalResult ScheduleRun::findCalls(StringRef kind) {
  std::map<int64_t, ScheduleOp> schedules;
  for (ScheduleOp schedule : module.getOps<ScheduleOp>())
    if (schedule.getSymName().ends_with(("." + kind).str()))
      schedules[schedule.getStage()] = schedule;
  std::optional<size_t> pp = mesh.getAxis(kAxisPp);
  for (size_t rank = 0; rank < mesh.getRankCount(); ++rank) {
    int64_t stage = pp ? getCoordinates(rank)[*pp] : 0;
    auto schedule = schedules.find(stage);
    if (schedule == schedules.end())
      return module.emitError("stage ")
             << stage << " has no schedule whose name ends in ." << kind;
    ranks.emplace_back();
    ranks.back().rank = rank;
    if (failed(addCalls(schedule->second.getBody().front(), std::nullopt,
                        ranks.back())))
      return failure();
  }
  return success();
}

//===-- Places --------------------------------------------------------------===//

PlaceContext ScheduleRun::at(const RankState &rank, Operation *op) const {
  PlaceContext context = prototype;
  context.op = op;
  context.coordinates =
      mesh.getPlace(mesh.getPlaceOf(rank.rank, getMicroBatch(rank)));
  return context;
}

std::vector<size_t> ScheduleRun::getMembers(const RankState &rank,
                                            Collective op) const {
  SmallVector<StringRef> axes = op.getGroupAxes();
  const Coordinates &own = getCoordinates(rank.rank);
  std::vector<size_t> members;
  for (size_t other = 0; other < ranks.size(); ++other) {
    const Coordinates &place = getCoordinates(other);
    bool isMember = isHeldAt(op->getOperand(0).getType(), place) ||
                    isHeldAt(op->getResult(0).getType(), place);
    for (auto [i, axis] : llvm::enumerate(mesh.getAxes()))
      isMember &= llvm::is_contained(axes, axis.name.getValue()) ||
                  place[i] == own[i];
    if (isMember)
      members.push_back(other);
  }
  return members;
}

size_t ScheduleRun::getPeer(const RankState &rank, int64_t stage) const {
  std::optional<size_t> pp = mesh.getAxis(kAxisPp);
  size_t place = mesh.getPlaceOf(rank.rank, 0);
  return pp ? mesh.getRank(mesh.withCoordinate(place, *pp, stage)) : rank.rank;
}

LogicalResult ScheduleRun::keep(RankState &rank, OpResult result,
                                HostTensor value) {
  trace.record(result, mesh.getPlaceOf(rank.rank, getMicroBatch(rank)),
               mesh.getPlaceCount(), value);
  rank.values[result] = std::move(value);
  return success();
}

//===-- Buffers -------------------------------------------------------------===//

FailureOr<Slot *> ScheduleRun::findSlot(RankState &rank, Operation *op,
                                        StringRef name) {
  auto buffer = module.lookupSymbol<BufferOp>(name);
  if (!buffer)
    return op->emitOpError("names ") << name << ", which is no buffer";
  std::vector<Slot> &slots = rank.buffers[name];
  slots.resize(buffer.getSlots());
  return &slots[getMicroBatch(rank) % buffer.getSlots()];
}

LogicalResult ScheduleRun::put(RankState &rank, Operation *op, StringRef buffer,
                               const HostTensor &value) {
  FailureOr<Slot *> slot = findSlot(rank, op, buffer);
  if (failed(slot))
    return failure();
  (*slot)->value = value;
  (*slot)->microBatch = getMicroBatch(rank);
  return success();
}

/// True for values that each micro-batch has of its own.
static bool variesOverMicroBatches(Type type) {
  LayoutAttr layout = getLayout(type);
  return layout && layout.hasAxis(kAxisMb) &&
         !layout.on(kAxisMb).isReplicated();
}

LogicalResult ScheduleRun::runLoad(RankState &rank, LoadOp op) {
  FailureOr<Slot *> slot = findSlot(rank, op, op.getBuffer());
  if (failed(slot))
    return failure();
  if (!(*slot)->value)
    return op.emitOpError("loads ") << op.getBuffer() << " on rank " << rank.rank
                                    << " before anything was saved in it";
  if (variesOverMicroBatches(op.getType()) &&
      (*slot)->microBatch != getMicroBatch(rank))
    return op.emitOpError("loads ")
           << op.getBuffer() << " on rank " << rank.rank << " for micro-batch "
           << getMicroBatch(rank) << ", but its slot holds micro-batch "
           << (*slot)->microBatch << "; it needs more slots or another order";
  return keep(rank, cast<OpResult>(op.getResult()), *(*slot)->value);
}

LogicalResult ScheduleRun::runAccumulate(RankState &rank, AccumulateIntoOp op) {
  FailureOr<Slot *> slot = findSlot(rank, op, op.getBuffer());
  if (failed(slot))
    return failure();
  if (!(*slot)->value)
    return op.emitOpError("adds to ")
           << op.getBuffer() << " on rank " << rank.rank
           << " before it was cleared";
  HostTensor &total = *(*slot)->value;
  const HostTensor &term = rank.values[op.getValue()];
  Type elementType =
      cast<RankedTensorType>(op.getValue().getType()).getElementType();
  for (int64_t i = 0; i < total.getElementCount(); ++i)
    total[i] += term[i];
  if (interpreter.isTyped())
    roundToType(total, elementType);
  return success();
}

LogicalResult ScheduleRun::runReadBatch(RankState &rank, ReadBatchOp op) {
  FailureOr<HostTensor> global = inputs(op, op.getInput());
  if (failed(global))
    return failure();
  auto buffer = module.lookupSymbol<BufferOp>(op.getBuffer());
  if (!buffer)
    return op.emitOpError("names ") << op.getBuffer() << ", which is no buffer";
  return put(rank, op, op.getBuffer(),
             distribute(*global, buffer.getType(), getCoordinates(rank.rank)));
}

//===-- Communication -------------------------------------------------------===//

static std::string describeRanks(ArrayRef<size_t> ranks) {
  std::string text = "{";
  for (size_t rank : ranks)
    text += (text.size() == 1 ? "" : ",") + std::to_string(rank);
  return text + "}";
}

static StringRef getModelName(Operation *op) {
  auto name = op->getAttrOfType<StringAttr>(kNameAttr);
  return name ? name.getValue() : "an op without dtc.name";
}

/// True where two members of a group are in the same collective.
static bool isSameCollective(Operation *a, Operation *b) {
  return a == b || (a->getName() == b->getName() &&
                    getModelName(a) == getModelName(b) &&
                    a->getResultTypes() == b->getResultTypes());
}

LogicalResult ScheduleRun::combine(Meeting &meeting, ArrayRef<size_t> members) {
  SmallVector<PlaceContext> contexts;
  SmallVector<const HostTensor *> inputs;
  for (size_t member : members) {
    contexts.push_back(at(ranks[member], meeting.ops[member]));
    std::optional<HostTensor> &input = meeting.inputs[member];
    inputs.push_back(input ? &*input : nullptr);
  }
  SmallVector<const PlaceContext *> places;
  for (const PlaceContext &context : contexts)
    places.push_back(&context);
  SmallVector<HostTensor> outputs(members.size());
  auto collective = cast<Collective>(meeting.ops[members.front()]);
  if (failed(collective.combine(places, inputs, outputs)))
    return failure();
  for (auto [member, output] : llvm::zip_equal(members, outputs))
    meeting.outputs[member] = std::move(output);
  return success();
}

FailureOr<ScheduleRun::Outcome> ScheduleRun::runCollective(RankState &rank,
                                                           Collective op) {
  std::vector<size_t> members = getMembers(rank, op);
  Meeting &meeting = meetings[{members, rank.meetings[members]}];
  if (!rank.hasJoined) {
    for (auto [other, otherOp] : meeting.ops)
      if (!isSameCollective(op, otherOp)) {
        InFlightDiagnostic error = op->emitOpError("of ")
            << getModelName(op) << " is collective " << rank.meetings[members]
            << " of ranks " << describeRanks(members) << " on rank "
            << rank.rank << ", where rank " << other << " has another";
        error.attachNote(otherOp->getLoc())
            << otherOp->getName() << " of " << getModelName(otherOp);
        return error;
      }
    meeting.ops[rank.rank] = op;
    auto input = rank.values.find(op->getOperand(0));
    if (input != rank.values.end())
      meeting.inputs[rank.rank] = input->second;
    rank.hasJoined = true;
    if (meeting.ops.size() == members.size() &&
        failed(combine(meeting, members)))
      return failure();
  }
  auto output = meeting.outputs.find(rank.rank);
  if (output == meeting.outputs.end())
    return Outcome::Waits;
  rank.hasJoined = false;
  ++rank.meetings[members];
  auto result = cast<OpResult>(op->getResult(0));
  if (failed(interpreter.finish(result, at(rank, op), output->second,
                                meeting.inputs[rank.rank]
                                    ? meeting.inputs[rank.rank]->fill
                                    : 0)) ||
      failed(keep(rank, result, output->second)))
    return failure();
  return Outcome::Advanced;
}

LogicalResult ScheduleRun::runSend(RankState &rank, SendOp op) {
  size_t peer = getPeer(rank, op.getPeerStage());
  channels[{static_cast<int64_t>(op.getChannel()), rank.rank, peer}].push_back(
      rank.values[op.getValue()]);
  return success();
}

FailureOr<ScheduleRun::Outcome> ScheduleRun::runRecv(RankState &rank,
                                                     RecvOp op) {
  size_t peer = getPeer(rank, op.getPeerStage());
  std::deque<HostTensor> &messages =
      channels[{static_cast<int64_t>(op.getChannel()), peer, rank.rank}];
  if (messages.empty())
    return Outcome::Waits;
  HostTensor message = std::move(messages.front());
  messages.pop_front();
  auto result = cast<OpResult>(op.getResult());
  double fill = message.fill;
  if (failed(interpreter.finish(result, at(rank, op), message, fill)) ||
      failed(keep(rank, result, std::move(message))))
    return failure();
  return Outcome::Advanced;
}

FailureOr<ScheduleRun::Outcome> ScheduleRun::runWait(RankState &rank,
                                                     WaitOp op) {
  size_t notTaken = 0;
  for (const auto &[key, messages] : channels)
    if (key.channel == static_cast<int64_t>(op.getChannel()) &&
        key.source == rank.rank)
      notTaken += messages.size();
  return notTaken <= op.getPending() ? Outcome::Advanced : Outcome::Waits;
}

//===-- Steps of a cursor ---------------------------------------------------===//

LogicalResult ScheduleRun::runLocal(RankState &rank, Operation *op) {
  if (!Interpreter::canRun(op))
    return op->emitOpError("has no meaning in a task");
  auto distributable = dyn_cast<Distributable>(op);
  bool joinsStages = distributable && distributable.joinsStages();
  SmallVector<const HostTensor *> operands;
  for (Value operand : op->getOperands())
    if (isHeldAt(operand.getType(), getCoordinates(rank.rank)) || !joinsStages)
      operands.push_back(&rank.values[operand]);
  SmallVector<HostTensor> results;
  if (failed(interpreter.run(op, at(rank, op), operands, results)))
    return failure();
  for (auto [result, value] : llvm::zip_equal(op->getResults(), results))
    if (failed(keep(rank, cast<OpResult>(result), std::move(value))))
      return failure();
  return success();
}

FailureOr<ScheduleRun::Outcome> ScheduleRun::runOp(RankState &rank,
                                                   Operation *op) {
  auto advanced = [](LogicalResult result) -> FailureOr<Outcome> {
    if (failed(result))
      return failure();
    return Outcome::Advanced;
  };
  if (auto collective = dyn_cast<Collective>(op))
    return runCollective(rank, collective);
  if (auto recv = dyn_cast<RecvOp>(op))
    return runRecv(rank, recv);
  if (auto wait = dyn_cast<WaitOp>(op))
    return runWait(rank, wait);
  if (auto send = dyn_cast<SendOp>(op))
    return advanced(runSend(rank, send));
  if (auto load = dyn_cast<LoadOp>(op))
    return advanced(runLoad(rank, load));
  if (auto save = dyn_cast<SaveOp>(op))
    return advanced(
        put(rank, op, save.getBuffer(), rank.values[save.getValue()]));
  if (auto accumulate = dyn_cast<AccumulateIntoOp>(op))
    return advanced(runAccumulate(rank, accumulate));
  if (auto batch = dyn_cast<ReadBatchOp>(op))
    return advanced(runReadBatch(rank, batch));
  if (auto clear = dyn_cast<ClearOp>(op)) {
    auto buffer = module.lookupSymbol<BufferOp>(clear.getBuffer());
    if (!buffer)
      return op->emitOpError("names ") << clear.getBuffer() << ", no buffer";
    return advanced(
        put(rank, op, clear.getBuffer(), makeHostTensor(buffer.getType())));
  }
  if (auto read = dyn_cast<ReadOp>(op)) {
    FailureOr<HostTensor> value =
        variables.read(op, read.getVariable(), rank.rank);
    if (failed(value))
      return failure();
    return advanced(keep(rank, cast<OpResult>(read.getResult()), *value));
  }
  if (auto store = dyn_cast<StoreOp>(op))
    return advanced(variables.store(op, store.getVariable(), rank.rank,
                                    rank.values[store.getValue()]));
  if (auto report = dyn_cast<ReportOp>(op))
    return advanced(trace.report(op, report.getMetric(),
                                 rank.values[report.getValue()][0]));
  return advanced(runLocal(rank, op));
}

/// Moves a cursor by one op, or past the end of a task.
FailureOr<ScheduleRun::Outcome> ScheduleRun::advance(RankState &rank) {
  if (!rank.next)
    rank.next = &rank.calls[rank.call].task.getBody().front().front();
  if (isa<func::ReturnOp>(rank.next)) {
    rank.values.clear();
    rank.next = nullptr;
    ++rank.call;
    return Outcome::Advanced;
  }
  FailureOr<Outcome> outcome = runOp(rank, rank.next);
  if (succeeded(outcome) && *outcome == Outcome::Advanced)
    rank.next = rank.next->getNextNode();
  return outcome;
}

LogicalResult ScheduleRun::reportDeadlock() {
  InFlightDiagnostic error = module.emitError(
      "the step hangs: no rank can go on, and these wait");
  for (RankState &rank : ranks) {
    if (rank.isDone())
      continue;
    error.attachNote(rank.next->getLoc())
        << "rank " << rank.rank << " (" << mesh.describe(getCoordinates(rank.rank))
        << ") waits in " << rank.next->getName() << " of "
        << getModelName(rank.next) << ", task "
        << rank.calls[rank.call].task.getSymName() << ", micro-batch "
        << getMicroBatch(rank);
  }
  return error;
}

LogicalResult ScheduleRun::finishStep() {
  for (const auto &[key, messages] : channels)
    if (!messages.empty())
      return module.emitError("channel ")
             << key.channel << " from rank " << key.source << " to rank "
             << key.destination << " ends the step with " << messages.size()
             << " messages that nobody received";
  for (const auto &[name, records] : trace.values)
    for (const ValueRecord &record : records)
      if (failed(checkReplicas(record.op, name, record.type, mesh,
                               record.parts)))
        return failure();
  return variables.commit();
}

LogicalResult ScheduleRun::run(StringRef kind) {
  if (failed(findCalls(kind)))
    return failure();
  bool isDone = false;
  while (!isDone) {
    isDone = true;
    bool hasAdvanced = false;
    for (RankState &rank : ranks) {
      while (!rank.isDone()) {
        FailureOr<Outcome> outcome = advance(rank);
        if (failed(outcome))
          return failure();
        if (*outcome == Outcome::Waits)
          break;
        hasAdvanced = true;
      }
      isDone &= rank.isDone();
    }
    if (!isDone && !hasAdvanced)
      return reportDeadlock();
  }
  return finishStep();
}

} // namespace

LogicalResult runSchedules(ModuleOp module, StringRef kind, const Mesh &mesh,
                           Interpreter &interpreter, VariableStore &variables,
                           InputLookup inputs, PlaceContext prototype,
                           StepTrace &trace) {
  return ScheduleRun(module, mesh, interpreter, variables, inputs, prototype,
                     trace)
      .run(kind);
}

} // namespace mlir::dtc
