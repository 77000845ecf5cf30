//===- ScheduleRun.cpp - Tasks and schedules, each rank with a cursor -----===//
//
// Every rank walks its stage's schedule until it must wait: for the members of
// its next collective, for a message, or for a message of its own to be taken.
// The ranks take turns; when none can go on, the step hangs, and the report
// says where each rank waits.
//
//===----------------------------------------------------------------------===//

#include "ir/interpreter/SimulatedRanks.h"

#include "ir/DtcOps.h"
#include "ir/interpreter/Exchange.h"

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

  bool isDone() const { return call == calls.size(); }
};

class ScheduleRun {
public:
  ScheduleRun(ModuleOp module, const Mesh &mesh, Interpreter &interpreter,
              VariableStore &variables, InputLookup inputs,
              const PlaceContext &prototype, StepTrace &trace)
      : module(module), mesh(mesh), interpreter(interpreter),
        variables(variables), inputs(inputs), prototype(prototype),
        trace(trace), exchange(mesh) {}

  LogicalResult run(StringRef kind);

private:
  enum class Outcome { Advanced, Waits };

  LogicalResult findCalls(StringRef kind);
  LogicalResult addCalls(Block &block, std::optional<int64_t> round,
                         RankState &rank);
  FailureOr<Outcome> advance(RankState &rank);
  FailureOr<Outcome> runOp(RankState &rank, Operation *op);
  FailureOr<Outcome> runCollective(RankState &rank, Collective op);
  void runSend(RankState &rank, SendOp op);
  FailureOr<Outcome> runRecv(RankState &rank, RecvOp op);
  LogicalResult runLoad(RankState &rank, LoadOp op);
  LogicalResult runAccumulate(RankState &rank, AccumulateIntoOp op);
  LogicalResult runReadBatch(RankState &rank, ReadBatchOp op);
  LogicalResult runLocal(RankState &rank, Operation *op);
  LogicalResult finishStep();
  LogicalResult reportDeadlock();

  FailureOr<Slot *> findSlot(RankState &rank, Operation *op, StringRef buffer);
  LogicalResult put(RankState &rank, Operation *op, StringRef buffer,
                    const HostTensor &value);
  void keep(RankState &rank, OpResult result, HostTensor value);
  PlaceContext at(const RankState &rank, Operation *op) const;
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
  Exchange exchange;
};

//===-- Schedules
//-----------------------------------------------------------===//

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
      return call.emitOpError("calls ")
             << call.getTask() << ", which is no task";
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

//===-- Places
//--------------------------------------------------------------===//

PlaceContext ScheduleRun::at(const RankState &rank, Operation *op) const {
  PlaceContext context = prototype;
  context.op = op;
  context.coordinates =
      mesh.getPlace(mesh.getPlaceOf(rank.rank, getMicroBatch(rank)));
  return context;
}

size_t ScheduleRun::getPeer(const RankState &rank, int64_t stage) const {
  std::optional<size_t> pp = mesh.getAxis(kAxisPp);
  size_t place = mesh.getPlaceOf(rank.rank, 0);
  return pp ? mesh.getRank(mesh.withCoordinate(place, *pp, stage)) : rank.rank;
}

void ScheduleRun::keep(RankState &rank, OpResult result, HostTensor value) {
  trace.record(result, mesh.getPlaceOf(rank.rank, getMicroBatch(rank)),
               mesh.getPlaceCount(), value);
  rank.values[result] = std::move(value);
}

//===-- Buffers
//-------------------------------------------------------------===//

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
    return op.emitOpError("loads ")
           << op.getBuffer() << " on rank " << rank.rank
           << " before anything was saved in it";
  if (variesOverMicroBatches(op.getType()) &&
      (*slot)->microBatch != getMicroBatch(rank))
    return op.emitOpError("loads ")
           << op.getBuffer() << " on rank " << rank.rank << " for micro-batch "
           << getMicroBatch(rank) << ", but its slot holds micro-batch "
           << (*slot)->microBatch << "; it needs more slots or another order";
  keep(rank, cast<OpResult>(op.getResult()), *(*slot)->value);
  return success();
}

LogicalResult ScheduleRun::runAccumulate(RankState &rank, AccumulateIntoOp op) {
  FailureOr<Slot *> slot = findSlot(rank, op, op.getBuffer());
  if (failed(slot))
    return failure();
  if (!(*slot)->value)
    return op.emitOpError("adds to ") << op.getBuffer() << " on rank "
                                      << rank.rank << " before it was cleared";
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

//===-- Communication
//-------------------------------------------------------===//

FailureOr<ScheduleRun::Outcome> ScheduleRun::runCollective(RankState &rank,
                                                           Collective op) {
  auto input = rank.values.find(op->getOperand(0));
  const HostTensor *held =
      input == rank.values.end() ? nullptr : &input->second;
  if (failed(exchange.enter(rank.rank, at(rank, op), held)))
    return failure();
  std::optional<HostTensor> output = exchange.leave(rank.rank, op);
  if (!output)
    return Outcome::Waits;
  auto result = cast<OpResult>(op->getResult(0));
  if (failed(interpreter.finish(result, at(rank, op), *output,
                                held ? held->fill : 0)))
    return failure();
  keep(rank, result, std::move(*output));
  return Outcome::Advanced;
}

void ScheduleRun::runSend(RankState &rank, SendOp op) {
  exchange.post(op.getChannel(), rank.rank, getPeer(rank, op.getPeerStage()),
                rank.values[op.getValue()]);
}

FailureOr<ScheduleRun::Outcome> ScheduleRun::runRecv(RankState &rank,
                                                     RecvOp op) {
  std::optional<HostTensor> message = exchange.take(
      op.getChannel(), getPeer(rank, op.getPeerStage()), rank.rank);
  if (!message)
    return Outcome::Waits;
  auto result = cast<OpResult>(op.getResult());
  if (failed(interpreter.finish(result, at(rank, op), *message, message->fill)))
    return failure();
  keep(rank, result, std::move(*message));
  return Outcome::Advanced;
}

//===-- Steps of a cursor
//---------------------------------------------------===//

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
    keep(rank, cast<OpResult>(result), std::move(value));
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
    return exchange.countNotTaken(wait.getChannel(), rank.rank) <=
                   wait.getPending()
               ? Outcome::Advanced
               : Outcome::Waits;
  if (auto send = dyn_cast<SendOp>(op)) {
    runSend(rank, send);
    return Outcome::Advanced;
  }
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
    keep(rank, cast<OpResult>(read.getResult()), std::move(*value));
    return Outcome::Advanced;
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
  InFlightDiagnostic error =
      module.emitError("the step hangs: no rank can go on, and these wait");
  for (RankState &rank : ranks) {
    if (rank.isDone())
      continue;
    error.attachNote(rank.next->getLoc())
        << "rank " << rank.rank << " ("
        << mesh.describe(getCoordinates(rank.rank)) << ") waits in "
        << rank.next->getName() << " of " << describeModelName(rank.next)
        << ", task " << rank.calls[rank.call].task.getSymName()
        << ", micro-batch " << getMicroBatch(rank);
  }
  return error;
}

LogicalResult ScheduleRun::finishStep() {
  if (failed(exchange.checkAllTaken(module)))
    return failure();
  for (const auto &[name, records] : trace.values)
    for (const ValueRecord &record : records)
      if (failed(
              checkReplicas(record.op, name, record.type, mesh, record.parts)))
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
