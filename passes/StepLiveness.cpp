//===- StepLiveness.cpp - Storages and lifetimes of one step
//---------------===//
//
// One walk over the tasks in order. Each result gets a slot: that of what it
// aliases, that of the buffer or variable it goes to, that of an operand that
// dies, or a new one. Afterwards the lifetimes of what crosses tasks are
// widened by the rules of the loop.
//
//===----------------------------------------------------------------------===//

#include "passes/StepLiveness.h"

#include "passes/StepFunctions.h"
#include "passes/TaskAssignment.h"

namespace mlir::dtc {
namespace {

constexpr unsigned kLoopTasks = 1u << unsigned(TaskKind::Forward) |
                                1u << unsigned(TaskKind::Backward) |
                                1u << unsigned(TaskKind::Weight);
constexpr unsigned kBackwardAndWeight =
    1u << unsigned(TaskKind::Backward) | 1u << unsigned(TaskKind::Weight);

TaskKind getKind(func::FuncOp task) {
  return task->getAttrOfType<TaskKindAttr>(kTaskAttr).getValue();
}

/// An op whose results are parts of its operand's bytes, one after another.
/// Packing goes the other way and is handled apart; a slice of ranks starts
/// where only the rank knows, so only the one over micro-batches is a view.
bool isView(Operation *op) {
  if (auto slice = dyn_cast<LocalSliceOp>(op))
    return slice.getAxis() == kAxisMb &&
           getLayout(slice.getResult()).on(kAxisMb).isSplit(0);
  auto lowerable = dyn_cast<Lowerable>(op);
  return lowerable && op->getNumOperands() == 1 && !isa<PackOp>(op) &&
         lowerable.getKernelTemplate() == KernelTemplate::View;
}

class StepCollector {
public:
  StepCollector(StageMemory &memory, ModuleOp module, StringRef stepKind,
                int64_t microBatches, int64_t firstTick)
      : memory(memory), module(module), isEvaluation(stepKind == "evaluate"),
        microBatches(microBatches),
        tasks(findTasks(module, memory.getStage(), stepKind)),
        firstTick(firstTick) {
    weightFollowsBackward = findWeightAfterBackward(stepKind);
  }

  int64_t run();

private:
  /// What is known of a buffer before the walk.
  struct BufferUse {
    SmallVector<LoadOp> loads;
    bool isSent = false;
    bool isWrittenInPrologue = false;
  };

  void setTicks();
  bool findWeightAfterBackward(StringRef stepKind);
  void collectBuffers();
  void visit(Operation &op);
  void visitView(Operation &op);
  void placeResult(OpResult result);
  bool joinMembers(PackOp pack);
  void growForCollectives(Operation &op);
  StorageSlot findHome(OpResult result);
  bool mayOverwriteVariable(OpResult result, ReadOp read, StorageSlot home);
  bool mayOverwrite(Value operand, Operation *op);
  StorageSlot findInPlace(OpResult result);
  Value getRoot(Value value);
  int64_t getLastUse(Value root);
  void touch(StorageSlot slot, Operation *op);
  void widenLifetimes();
  StorageSlot addTemporary(Operation *op, int64_t bytes, int64_t elementBytes);
  BufferOp lookupBuffer(StringRef name) {
    return module.lookupSymbol<BufferOp>(name);
  }

