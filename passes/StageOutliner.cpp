//===- StageOutliner.cpp - Write the tasks of one stage -------------------===//
//
// Two walks. The first finds which values cross from task to task and gives
// each a buffer, of the class that says what its memory is for. The second
// writes a function for each task, in the order of the step: receives first,
// sends last, and a load where a value of another task is first used.
//
//===----------------------------------------------------------------------===//

#include "passes/StageOutliner.h"

#include "passes/StepFunctions.h"
#include "passes/TaskAssignment.h"

#include "mlir/IR/SymbolTable.h"

namespace mlir::dtc {

namespace {

constexpr TaskKind kTaskOrder[] = {TaskKind::Prologue, TaskKind::Forward,
                                   TaskKind::Backward, TaskKind::Weight,
                                   TaskKind::Epilogue};

/// Copies the model's name and the phase, by which logs and errors speak.
void copyNames(Operation *from, Operation *to) {
  for (StringRef name : {StringRef(kNameAttr), StringRef(kPhaseAttr)})
    if (Attribute attribute = from->getAttr(name))
      to->setAttr(name, attribute);
}

class StageOutliner {
public:
  StageOutliner(func::FuncOp step, const TaskAssignment &assignment,
                const ChannelTable &channels)
      : step(step), assignment(assignment), channels(channels),
        stage(assignment.getStage()),
        stepKind(step->getAttrOfType<StringAttr>(kStepKindAttr)),
        symbols(step->getParentOfType<ModuleOp>()), builder(step.getContext()) {
  }

  void run();

private:
  /// Why a value needs memory that outlives its task.
  struct Crossing {
    bool toTask = false; ///< another task reads it
    bool toPeer = false; ///< it is sent
  };

  // What crosses.
  void findCrossings();
  void demand(Value value, TaskKind task);
  void makeBuffers();
  BufferOp makeBuffer(Value value, BufferClass kind, const Twine &name);
  BufferClass getClass(Value value, Crossing crossing) const;
  std::string nameOf(Value value);
  SmallVector<unsigned> getLocalOperands(Operation *op) const;

  // The functions.
  void writeTask(TaskKind task);
  bool hasContent(TaskKind task);
  void writeBatches();
  void writeClears();
  void writeReceives(TaskKind task);
  void writeOps(TaskKind task);
  void writeSends(TaskKind task);
  void writeLastWaits();
  void writeOp(Operation *op);
  Operation *cloneOp(Operation *op);
  Value get(Value value);
  void save(Value original);

  bool isReceiver(Operation *op) const {
    auto send = dyn_cast<SendRecvOp>(op);
    return send && !assignment.isSender(send);
  }
  bool isSender(Operation *op) const {
    auto send = dyn_cast<SendRecvOp>(op);
    return send && assignment.isSender(send);
  }

  func::FuncOp step;
  const TaskAssignment &assignment;
  const ChannelTable &channels;
  int64_t stage;
  StringAttr stepKind;
  SymbolTable symbols;
  OpBuilder builder;

  DenseMap<Value, Crossing> crossings;
  DenseSet<std::pair<Operation *, unsigned>> neededFree; // with its task
  DenseMap<Value, BufferOp> buffers;
  DenseMap<Value, Value> values; // of the task that is written
};

//===-- What crosses ------------------------------------------------------===//

/// Operands that are on this stage: all, but for ops that join stages.
SmallVector<unsigned> StageOutliner::getLocalOperands(Operation *op) const {
  SmallVector<unsigned> local;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    LayoutAttr layout = getLayout(operand);
    if (!layout || (getStages(layout) >> stage & 1))
      local.push_back(i);
  }
  return local;
}

void StageOutliner::demand(Value value, TaskKind task) {
  Operation *def = value.getDefiningOp();
  if (!def) {
    crossings[value].toTask = true; // A batch always has a buffer.
    return;
  }
  if (TaskAssignment::isFree(def)) {
    if (neededFree.insert({def, static_cast<unsigned>(task)}).second)
      for (Value operand : def->getOperands())
        demand(operand, task);
    return;
  }
  if (assignment.getSource(value) != task)
    crossings[value].toTask = true;
}

void StageOutliner::findCrossings() {
  for (Operation *op : assignment.getOps()) {
    if (TaskAssignment::isFree(op) || isReceiver(op))
      continue;
    for (unsigned i : getLocalOperands(op))
      demand(op->getOperand(i), assignment.getTask(op));
    if (isSender(op))
      crossings[op->getOperand(0)].toPeer = true;
  }
}

std::string StageOutliner::nameOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto input =
        step.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "dtc.input");
    return input ? input.getValue().str()
                 : "input" + std::to_string(argument.getArgNumber());
  }
  auto result = cast<OpResult>(value);
  std::string name = getModelName(result.getOwner()).str();
  if (result.getOwner()->getNumResults() > 1)
    name += "." + std::to_string(result.getResultNumber());
  return name;
}

