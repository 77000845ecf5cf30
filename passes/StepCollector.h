//===- StepCollector.h - The walk behind StepLiveness ---------*- C++ -*-===//
//
// One class over two files: StepLiveness.cpp has time, buffers and the walk,
// StorageSharing.cpp decides which values share bytes.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_STEPCOLLECTOR_H
#define DTC_PASSES_STEPCOLLECTOR_H

#include "passes/StepLiveness.h"
#include "passes/TaskAssignment.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::dtc {

inline constexpr unsigned kLoopTasks = 1u << unsigned(TaskKind::Forward) |
                                       1u << unsigned(TaskKind::Backward) |
                                       1u << unsigned(TaskKind::Weight);
inline constexpr unsigned kBackwardAndWeight =
    1u << unsigned(TaskKind::Backward) | 1u << unsigned(TaskKind::Weight);

/// Kind of a task function.
TaskKind getKind(func::FuncOp task);

/// True for an op whose results are parts of its operand's bytes.
bool isView(Operation *op);

/// Gives each value of a step on one stage its slot, and each storage its life.
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

} // namespace mlir::dtc

#endif // DTC_PASSES_STEPCOLLECTOR_H
