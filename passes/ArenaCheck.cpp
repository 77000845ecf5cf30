//===- ArenaCheck.cpp - Does every read see what was written? -------------===//
//
// A wrong lifetime gives two values the same bytes, and nothing shows it but
// numbers. Here each write leaves its mark on the bytes of its place; what a
// value is made of is remembered when it is made, and compared when it is read.
// Ops are followed in the order of the schedule, all micro-batches, so slots
// and the rows of a batch are seen as they are used.
//
//===----------------------------------------------------------------------===//

#include "passes/ArenaCheck.h"

#include "passes/MarkedBytes.h"
#include "passes/MemoryAttributes.h"
#include "passes/StepFunctions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/StringMap.h"

#include <deque>
#include <map>

namespace mlir::dtc {
namespace {

/// A value, buffer or variable: its bytes, and their marks when it was made.
struct Content {
  ByteRange range;
  Marks marks;
};

class StageRun {
public:
  StageRun(ModuleOp module, int64_t stage, int64_t arenaBytes);

  /// Runs the stage's schedule of a step once, if it has one.
  LogicalResult run(StringRef stepKind);

private:
  LogicalResult runTask(func::FuncOp task, int64_t microBatch);
  LogicalResult visit(Operation *op);
  LogicalResult visitBufferOp(Operation *op, BufferOp buffer);
  LogicalResult visitStore(StoreOp store);
  LogicalResult retirePosts(Operation *op, int64_t channel, size_t pending);
  LogicalResult makeResults(Operation *op);
  LogicalResult expectInside(Operation *op);
  LogicalResult expectCleanPad(ReduceScatterOp op);
  LogicalResult visitPack(PackOp pack);
  LogicalResult expect(Operation *op, const Content &content,
                       const Twine &what);
  FailureOr<ByteRange> resolve(Operation *op, PlaceAttr place);
  std::string nameOf(int64_t mark) const;

  int64_t newMark(Operation *op) {
    writers.push_back(op);
    return static_cast<int64_t>(writers.size()) - 1;
  }
  Content look(ByteRange range) { return {range, bytes.read(range)}; }
  Content write(Operation *op, ByteRange range) {
    bytes.write(range, newMark(op));
    return look(range);
  }

