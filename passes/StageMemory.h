//===- StageMemory.h - What a stage must remember, and how long -*- C++ -*-===//
//
// The memory of one stage as storages: stretches of bytes that values share.
// StepLiveness fills it from the tasks, packing gives each an offset.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_STAGEMEMORY_H
#define DTC_PASSES_STAGEMEMORY_H

#include "ir/DtcOps.h"

#include "passes/ArenaPacking.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::dtc {

/// Bytes that one value after another lives in: a variable's, a buffer's (all
/// its slots), or those of temporaries that take over from each other in place.
struct Storage {
  enum Kind { Variable, Buffer, Temporary };
  Kind kind = Temporary;
  std::string name;          ///< the model's name, for messages
  llvm::StringRef className; ///< as in the report: "parameters", "stash"
  int64_t bytes = 0;
  int64_t payloadBytes = 0; ///< without what aligns the slots
  int64_t elementBytes = 1;
  int64_t slots = 1;
  int64_t begin = -1; ///< first and last tick, -1 before the first use
  int64_t end = -1;
  bool isEvaluation = false;
  /// Index of the storage that this one is a part of, at `parentOffset`.
  int parent = -1;
  int64_t parentOffset = 0;
  /// The last part of its parent: what the parent has beyond its parts (a pad
  /// that a reduce_scatter reads) is cleared with it.
  bool endsParent = false;

  void touch(int64_t tick) {
    begin = begin < 0 ? tick : std::min(begin, tick);
    end = std::max(end, tick);
  }
};

/// Where a value lies inside a storage.
struct StorageSlot {
  int storage = -1;
  int64_t offset = 0;
  int64_t slots = 1;
  int64_t slotStride = 0;
  int64_t microBatchStride = 0;
};

class StageMemory {
public:
  StageMemory(ModuleOp module, int64_t stage);

  int64_t getStage() const { return stage; }
  Storage &get(int index) { return storages[static_cast<size_t>(index)]; }
  /// The storage that `slot` is finally in, its offset counted from there.
  StorageSlot resolve(StorageSlot slot) const;
  StorageSlot addStorage(Storage storage);
  /// A variable's storage; it lives through all steps.
  StorageSlot getVariable(llvm::StringRef name) const {
    return variables.lookup(name);
  }
  size_t getStorageCount() const { return storages.size(); }

  void setSlot(Value value, StorageSlot slot) { slots[value] = slot; }
  StorageSlot getSlot(Value value) const { return slots.lookup(value); }
  void setBuffer(BufferOp buffer, StorageSlot slot) { buffers[buffer] = slot; }
  /// Scratch bytes of one op.
  void setWorkspace(Operation *op, StorageSlot slot) { workspaces[op] = slot; }

  /// Packs all storages; ticks of variables span everything.
  void pack(int64_t lastTick);
  const ArenaSize &getSize() const { return size; }

  /// Writes dtc.places to buffers and to the ops of `tasks`.
  void writePlaces(ArrayRef<func::FuncOp> tasks) const;
  /// This stage's place of each of its variables.
  void
  forEachVariable(llvm::function_ref<void(VariableOp, PlaceAttr)> visit) const;

  /// The stage's entry of dtc.memory.
  DictionaryAttr makeReport() const;
  /// The largest storages at the peak: "stash h.0 1024 bytes, ...".
  std::string describePeak(size_t count) const;

private:
  PlaceAttr makePlace(StorageSlot slot, int64_t bytes) const;
  int64_t getTemporaryPeak() const;
  /// Bytes of a storage, with its parent's rest where it ends it.
  int64_t getWholeBytes(int index) const;

  mutable ModuleOp module; ///< a handle; MLIR's accessors are not const
  int64_t stage;
  std::vector<Storage> storages;
  llvm::StringMap<StorageSlot> variables;
  llvm::MapVector<Operation *, StorageSlot> buffers;
  DenseMap<Value, StorageSlot> slots;
  DenseMap<Operation *, StorageSlot> workspaces;
  std::vector<int64_t> offsets;
  ArenaSize size;
};

/// Bytes of a value's type on one rank.
int64_t getBytes(Value value);

} // namespace mlir::dtc

#endif // DTC_PASSES_STAGEMEMORY_H
