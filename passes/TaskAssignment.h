//===- TaskAssignment.h - Which task of a stage an op belongs to -*- C++ --===//
//
// The decision behind outline-tasks, apart from the writing of functions. A
// stage's part of a step falls into five tasks by what its values are over time
// (axis mb) and by what the neighbours wait for:
//
//   prologue  the same for all micro-batches, and the loop needs it
//   forward   varies over micro-batches, phase forward
//   backward  the backward slice of what is sent to earlier stages
//   weight    the rest of the backward phase; does the receiving where nothing
//             is sent back
//   epilogue  the rest: what reads accumulated values, updates and reports
//
// Views, variables and constants belong to no task: each task that needs one
// has its own, so no memory holds a view.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_TASKASSIGNMENT_H
#define DTC_PASSES_TASKASSIGNMENT_H

#include "ir/DtcOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace mlir::dtc {

/// On a task function: its kind (TaskKindAttr) and its stage (i64). The step
/// that it is a part of stands in dtc.step_kind, as on the step itself.
inline constexpr llvm::StringLiteral kTaskAttr = "dtc.task";
inline constexpr llvm::StringLiteral kTaskStageAttr = "dtc.stage";

/// The tasks of one step function on one stage.
class TaskAssignment {
public:
  /// Assigns every op of `step` that runs on `stage`. Emits an error at the op
  /// that fits no task: one that uses an accumulated value inside the loop, or
  /// sends against the direction of its phase.
  static FailureOr<TaskAssignment> build(func::FuncOp step, int64_t stage);

  /// Ops of the stage in the order of the step, free ones included.
  ArrayRef<Operation *> getOps() const { return ops; }

  /// True for an op that each task has for itself: a view, a variable's value,
  /// a constant, a micro-batch's rows of a batch.
  static bool isFree(Operation *op);

  /// The task of an op that is not free. A send_recv has the task of the half
  /// that is on this stage; an accumulate that of its input.
  TaskKind getTask(Operation *op) const { return tasks.lookup(op); }

  /// The task in which `value` comes to be on this stage: batches in the
  /// prologue, accumulated values in the epilogue, none for a value that is
  /// free all the way up.
  std::optional<TaskKind> getSource(Value value) const;

  /// True where the task has an op of its own.
  bool hasTask(TaskKind kind) const;

  bool isSender(SendRecvOp op) const {
    return static_cast<int64_t>(op.getSource()) == stage;
  }
  int64_t getStage() const { return stage; }

private:
  explicit TaskAssignment(int64_t stage) : stage(stage) {}

  LogicalResult collect(func::FuncOp step);
  LogicalResult assignLoop();
  LogicalResult assignAccumulates();
  void markSlice(Value value, DenseSet<Operation *> &slice) const;
  LogicalResult assignStatic();
  LogicalResult markPrologue(Operation *user, Value value);

  int64_t stage;
  SmallVector<Operation *> ops;
  DenseMap<Operation *, TaskKind> tasks;
};

/// Stages on which an op runs: those of its results, of its operands where it
/// has none, of both where it joins stages by communication.
uint64_t getRunningStages(Operation *op);

/// True where the value differs between micro-batches.
bool variesOverTime(Value value);

/// True for an op of phase forward.
bool isForward(Operation *op);

} // namespace mlir::dtc

#endif // DTC_PASSES_TASKASSIGNMENT_H
