//===- StageOutliner.h - Write the tasks of one stage ----------*- C++ -*-===//
//
// Turns a TaskAssignment into functions, buffers and channels.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_STAGEOUTLINER_H
#define DTC_PASSES_STAGEOUTLINER_H

#include "passes/ChannelTable.h"

namespace mlir::dtc {

/// Appends the task functions and buffers of one stage of `step` to its module.
/// Leaves `step` as it is. Emits an error where an op fits no task.
LogicalResult outlineStage(func::FuncOp step, int64_t stage,
                           const ChannelTable &channels);

} // namespace mlir::dtc

#endif // DTC_PASSES_STAGEOUTLINER_H
