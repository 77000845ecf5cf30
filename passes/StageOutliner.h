//===- StageOutliner.h - Write the tasks of one stage ----------*- C++ -*-===//
//
// Turns a TaskAssignment into functions, buffers and channels.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_STAGEOUTLINER_H
#define DTC_PASSES_STAGEOUTLINER_H

#include "ir/DtcOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <set>
#include <tuple>

namespace mlir::dtc {

/// Numbers the channels of a module: each (phase, source, destination) is an
/// ordered chain of its own, forward ones first. A training step and an
/// evaluation share them; both leave a channel empty.
class ChannelTable {
public:
  explicit ChannelTable(ArrayRef<func::FuncOp> steps);
  int64_t getChannel(SendRecvOp op) const;

private:
  using Key =
      std::tuple<bool, int64_t, int64_t>; // backward, source, destination
  static Key getKey(SendRecvOp op);
  std::set<Key> keys;
};

/// Appends the task functions and buffers of one stage of `step` to its module.
/// Leaves `step` as it is. Emits an error where an op fits no task.
LogicalResult outlineStage(func::FuncOp step, int64_t stage,
                           const ChannelTable &channels);

} // namespace mlir::dtc

#endif // DTC_PASSES_STAGEOUTLINER_H
