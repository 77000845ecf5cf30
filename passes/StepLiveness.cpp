//===- StepLiveness.cpp - Storages and lifetimes of one step --------------===//
//
// One walk over the tasks in order. Each result gets a slot: that of what it
// aliases, that of the buffer or variable it goes to, that of an operand that
// dies, or a new one. Afterwards the lifetimes of what crosses tasks are
// widened by the rules of the loop.
//
//===----------------------------------------------------------------------===//

#include "passes/StepLiveness.h"

#include "passes/StepCollector.h"
#include "passes/StepFunctions.h"

namespace mlir::dtc {

TaskKind getKind(func::FuncOp task) {
  return task->getAttrOfType<TaskKindAttr>(kTaskAttr).getValue();
}

//===-- Time --------------------------------------------------------------===//

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

//===-- Buffers -----------------------------------------------------------===//

static StringRef getClassName(BufferOp buffer) {
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

//===-- The walk ----------------------------------------------------------===//

void StepCollector::touch(StorageSlot slot, Operation *op) {
  if (slot.storage < 0)
    return;
  memory.get(slot.storage).touch(ticks.lookup(op));
  auto task = op->getParentOfType<func::FuncOp>();
  taskMasks[slot.storage] |= 1u << unsigned(getKind(task));
}

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

//===-- Lifetimes across tasks --------------------------------------------===//

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
