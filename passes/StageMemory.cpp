//===- StageMemory.cpp - What a stage must remember, and how long ---------===//
//
// Keeps storages and their slots, has them packed, and writes what came of it
// into the IR: a place for each value and a report for the stage.
//
//===----------------------------------------------------------------------===//

#include "passes/StageMemory.h"

#include "passes/MemoryAttributes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <map>

namespace mlir::dtc {

int64_t getBytes(Value value) {
  return getTensorBytes(cast<RankedTensorType>(value.getType()));
}

static StringRef getVariableClass(VariableOp variable) {
  if (variable.getRole() == "parameter")
    return "parameters";
  return variable.getRole() == "state" ? "optimizer state" : "scalars";
}

StageMemory::StageMemory(ModuleOp module, int64_t stage)
    : module(module), stage(stage) {
  for (auto variable : module.getOps<VariableOp>()) {
    auto type = cast<RankedTensorType>(variable.getType());
    LayoutAttr layout = getLayout(type);
    if (layout && !(getStages(layout) >> stage & 1))
      continue;
    Storage storage;
    storage.kind = Storage::Variable;
    storage.name = variable.getSymName().str();
    storage.className = getVariableClass(variable);
    storage.bytes = storage.payloadBytes = getTensorBytes(type);
    storage.elementBytes = getElementBytes(type.getElementType());
    storage.touch(0);
    variables[variable.getSymName()] = addStorage(std::move(storage));
  }
}

StorageSlot StageMemory::addStorage(Storage storage) {
  storages.push_back(std::move(storage));
  return {static_cast<int>(storages.size()) - 1};
}

StorageSlot StageMemory::resolve(StorageSlot slot) const {
  for (const Storage *at = &storages[slot.storage]; at->parent >= 0;
       at = &storages[slot.storage]) {
    slot.offset += at->parentOffset;
    slot.storage = at->parent;
  }
  return slot;
}

void StageMemory::pack(int64_t lastTick) {
  std::vector<MemoryBlock> blocks;
  std::vector<size_t> owners;
  for (size_t i = 0; i < storages.size(); ++i) {
    Storage &storage = storages[i];
    if (storage.kind == Storage::Variable)
      storage.touch(lastTick);
    if (storage.parent >= 0 || storage.begin < 0 || storage.bytes == 0)
      continue;
    blocks.push_back({storage.bytes, storage.begin, storage.end});
    owners.push_back(i);
  }
  size = packArena(blocks);
  offsets.assign(storages.size(), 0);
  for (auto [owner, block] : llvm::zip_equal(owners, blocks))
    offsets[owner] = block.offset;
}

PlaceAttr StageMemory::makePlace(StorageSlot slot, int64_t bytes) const {
  slot = resolve(slot);
  return PlaceAttr::get(
      module.getContext(),
      offsets[static_cast<size_t>(slot.storage)] + slot.offset, bytes,
      slot.slots, slot.slotStride, slot.microBatchStride);
}

int64_t StageMemory::getWholeBytes(int index) const {
  const Storage &storage = storages[static_cast<size_t>(index)];
  if (!storage.endsParent)
    return storage.bytes;
  return storages[static_cast<size_t>(storage.parent)].bytes -
         storage.parentOffset;
}

void StageMemory::writePlaces(ArrayRef<func::FuncOp> tasks) const {
  Builder builder(module.getContext());
  for (auto &[op, slot] : buffers) {
    auto type = cast<RankedTensorType>(cast<BufferOp>(op).getType());
    // One slot of many; a whole storage may be longer than the type: pads that
    // a reduce_scatter reads and rows that only the last micro-batch misses.
    int64_t bytes =
        slot.slots > 1 ? getTensorBytes(type) : getWholeBytes(slot.storage);
    op->setAttr(kPlacesAttr, builder.getArrayAttr({makePlace(slot, bytes)}));
  }
  for (func::FuncOp task : tasks)
    for (Operation &op : task.front().without_terminator()) {
      auto workspace = workspaces.find(&op);
      if (workspace != workspaces.end())
        op.setAttr(kWorkspaceAttr,
                   makePlace(workspace->second,
                             storages[workspace->second.storage].bytes));
      SmallVector<Attribute> places;
      for (Value result : op.getResults()) {
        StorageSlot slot = resolve(slots.lookup(result));
        // A reduce_scatter reads, an all_gather writes the pads of all shards.
        bool whole =
            isa<PackOp, AllGatherOp>(op) && slot.offset == 0 && slot.slots == 1;
        places.push_back(makePlace(slot, whole ? getWholeBytes(slot.storage)
                                               : getBytes(result)));
      }
      if (!places.empty())
        op.setAttr(kPlacesAttr, builder.getArrayAttr(places));
    }
}

void StageMemory::forEachVariable(
    llvm::function_ref<void(VariableOp, PlaceAttr)> visit) const {
  for (auto variable : module.getOps<VariableOp>()) {
    auto found = variables.find(variable.getSymName());
    if (found != variables.end())
      visit(variable,
            makePlace(found->second, storages[found->second.storage].bytes));
  }
}

/// The most bytes of temporaries at once.
int64_t StageMemory::getTemporaryPeak() const {
  std::map<int64_t, int64_t> changes;
  for (const Storage &storage : storages)
    if (storage.className == "temporaries" && !storage.isEvaluation &&
        storage.parent < 0 && storage.begin >= 0) {
      changes[storage.begin] += storage.bytes;
      changes[storage.end + 1] -= storage.bytes;
    }
  int64_t live = 0, peak = 0;
  for (auto &[tick, change] : changes)
    peak = std::max(peak, live += change);
  return peak;
}

DictionaryAttr StageMemory::makeReport() const {
  constexpr llvm::StringLiteral kClasses[] = {
      "parameters", "optimizer state", "gradients", "scalars", "batch",
      "stash",      "received",        "sent",      "static"};
  Builder builder(module.getContext());
  auto number = [&](StringRef name, int64_t value) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
  };
  SmallVector<Attribute> classes;
  auto addClass = [&](StringRef name, int64_t elements, int64_t bytes) {
    classes.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr("name", builder.getStringAttr(name)),
         number("elements", elements), number("bytes", bytes)}));
  };
  for (StringRef name : kClasses) {
    int64_t elements = 0, bytes = 0;
    for (const Storage &storage : storages)
      if (storage.className == name && !storage.isEvaluation &&
          storage.parent < 0) {
        elements += storage.payloadBytes / storage.elementBytes;
        bytes += storage.payloadBytes;
      }
    addClass(name, elements, bytes);
  }
  int64_t temporaries = getTemporaryPeak();
  addClass("temporaries", temporaries / 4, temporaries);
  return builder.getDictionaryAttr(
      {number("stage", stage), number("arena_bytes", size.arenaBytes),
       number("lower_bound_bytes", size.lowerBoundBytes),
       number("peak_live_bytes", size.peakLiveBytes),
       builder.getNamedAttr("classes", builder.getArrayAttr(classes))});
}

std::string StageMemory::describePeak(size_t count) const {
  SmallVector<const Storage *> live;
  for (const Storage &storage : storages)
    if (storage.parent < 0 && storage.begin >= 0 &&
        storage.begin <= size.peakTick && size.peakTick <= storage.end)
      live.push_back(&storage);
  llvm::sort(live, [](const Storage *a, const Storage *b) {
    return a->bytes == b->bytes ? a < b : a->bytes > b->bytes;
  });
  std::string text;
  for (const Storage *storage : ArrayRef(live).take_front(count))
    text += (text.empty() ? "" : ", ") + storage->name + " (" +
            storage->className.str() + ") " + std::to_string(storage->bytes);
  return text;
}

} // namespace mlir::dtc
