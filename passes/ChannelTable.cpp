//===- ChannelTable.cpp - Numbers of the channels between stages ----------===//
//
// A set in order gives numbers that depend on the pairs alone, not on where a
// send stands in the step.
//
//===----------------------------------------------------------------------===//

#include "passes/ChannelTable.h"

namespace mlir::dtc {

ChannelTable::Key ChannelTable::getKey(SendRecvOp op) {
  // Forward values go to later stages, backward ones to earlier.
  return {op.getSource() > op.getDestination(), op.getSource(),
          op.getDestination()};
}

ChannelTable::ChannelTable(ArrayRef<func::FuncOp> steps) {
  for (func::FuncOp step : steps)
    step.walk([&](SendRecvOp op) { keys.insert(getKey(op)); });
}

int64_t ChannelTable::getChannel(SendRecvOp op) const {
  return std::distance(keys.begin(), keys.find(getKey(op)));
}

} // namespace mlir::dtc