  ModuleOp module;
  int64_t stage;
  int64_t arenaBytes;
  int64_t microBatch = 0;
  MarkedBytes bytes;
  std::vector<Operation *> writers;
  DenseMap<Value, Content> values;
  std::map<std::pair<Operation *, int64_t>, Content> buffers; ///< and slot
  llvm::StringMap<Content> variables, stored;
  std::map<int64_t, std::deque<std::pair<Operation *, Content>>> posts;
};

StageRun::StageRun(ModuleOp module, int64_t stage, int64_t arenaBytes)
    : module(module), stage(stage), arenaBytes(arenaBytes) {
  for (auto variable : module.getOps<VariableOp>()) {
    auto places = variable->getAttrOfType<ArrayAttr>(kStagePlacesAttr);
    auto place = places && stage < static_cast<int64_t>(places.size())
                     ? dyn_cast<PlaceAttr>(places[stage])
                     : PlaceAttr();
    if (!place)
      continue;
    ByteRange range{place.getOffset(), place.getOffset() + place.getBytes()};
    variables[variable.getSymName()] = write(variable, range);
  }
}

std::string StageRun::nameOf(int64_t mark) const {
  if (mark < 0)
    return "nobody";
  Operation *op = writers[static_cast<size_t>(mark)];
  if (auto name =
          op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
    return name.str();
  return (getShortName(op) + " " + getModelName(op)).str();
}

FailureOr<ByteRange> StageRun::resolve(Operation *op, PlaceAttr place) {
  int64_t begin = place.getOffset() +
                  place.getSlotStride() * (microBatch % place.getSlots()) +
                  place.getMicroBatchStride() * microBatch;
  ByteRange range{begin, begin + place.getBytes()};
  if (range.begin < 0 || range.end > arenaBytes)
    return op->emitOpError(getModelName(op))
           << ": bytes " << range.begin << " to " << range.end
           << " are not in the arena of " << arenaBytes << " of stage "
           << stage;
  return range;
}

LogicalResult StageRun::expect(Operation *op, const Content &content,
                               const Twine &what) {
  Marks now = bytes.read(content.range);
  if (now == content.marks)
    return success();
  int64_t writer = -1;
  for (auto [mark, end] : now)
    if (llvm::none_of(content.marks,
                      [mark = mark](auto old) { return old.first == mark; }))
      writer = mark;
  return op->emitOpError(getModelName(op))
         << ": " << what.str() << " at bytes " << content.range.begin << " to "
         << content.range.end << " of stage " << stage << " was overwritten by "
         << nameOf(writer) << " in micro-batch " << microBatch;
}

/// A load is its buffer, a read its variable, a view a part of its operand;
/// only a micro-batch's rows may end behind a batch that is shorter than all of
/// them.
LogicalResult StageRun::expectInside(Operation *op) {
  ByteRange whole;
  if (auto load = dyn_cast<LoadOp>(op)) {
    auto buffer = module.lookupSymbol<BufferOp>(load.getBuffer());
    int64_t slot = microBatch % std::max<int64_t>(buffer.getSlots(), 1);
    whole = buffers[{buffer, slot}].range;
  } else if (auto read = dyn_cast<ReadOp>(op)) {
    whole = variables[read.getVariable()].range;
  } else {
    whole = values[op->getOperand(0)].range;
  }
  bool isSlice = isa<LocalSliceOp>(op);
  for (Value result : op->getResults()) {
    const Content &content = values[result];
    bool isInside = content.range.begin >= whole.begin &&
                    (isSlice || content.range.end <= whole.end);
    for (auto [mark, end] : content.marks)
      isInside &= mark >= 0;
    if (!isInside)
      return op->emitOpError(getModelName(op))
             << ": has bytes " << content.range.begin << " to "
             << content.range.end << " of stage " << stage
             << ", which are no part of " << whole.begin << " to " << whole.end;
  }
  return success();
}

LogicalResult StageRun::makeResults(Operation *op) {
  auto places = op->getAttrOfType<ArrayAttr>(kPlacesAttr);
  if (op->getNumResults() == 0)
    return success();
  if (!places || places.size() != op->getNumResults())
    return op->emitOpError("has no ")
           << kPlacesAttr << " with an entry a result, run dtc-plan-memory";
  auto kernel = op->getAttrOfType<KernelTemplateAttr>(kKernelAttr);
  bool isView = isa<LoadOp, ReadOp>(op) ||
                (kernel && kernel.getValue() == KernelTemplate::View);
  for (auto [result, place] : llvm::zip_equal(op->getResults(), places)) {
    FailureOr<ByteRange> range = resolve(op, cast<PlaceAttr>(place));
    if (failed(range))
      return failure();
    if (!isView)
      bytes.write(*range, newMark(op));
    values[result] = look(*range);
  }
  if (isView && failed(expectInside(op)))
    return failure();
  // Results of one op beside each other, not over each other.
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    if (!isView && failed(expect(op, values[result], "result " + Twine(i))))
      return failure();
  return success();
}

LogicalResult StageRun::visitBufferOp(Operation *op, BufferOp buffer) {
  auto places = buffer->getAttrOfType<ArrayAttr>(kPlacesAttr);
  if (!places || places.size() != 1)
    return buffer.emitOpError("has no ") << kPlacesAttr;
  FailureOr<ByteRange> range = resolve(op, cast<PlaceAttr>(places[0]));
  if (failed(range))
    return failure();
  int64_t slot = microBatch % std::max<int64_t>(buffer.getSlots(), 1);
  Content &content = buffers[{buffer, slot}];
  bool hasContent = content.range.begin != content.range.end;
  if (isa<ClearOp, ReadBatchOp>(op)) {
    content = write(op, *range);
    return success();
  }
  if (isa<LoadOp, AccumulateIntoOp>(op)) {
    if (!hasContent)
      return op->emitOpError(getModelName(op))
             << ": @" << buffer.getSymName() << " holds nothing yet";
    if (failed(expect(op, content, "@" + buffer.getSymName())))
      return failure();
    if (isa<LoadOp>(op))
      return makeResults(op);
    // Elements only; a pad behind them stays as it was cleared.
    auto type = cast<RankedTensorType>(buffer.getType());
    write(op, {range->begin, range->begin + getTensorBytes(type)});
    content = look(*range);
    return success();
  }
  // A save copies only where the value lies elsewhere.
  const Content &value = values[op->getOperand(0)];
  if (value.range.begin == range->begin)
    content = look(value.range);
  else
    content = write(op, *range);
  return success();
}

LogicalResult StageRun::visitStore(StoreOp store) {
  ByteRange home = variables[store.getVariable()].range;
  const Content &value = values[store.getValue()];
  if (value.range.begin != home.begin)
    write(store,
          {home.begin, home.begin + value.range.end - value.range.begin});
  stored[store.getVariable()] = look(home);
  return success();
}

LogicalResult StageRun::retirePosts(Operation *op, int64_t channel,
                                    size_t pending) {
  auto &queue = posts[channel];
  while (queue.size() > pending) {
    auto [send, content] = queue.front();
    queue.pop_front();
    if (failed(expect(op, content,
                      "the post of " + getModelName(send) +
                          ", which is not waited for,")))
      return failure();
  }
  return success();
}

LogicalResult StageRun::visit(Operation *op) {
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (failed(expect(op, values[operand], "operand " + Twine(i))))
      return failure();
  if (auto name = op->getAttrOfType<FlatSymbolRefAttr>("buffer"))
    if (auto buffer = module.lookupSymbol<BufferOp>(name.getValue()))
      return visitBufferOp(op, buffer);
  if (auto store = dyn_cast<StoreOp>(op))
    return visitStore(store);
  if (auto read = dyn_cast<ReadOp>(op))
    if (failed(expect(op, variables[read.getVariable()],
                      "@" + read.getVariable())))
      return failure();
  if (auto send = dyn_cast<SendOp>(op)) {
    posts[send.getChannel()].push_back({op, values[send.getValue()]});
    return success();
  }
  if (auto wait = dyn_cast<WaitOp>(op))
    return retirePosts(op, wait.getChannel(),
                       static_cast<size_t>(wait.getPending()));
  if (auto scatter = dyn_cast<ReduceScatterOp>(op))
    if (failed(expectCleanPad(scatter)))
      return failure();
  if (auto pack = dyn_cast<PackOp>(op))
    return visitPack(pack);
  return makeResults(op);
}

/// What a reduce_scatter reads beyond its operand is the pad of all shards
/// together: zero, so last written by a clear or a pack.
LogicalResult StageRun::expectCleanPad(ReduceScatterOp op) {
  ByteRange whole = values[op.getInput()].range;
  int64_t parts = getLayout(op.getInput()).sizeOf(op.getAxis());
  auto shard = cast<RankedTensorType>(op.getResult().getType());
  auto tensor = cast<RankedTensorType>(op.getInput().getType());
  ByteRange pad{whole.begin + getTensorBytes(tensor),
                whole.begin + parts * getTensorBytes(shard)};
  if (pad.begin >= pad.end)
    return success();
  for (auto [mark, end] : bytes.read(pad))
    if (mark < 0 || !isa<ClearOp, PackOp>(writers[static_cast<size_t>(mark)]))
      return op.emitOpError(getModelName(op))
             << ": its pad at bytes " << pad.begin << " to " << pad.end
             << " of stage " << stage << " holds what " << nameOf(mark)
             << " wrote, expected zeros";
  return success();
}

LogicalResult StageRun::visitPack(PackOp pack) {
  Operation *op = pack;
  // Members that lie in the bucket's bytes already are not moved.
  auto place = cast<PlaceAttr>(
      op->getAttrOfType<ArrayAttr>(kPlacesAttr).getValue().front());
  FailureOr<ByteRange> range = resolve(op, place);
  if (failed(range))
    return failure();
  int64_t at = range->begin;
  bool isMoved = false;
  for (Value member : pack.getMembers()) {
    ByteRange from = values[member].range;
    ByteRange to{at, at + from.end - from.begin};
    if (from.begin != to.begin)
      bytes.write(to, newMark(op));
    isMoved |= from.begin != to.begin;
    at = to.end;
  }
  if (isMoved)
    bytes.write({at, range->end}, newMark(op));
  values[pack.getResult()] = look(*range);
  return success();
}

LogicalResult StageRun::runTask(func::FuncOp task, int64_t of) {
  microBatch = of;
  for (Operation &op : task.front().without_terminator())
    if (failed(visit(&op)))
      return failure();
  return success();
}

LogicalResult StageRun::run(StringRef stepKind) {
  std::string name = ("stage" + Twine(stage) + "." + stepKind).str();
  auto schedule = module.lookupSymbol<ScheduleOp>(name);
  if (!schedule)
    return success();
  auto call = [&](CallOp op, int64_t round) {
    auto task = module.lookupSymbol<func::FuncOp>(op.getTask());
    return runTask(task, round + static_cast<int64_t>(op.getFirst()));
  };
  for (Operation &op : schedule.getBody().front()) {
    if (auto direct = dyn_cast<CallOp>(op)) {
      if (failed(call(direct, 0)))
        return failure();
      continue;
    }
    auto repeat = cast<RepeatOp>(op);
    for (int64_t i = 0; i < static_cast<int64_t>(repeat.getCount()); ++i)
      for (auto inner : repeat.getBody().front().getOps<CallOp>())
        if (failed(call(inner, i)))
          return failure();
  }
  for (auto &entry : stored)
    variables[entry.first()] = entry.second;
  stored.clear();
  buffers.clear(); // A step leaves nothing to the next but variables.
  for (auto &[channel, queue] : posts)
    if (!queue.empty())
      return queue.front().first->emitOpError(getModelName(queue.front().first))
             << ": is posted on channel " << channel
             << " and not waited for by the end of the step";
  for (auto &entry : variables)
    if (failed(expect(schedule, entry.second, "@" + entry.first())))
      return failure();
  return success();
}

} // namespace

LogicalResult checkArena(ModuleOp module) {
  auto reports = module->getAttrOfType<ArrayAttr>(kMemoryAttr);
  if (!reports)
    return module.emitError("has no ")
           << kMemoryAttr << ", run dtc-plan-memory before";
  for (auto [stage, report] : llvm::enumerate(reports)) {
    auto arena = cast<DictionaryAttr>(report).getAs<IntegerAttr>("arena_bytes");
    StageRun run(module, static_cast<int64_t>(stage), arena.getInt());
    // Twice, so that what one step leaves meets the next.
    for (StringRef step : {"train", "evaluate", "train"})
      if (failed(run.run(step)))
        return failure();
  }
  return success();
}

} // namespace mlir::dtc