  StageMemory &memory;
  ModuleOp module;
  bool isEvaluation;
  int64_t microBatches;
  SmallVector<func::FuncOp> tasks;
  int64_t firstTick;
  int64_t loopBegin = -1, loopEnd = -1, lastTick = 0;
  bool weightFollowsBackward = false;
  DenseMap<Operation *, int64_t> ticks;
  DenseSet<Value> heirs; ///< values that overwrote an operand which died
  llvm::MapVector<Operation *, BufferUse> buffers;
  llvm::StringMap<StorageSlot> bufferSlots;
  llvm::StringMap<SmallVector<ReadOp>> reads;
  llvm::MapVector<int, unsigned> taskMasks; ///< of this step's storages
  DenseSet<int> sentStorages;
  int64_t lastWait = -1;
};

//===-- Time
//----------------------------------------------------------------===//

void StepCollector::setTicks() {
  lastTick = firstTick;
  for (func::FuncOp task : tasks) {
    bool isLoop = kLoopTasks >> unsigned(getKind(task)) & 1;
    if (isLoop && loopBegin < 0)
      loopBegin = lastTick;
    for (Operation &op : task.front().without_terminator()) {
      ticks[&op] = lastTick++;
      if (isa<WaitOp>(op) && getKind(task) == TaskKind::Epilogue)
        lastWait = ticks[&op];
      if (auto read = dyn_cast<ReadOp>(op))
        reads[read.getVariable()].push_back(read);
    }
    if (isLoop)
      loopEnd = std::max(loopBegin, lastTick - 1);
  }
}

/// True where each call of the backward task is followed by the weight task of
/// the same micro-batch, so that nothing else runs between them.
bool StepCollector::findWeightAfterBackward(StringRef stepKind) {
  std::string symbol =
      ("stage" + Twine(memory.getStage()) + "." + stepKind).str();
  auto schedule = module.lookupSymbol<ScheduleOp>(symbol);
  if (!schedule)
    return false;
  bool follows = true;
  schedule.walk([&](CallOp call) {
    auto task = module.lookupSymbol<func::FuncOp>(call.getTask());
    if (!task || getKind(task) != TaskKind::Backward)
      return;
    auto next = dyn_cast_or_null<CallOp>(call->getNextNode());
    auto nextTask = next ? module.lookupSymbol<func::FuncOp>(next.getTask())
                         : func::FuncOp();
    follows &= nextTask && getKind(nextTask) == TaskKind::Weight &&
               next.getFirst() == call.getFirst();
  });
  return follows;
}

//===-- Buffers
//-------------------------------------------------------------===//

StringRef getClassName(BufferOp buffer) {
  bool isScalar = cast<RankedTensorType>(buffer.getType()).getRank() == 0;
  switch (buffer.getBufferClass()) {
  case BufferClass::Accumulator:
    return isScalar ? "scalars" : "gradients";
  case BufferClass::Batch:
    return "batch";
  case BufferClass::Stash:
    return "stash";
  case BufferClass::Received:
    return "received";
  case BufferClass::Sent:
    return "sent";
  case BufferClass::Static:
    return isScalar ? "scalars" : "static";
  case BufferClass::Variable:
    return "static";
  }
  return "static";
}

void StepCollector::collectBuffers() {
  for (func::FuncOp task : tasks) {
    bool isPrologue = getKind(task) == TaskKind::Prologue;
    for (Operation &op : task.front()) {
      auto name = op.getAttrOfType<FlatSymbolRefAttr>("buffer");
      BufferOp buffer = name ? lookupBuffer(name.getValue()) : BufferOp();
      if (!buffer)
        continue;
      BufferUse &use = buffers[buffer];
      if (auto load = dyn_cast<LoadOp>(op)) {
        use.loads.push_back(load);
        use.isSent |= llvm::any_of(load->getUsers(), [](Operation *user) {
          return isa<SendOp>(user);
        });
      } else {
        use.isWrittenInPrologue |= isPrologue;
      }
    }
  }
  for (auto &[op, use] : buffers) {
    auto buffer = cast<BufferOp>(op);
    auto type = cast<RankedTensorType>(buffer.getType());
    int64_t slots = std::max<int64_t>(buffer.getSlots(), 1);
    Storage storage;
    storage.kind = Storage::Buffer;
    storage.name = buffer.getSymName().str();
    storage.className = getClassName(buffer);
    storage.elementBytes = getElementBytes(type.getElementType());
    storage.payloadBytes = slots * getTensorBytes(type);
    storage.slots = slots;
    int64_t stride = slots > 1 ? alignBytes(getTensorBytes(type)) : 0;
    storage.bytes = (slots - 1) * stride + getTensorBytes(type);
    storage.isEvaluation = isEvaluation;
    StorageSlot slot = memory.addStorage(std::move(storage));
    slot.slots = slots;
    slot.slotStride = stride;
    bufferSlots[buffer.getSymName()] = slot;
    memory.setBuffer(buffer, slot);
    if (use.isSent)
      sentStorages.insert(slot.storage);
  }
}

//===-- Who reads what, until when
//------------------------------------------===//

/// The value whose bytes `value` is a view of, in the same task.
Value StepCollector::getRoot(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isView(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Tick of the last op of the task that reads `root` or a view of it.
int64_t StepCollector::getLastUse(Value root) {
  int64_t last = ticks.lookup(root.getDefiningOp());
  for (Operation *user : root.getUsers()) {
    last = std::max(last, ticks.lookup(user));
    if (isView(user))
      for (Value result : user->getResults())
        last = std::max(last, getLastUse(result));
  }
  return last;
}

void StepCollector::touch(StorageSlot slot, Operation *op) {
  if (slot.storage < 0)
    return;
  memory.get(slot.storage).touch(ticks.lookup(op));
  auto task = op->getParentOfType<func::FuncOp>();
  taskMasks[slot.storage] |= 1u << unsigned(getKind(task));
}

/// True where nobody reads the bytes of `operand` after `op`, so that `op` may
/// write its result there. Bytes of variables are never free this way; those of
/// a buffer only with the last load of the step, and not while a post of them
/// may be under way.
bool StepCollector::mayOverwrite(Value operand, Operation *op) {
  Value root = getRoot(operand);
  if (getLastUse(root) > ticks.lookup(op))
    return false;
  StorageSlot slot = memory.getSlot(root);
  Storage &storage = memory.get(slot.storage);
  if (storage.kind == Storage::Variable || slot.microBatchStride != 0)
    return false;
  if (storage.kind == Storage::Temporary || heirs.contains(root))
    return true;
  auto load = root.getDefiningOp<LoadOp>();
  if (!load)
    return false; // Made in the buffer for another task.
  const BufferUse &use = buffers[lookupBuffer(load.getBuffer())];
  bool inLoop =
      kLoopTasks >> unsigned(getKind(op->getParentOfType<func::FuncOp>())) & 1;
  if (use.isSent || (use.isWrittenInPrologue && inLoop))
    return false;
  return llvm::all_of(use.loads, [&](LoadOp other) {
    return other == load || getLastUse(other.getResult()) < ticks.lookup(op);
  });
}

/// The slot of the operand that `result` may overwrite, if there is one.
StorageSlot StepCollector::findInPlace(OpResult result) {
  Operation *op = result.getOwner();
  auto lowerable = dyn_cast<Lowerable>(op);
  int index =
      lowerable ? lowerable.getInPlaceOperandFor(result.getResultNumber()) : -1;
  if (index < 0)
    return {};
  Value operand = op->getOperand(static_cast<unsigned>(index));
  StorageSlot slot = memory.getSlot(operand);
  if (getBytes(operand) != getBytes(result) || !mayOverwrite(operand, op))
    return {};
  // Another operand in the same bytes is read at other indices.
  int storage = memory.resolve(slot).storage;
  for (Value other : op->getOperands())
    if (other != operand &&
        memory.resolve(memory.getSlot(other)).storage == storage)
      return {};
  return slot;
}

/// True where all reads of the variable's old value are over when `result` is
/// made, but for the operand that it overwrites index by index.
bool StepCollector::mayOverwriteVariable(OpResult result, ReadOp read,
                                         StorageSlot home) {
  Operation *op = result.getOwner();
  if (getLastUse(read.getResult()) < ticks.lookup(op))
    return true;
  auto lowerable = dyn_cast<Lowerable>(op);
  int index =
      lowerable ? lowerable.getInPlaceOperandFor(result.getResultNumber()) : -1;
  if (getLastUse(read.getResult()) > ticks.lookup(op))
    return false;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    StorageSlot slot = memory.getSlot(operand);
    if (slot.storage == home.storage &&
        (static_cast<int>(i) != index || slot.offset != home.offset))
      return false;
  }
  return true;
}

/// Where `result` is going to: a buffer it is saved to or a variable it is
/// stored to, where it can be made there at once.
StorageSlot StepCollector::findHome(OpResult result) {
  Operation *op = result.getOwner();
  for (Operation *user : result.getUsers()) {
    if (auto save = dyn_cast<SaveOp>(user)) {
      const BufferUse &use = buffers[lookupBuffer(save.getBuffer())];
      // A load before the save would read the new value too early.
      bool isFree = llvm::none_of(use.loads, [&](LoadOp load) {
        return load->getBlock() == op->getBlock() &&
               load->isBeforeInBlock(save);
      });
      if (isFree)
        return bufferSlots.lookup(save.getBuffer());
    }
    auto store = dyn_cast<StoreOp>(user);
    if (!store)
      continue;
    StorageSlot home = memory.getVariable(store.getVariable());
    bool isFree = llvm::all_of(reads[store.getVariable()], [&](ReadOp read) {
      return read->getBlock() != op->getBlock() ||
             mayOverwriteVariable(result, read, home);
    });
    if (isFree && home.storage >= 0)
      return home;
  }
  return {};
}

//===-- The walk
//------------------------------------------------------------===//

StorageSlot StepCollector::addTemporary(Operation *op, int64_t bytes,
                                        int64_t elementBytes) {
  Storage storage;
  storage.name = getModelName(op).str();
  storage.className = "temporaries";
  storage.bytes = storage.payloadBytes = bytes;
  storage.elementBytes = elementBytes;
  storage.isEvaluation = isEvaluation;
  return memory.addStorage(std::move(storage));
}

void StepCollector::placeResult(OpResult result) {
  Operation *op = result.getOwner();
  StorageSlot slot = findHome(result);
  if (slot.storage < 0) {
    slot = findInPlace(result);
    if (slot.storage >= 0)
      heirs.insert(result);
  }
  if (slot.storage < 0)
    slot =
        addTemporary(op, getBytes(result),
                     getElementBytes(getElementTypeOrSelf(result.getType())));
  memory.setSlot(result, slot);
  touch(slot, op);
}

void StepCollector::visitView(Operation &op) {
  StorageSlot slot = memory.getSlot(op.getOperand(0));
  if (isa<LocalSliceOp>(op)) {
    // The last micro-batch's block may end behind the batch's rows.
    slot.microBatchStride = getBytes(op.getResult(0));
    Storage &storage = memory.get(slot.storage);
    int64_t needed = slot.offset + microBatches * slot.microBatchStride;
    storage.bytes = std::max(storage.bytes, needed);
    storage.payloadBytes = std::max(storage.payloadBytes, needed);
  }
  for (Value result : op.getResults()) {
    memory.setSlot(result, slot);
    slot.offset += getBytes(result);
  }
}

/// Lays the members of a bucket in a row, where each of them has bytes of its
/// own and no other reader. Returns false where packing has to copy.
bool StepCollector::joinMembers(PackOp pack) {
  int64_t total = 0;
  DenseSet<int> seen;
  for (Value member : pack.getMembers()) {
    StorageSlot slot = memory.getSlot(member);
    const Storage &storage = memory.get(slot.storage);
    total += getBytes(member);
    if (storage.kind == Storage::Variable || storage.parent >= 0 ||
        storage.bytes != getBytes(member) || !mayOverwrite(member, pack) ||
        !seen.insert(slot.storage).second)
      return false;
  }
  if (total != getBytes(pack.getResult()))
    return false;
  Storage first = memory.get(memory.getSlot(pack.getMembers().front()).storage);
  StorageSlot whole = addTemporary(pack, total, first.elementBytes);
  memory.get(whole.storage).className = first.className;
  int64_t offset = 0;
  for (Value member : pack.getMembers()) {
    Storage &storage = memory.get(memory.getSlot(member).storage);
    storage.parent = whole.storage;
    storage.parentOffset = offset;
    offset += storage.bytes;
    storage.endsParent = offset == total;
  }
  memory.setSlot(pack.getResult(), whole);
  touch(whole, pack);
  return true;
}

/// A reduce_scatter reads, and an all_gather writes, as many bytes as all
/// shards have together; a bucket's own length may be less. What is gathered
/// along another dimension than the first passes through a workspace.
void StepCollector::growForCollectives(Operation &op) {
  auto grow = [&](Value whole, int64_t bytes) {
    StorageSlot slot = memory.resolve(memory.getSlot(whole));
    Storage &storage = memory.get(slot.storage);
    storage.bytes = std::max(storage.bytes, slot.offset + bytes);
    storage.payloadBytes = std::max(storage.payloadBytes, storage.bytes);
  };
  if (auto scatter = dyn_cast<ReduceScatterOp>(op)) {
    int64_t parts = getLayout(scatter.getInput()).sizeOf(scatter.getAxis());
    grow(scatter.getInput(), parts * getBytes(scatter.getResult()));
  } else if (auto gather = dyn_cast<AllGatherOp>(op)) {
    LayoutAttr layout = getLayout(gather.getInput());
    int64_t bytes =
        layout.sizeOf(gather.getAxis()) * getBytes(gather.getInput());
    if (layout.on(gather.getAxis()).isSplit(0)) {
      grow(gather.getResult(), bytes);
    } else {
      StorageSlot slot = addTemporary(&op, bytes, 1);
      touch(slot, &op);
      memory.setWorkspace(&op, slot);
    }
  }
}

void StepCollector::visit(Operation &op) {
  for (Value operand : op.getOperands())
    touch(memory.getSlot(operand), &op);
  if (auto name = op.getAttrOfType<FlatSymbolRefAttr>("buffer")) {
    StorageSlot slot = bufferSlots.lookup(name.getValue());
    touch(slot, &op);
    if (op.getNumResults() == 1)
      memory.setSlot(op.getResult(0), slot); // a load
    return;
  }
  if (auto read = dyn_cast<ReadOp>(op))
    return memory.setSlot(read.getResult(),
                          memory.getVariable(read.getVariable()));
  if (auto pack = dyn_cast<PackOp>(op); pack && joinMembers(pack))
    return;
  if (isView(&op))
    return visitView(op);
  for (OpResult result : op.getResults())
    placeResult(result);
  growForCollectives(op);
}

//===-- Lifetimes across tasks
//----------------------------------------------===//

/// A member's bytes are its bucket's: what is known of one holds for the other.
/// Then the rules of the loop, for each storage that more than one task uses.
void StepCollector::widenLifetimes() {
  for (auto [index, mask] : llvm::to_vector(taskMasks)) {
    Storage &storage = memory.get(index);
    if (storage.parent < 0)
      continue;
    Storage &whole = memory.get(storage.parent);
    whole.touch(storage.begin);
    whole.touch(storage.end);
    taskMasks[storage.parent] |= mask;
    if (sentStorages.contains(index))
      sentStorages.insert(storage.parent);
  }
  for (auto &[index, mask] : taskMasks) {
    Storage &storage = memory.get(index);
    if (storage.kind == Storage::Variable || storage.parent >= 0)
      continue;
    unsigned inLoop = mask & kLoopTasks;
    bool isSent = sentStorages.contains(index);
    bool inOneCall = llvm::has_single_bit(inLoop) ||
                     (inLoop == kBackwardAndWeight && weightFollowsBackward);
    if (inLoop &&
        (mask != inLoop || isSent || !inOneCall || storage.slots > 1)) {
      storage.touch(loopBegin);
      storage.touch(loopEnd);
    }
    // Posts of the last micro-batches are waited for in the epilogue.
    if (isSent)
      storage.touch(lastWait >= 0 ? lastWait : lastTick);
  }
}

int64_t StepCollector::run() {
  setTicks();
  collectBuffers();
  for (func::FuncOp task : tasks)
    for (Operation &op : task.front().without_terminator())
      visit(op);
  widenLifetimes();
  return lastTick + 1;
}

} // namespace

SmallVector<func::FuncOp> findTasks(ModuleOp module, int64_t stage,
                                    StringRef stepKind) {
  SmallVector<func::FuncOp> tasks;
  for (auto function : module.getOps<func::FuncOp>()) {
    auto kind = function->getAttrOfType<StringAttr>(kStepKindAttr);
    auto where = function->getAttrOfType<IntegerAttr>(kTaskStageAttr);
    if (kind && where && function->hasAttr(kTaskAttr) &&
        kind.getValue() == stepKind && where.getInt() == stage)
      tasks.push_back(function);
  }
  llvm::sort(tasks, [](func::FuncOp a, func::FuncOp b) {
    return getKind(a) < getKind(b);
  });
  return tasks;
}

int64_t addStep(StageMemory &memory, ModuleOp module, StringRef stepKind,
                int64_t microBatches, int64_t firstTick) {
  return StepCollector(memory, module, stepKind, microBatches, firstTick).run();
}

} // namespace mlir::dtc
