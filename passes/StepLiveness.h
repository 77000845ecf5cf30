//===- StepLiveness.h - Storages and lifetimes of one step ----*- C++ -*-===//
//
// Reads the tasks of one step on one stage and says which values share bytes
// and when these bytes are needed.
//
// Time is one tick an op, tasks in the order prologue, forward, backward,
// weight, epilogue. The loop runs its tasks again and again, so what one
// micro-batch leaves for a later call is needed through the whole loop; only
// what a backward task leaves for the weight task right behind it is not.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_STEPLIVENESS_H
#define DTC_PASSES_STEPLIVENESS_H

#include "passes/StageMemory.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::dtc {

/// The tasks of one step on one stage, in the order of the step.
SmallVector<func::FuncOp> findTasks(ModuleOp module, int64_t stage,
                                    llvm::StringRef stepKind);

/// Adds the step's storages to `memory`, with ticks from `firstTick` on.
/// Returns the first tick after the step.
///
/// Sharing: a load is its buffer, a read its variable, a view its operand. A
/// value that is saved or stored is made in the buffer or the variable, where
/// the old content has no later reader. An op whose operand dies with it
/// overwrites the operand. The members of a bucket that are packed lie in a row
/// from the start, so packing moves nothing.
int64_t addStep(StageMemory &memory, ModuleOp module, llvm::StringRef stepKind,
                int64_t microBatches, int64_t firstTick);

} // namespace mlir::dtc

#endif // DTC_PASSES_STEPLIVENESS_H