BufferClass StageOutliner::getClass(Value value, Crossing crossing) const {
  Operation *def = value.getDefiningOp();
  if (!def)
    return BufferClass::Batch;
  TaskKind source = assignment.getSource(value).value_or(TaskKind::Forward);
  if (source == TaskKind::Prologue && !TaskAssignment::isFree(def))
    return BufferClass::Static;
  if (!crossing.toTask)
    return BufferClass::Sent;
  return isReceiver(def) && source != TaskKind::Forward ? BufferClass::Received
                                                        : BufferClass::Stash;
}

BufferOp StageOutliner::makeBuffer(Value value, BufferClass kind,
                                   const Twine &name) {
  std::string symbol =
      ("stage" + Twine(stage) + "." + stepKind.getValue() + "." + name).str();
  auto buffer = builder.create<BufferOp>(
      value.getLoc(), symbol, cast<RankedTensorType>(value.getType()),
      static_cast<uint64_t>(stage), kind);
  symbols.insert(buffer);
  return buffer;
}

void StageOutliner::makeBuffers() {
  auto visit = [&](Value value) {
    auto crossing = crossings.find(value);
    if (crossing != crossings.end())
      buffers[value] =
          makeBuffer(value, getClass(value, crossing->second), nameOf(value));
  };
  for (BlockArgument argument : step.getArguments())
    visit(argument);
  for (Operation *op : assignment.getOps()) {
    if (isa<AccumulateOp>(op)) {
      buffers[op->getResult(0)] =
          makeBuffer(op->getResult(0), BufferClass::Accumulator,
                     nameOf(op->getResult(0)) + ".accumulator");
      continue;
    }
    if (!isSender(op)) // Its result lives on the other stage.
      llvm::for_each(op->getResults(), visit);
  }
}

//===-- The functions -----------------------------------------------------===//

Value StageOutliner::get(Value value) {
  if (Value known = values.lookup(value))
    return known;
  Operation *def = value.getDefiningOp();
  if (def && TaskAssignment::isFree(def)) {
    Operation *copy = cloneOp(def);
    values.insert(
        {value, copy->getResult(cast<OpResult>(value).getResultNumber())});
    for (auto [from, to] : llvm::zip(def->getResults(), copy->getResults()))
      values[from] = to;
    return values.lookup(value);
  }
  BufferOp buffer = buffers.lookup(value);
  auto load = builder.create<LoadOp>(value.getLoc(), value.getType(),
                                     buffer.getSymName());
  if (def)
    copyNames(def, load);
  return values[value] = load;
}

/// Puts a value into its buffer, where it has one, as soon as it is made.
void StageOutliner::save(Value original) {
  BufferOp buffer = buffers.lookup(original);
  if (!buffer)
    return;
  auto saved = builder.create<SaveOp>(original.getLoc(), get(original),
                                      buffer.getSymName());
  if (Operation *def = original.getDefiningOp())
    copyNames(def, saved);
}

/// The op on this stage's values. One that joins stages keeps the operands, and
/// their terms, that are here.
Operation *StageOutliner::cloneOp(Operation *op) {
  SmallVector<unsigned> local = getLocalOperands(op);
  SmallVector<Value> operands;
  for (unsigned i : local)
    operands.push_back(get(op->getOperand(i)));
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  state.addTypes(op->getResultTypes());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  state.addAttributes(llvm::to_vector(op->getDiscardableAttrs()));
  Operation *copy = builder.create(state);
  if (local.size() < op->getNumOperands())
    if (auto terms = op->getAttrOfType<ArrayAttr>("terms")) {
      SmallVector<Attribute> kept;
      for (unsigned i : local)
        kept.push_back(terms[i]);
      copy->setAttr("terms", builder.getArrayAttr(kept));
    }
  return copy;
}

void StageOutliner::writeBatches() {
  for (BlockArgument argument : step.getArguments())
    if (BufferOp buffer = buffers.lookup(argument))
      builder.create<ReadBatchOp>(argument.getLoc(), nameOf(argument),
                                  buffer.getSymName());
}

void StageOutliner::writeClears() {
  for (Operation *op : assignment.getOps())
    if (isa<AccumulateOp>(op)) {
      auto clear = builder.create<ClearOp>(
          op->getLoc(), buffers.lookup(op->getResult(0)).getSymName());
      copyNames(op, clear);
    }
}

void StageOutliner::writeReceives(TaskKind task) {
  for (Operation *op : assignment.getOps()) {
    if (!isReceiver(op) || assignment.getTask(op) != task)
      continue;
    auto receive = cast<SendRecvOp>(op);
    auto copy = builder.create<RecvOp>(op->getLoc(), op->getResult(0).getType(),
                                       receive.getSource(),
                                       channels.getChannel(receive));
    copyNames(op, copy);
    values[op->getResult(0)] = copy;
    save(op->getResult(0));
  }
}

