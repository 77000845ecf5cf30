//===- Exchange.h - What simulated ranks give each other -------*- C++ -*-===//
//
// Collectives by rendezvous and channels in order, without threads: a rank that
// must wait is told so and asks again.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_INTERPRETER_EXCHANGE_H
#define DTC_IR_INTERPRETER_EXCHANGE_H

#include "ir/DtcOps.h"
#include "ir/interpreter/Mesh.h"

#include <deque>
#include <map>

namespace mlir::dtc {

class Exchange {
public:
  explicit Exchange(const Mesh &mesh)
      : mesh(mesh), entered(mesh.getRankCount()),
        isInside(mesh.getRankCount(), false) {}

  /// A rank enters its next collective of a group with its operand (null where
  /// its stage does not hold it). The last member to enter computes all
  /// results. A rank that is inside already stays so. An error where the
  /// members are in different collectives.
  LogicalResult enter(size_t rank, const PlaceContext &context,
                      const HostTensor *input);

  /// The result of the collective that a rank is inside, which it leaves;
  /// nothing while members are missing.
  std::optional<HostTensor> leave(size_t rank, Collective op);

  /// Puts a message into a channel between two ranks; never waits.
  void post(int64_t channel, size_t source, size_t destination,
            const HostTensor &message);

  /// The next message of a channel; nothing while there is none.
  std::optional<HostTensor> take(int64_t channel, size_t source,
                                 size_t destination);

  /// Messages that a rank has posted on a channel and nobody has taken.
  size_t countNotTaken(int64_t channel, size_t source) const;

  /// An error where a message was never taken.
  LogicalResult checkAllTaken(ModuleOp module) const;

private:
  using Group = std::vector<size_t>; ///< ranks, in order

  /// The n-th collective of one group, by rank.
  struct Meeting {
    std::map<size_t, PlaceContext> places;
    std::map<size_t, std::optional<HostTensor>> inputs;
    std::map<size_t, HostTensor> outputs;
  };
  struct Channel {
    int64_t number;
    size_t source, destination;
    bool operator<(const Channel &o) const {
      return std::tie(number, source, destination) <
             std::tie(o.number, o.source, o.destination);
    }
  };

  Group getGroup(size_t rank, Collective op) const;
  LogicalResult combine(Meeting &meeting, const Group &group);

  const Mesh &mesh;
  std::vector<std::map<Group, size_t>> entered; ///< collectives left, by rank
  std::vector<bool> isInside;
  std::map<std::pair<Group, size_t>, Meeting> meetings;
  std::map<Channel, std::deque<HostTensor>> channels;
};

/// Model name of an op, for messages.
StringRef describeModelName(Operation *op);

} // namespace mlir::dtc

#endif // DTC_IR_INTERPRETER_EXCHANGE_H
