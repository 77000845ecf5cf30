//===- StorageSharing.cpp - Which values of a step share bytes ------------===//
//
// The decisions of StepLiveness of which a wrong one corrupts numbers: whether
// bytes have no reader any more. Each asks for the last use of a value and of
// all its views, and says no where it does not know.
//
//===----------------------------------------------------------------------===//

#include "passes/StepCollector.h"

#include "passes/StepFunctions.h"

namespace mlir::dtc {

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

} // namespace mlir::dtc
