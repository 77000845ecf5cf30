//===- ChannelTable.h - Numbers of the channels between stages -*- C++ -*-===//
//
// With one channel a pair of stages, forward and backward values would wait for
// each other's receives; so each direction of a pair is a chain of its own.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_CHANNELTABLE_H
#define DTC_PASSES_CHANNELTABLE_H

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

} // namespace mlir::dtc

#endif // DTC_PASSES_CHANNELTABLE_H