void StageOutliner::writeOp(Operation *op) {
  if (auto accumulate = dyn_cast<AccumulateOp>(op)) {
    auto copy = builder.create<AccumulateIntoOp>(
        op->getLoc(), get(accumulate.getInput()),
        buffers.lookup(accumulate.getResult()).getSymName());
    copyNames(op, copy);
    return;
  }
  Operation *copy = cloneOp(op);
  for (auto [from, to] : llvm::zip(op->getResults(), copy->getResults())) {
    values[from] = to;
    save(from);
  }
}

void StageOutliner::writeOps(TaskKind task) {
  for (Operation *op : assignment.getOps()) {
    if (isa<SendRecvOp>(op))
      continue;
    if (!TaskAssignment::isFree(op)) {
      if (assignment.getTask(op) == task)
        writeOp(op);
      continue;
    }
    // At its own place, so that a variable is read before its store.
    if (neededFree.contains({op, static_cast<unsigned>(task)}))
      get(op->getResult(0));
  }
}

/// A send reads a buffer: its bytes must stay when the task has ended.
void StageOutliner::writeSends(TaskKind task) {
  for (Operation *op : assignment.getOps()) {
    if (!isSender(op) || assignment.getTask(op) != task)
      continue;
    auto send = cast<SendRecvOp>(op);
    Value value = send.getInput();
    Operation *def = value.getDefiningOp();
    if (def && TaskAssignment::isFree(def))
      save(value);
    auto load = builder.create<LoadOp>(op->getLoc(), value.getType(),
                                       buffers.lookup(value).getSymName());
    auto copy = builder.create<SendOp>(
        op->getLoc(), load, send.getDestination(), channels.getChannel(send));
    copyNames(op, load);
    copyNames(op, copy);
  }
}

/// A step leaves no post behind: its buffers may be overwritten by the next.
void StageOutliner::writeLastWaits() {
  llvm::DenseSet<int64_t> waited;
  for (Operation *op : assignment.getOps())
    if (isSender(op)) {
      int64_t channel = channels.getChannel(cast<SendRecvOp>(op));
      if (waited.insert(channel).second)
        copyNames(op, builder.create<WaitOp>(op->getLoc(), channel, 0));
    }
}

bool StageOutliner::hasContent(TaskKind task) {
  if (assignment.hasTask(task))
    return true;
  auto any = [&](auto predicate) {
    return llvm::any_of(assignment.getOps(), predicate);
  };
  if (task == TaskKind::Prologue)
    return any([](Operation *op) { return isa<AccumulateOp>(op); }) ||
           llvm::any_of(step.getArguments(), [&](BlockArgument argument) {
             return buffers.count(argument);
           });
  return task == TaskKind::Epilogue &&
         any([&](Operation *op) { return isSender(op); });
}

void StageOutliner::writeTask(TaskKind task) {
  if (!hasContent(task))
    return;
  OpBuilder::InsertionGuard guard(builder);
  std::string name = ("stage" + Twine(stage) + "." + stepKind.getValue() + "." +
                      stringifyTaskKind(task))
                         .str();
  auto function = builder.create<func::FuncOp>(step.getLoc(), name,
                                               builder.getFunctionType({}, {}));
  function.setPrivate();
  function->setAttr(kTaskAttr, TaskKindAttr::get(builder.getContext(), task));
  function->setAttr(kTaskStageAttr, builder.getI64IntegerAttr(stage));
  function->setAttr(kStepKindAttr, stepKind);
  symbols.insert(function);
  values.clear();
  builder.setInsertionPointToStart(function.addEntryBlock());
  if (task == TaskKind::Prologue)
    writeBatches();
  if (task == TaskKind::Epilogue)
    writeLastWaits();
  writeReceives(task);
  writeOps(task);
  if (task == TaskKind::Prologue)
    writeClears();
  writeSends(task);
  builder.create<func::ReturnOp>(step.getLoc());
}

void StageOutliner::run() {
  findCrossings();
  builder.setInsertionPointToEnd(step->getParentOfType<ModuleOp>().getBody());
  makeBuffers();
  builder.setInsertionPointToEnd(step->getParentOfType<ModuleOp>().getBody());
  for (TaskKind task : kTaskOrder)
    writeTask(task);
}

} // namespace

LogicalResult outlineStage(func::FuncOp step, int64_t stage,
                           const ChannelTable &channels) {
  FailureOr<TaskAssignment> assignment = TaskAssignment::build(step, stage);
  if (failed(assignment))
    return failure();
  StageOutliner(step, *assignment, channels).run();
  return success();
}

} // namespace mlir::dtc
