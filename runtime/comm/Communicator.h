//===- Communicator.h - What ranks say to each other ----------------------===//
//
// One rank's end of all communication of a program. The same program runs over
// threads of one process and over processes, so the rules below are the
// interface's and not a backend's.
//
// Order: the compiler certified the order of collectives on the programs of
// all ranks; nothing here could repair it. Every member of a group issues the
// group's collectives in the same order, from one thread at a time. A channel
// is an ordered queue of its own between one source and one destination.
//
// Deadlines: every wait ends after the communicator's timeout as kTimeout,
// naming who did not arrive. A timeout, a mismatch or abort() kills the
// communicator on all ranks: each further call returns the first reason.
//
// Memory: calls are synchronous, except send(). After a failure another rank
// may still read a buffer of this one, so buffers are freed only after all
// ranks of the process have left their last call.
//
// Steps: openGroup(), openSend() and openRecv() allocate and lock; they run in
// prepare. The other calls neither allocate nor lock.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_COMM_COMMUNICATOR_H
#define DTC_RUNTIME_COMM_COMMUNICATOR_H

#include "runtime/base/DType.h"
#include "runtime/base/Status.h"

#include <vector>

namespace dtc::rt {

/// How a collective joins the elements of its ranks. Sums of bf16 and f16 are
/// made in f32 and rounded once. The maximum of anything and a NaN is a NaN.
/// Or is bitwise, of integers.
enum class ReductionKind : uint8_t { kSum, kMax, kOr };

/// Returns sum, max or or.
const char *name(ReductionKind kind);

/// What a ledger counts apart.
enum class CommOperation : uint8_t {
  kAllReduce,
  kReduceScatter,
  kAllGather,
  kAllToAll,
  kBarrier,
  kSend,
  kRecv,
};
inline constexpr int kCommOperationCount = 7;

/// Returns all_reduce, reduce_scatter, ..., recv.
const char *name(CommOperation operation);

/// A group that openGroup() gave; meaningful to its communicator only.
struct GroupHandle {
  int32_t index = -1;
};

/// One end of a channel that openSend() or openRecv() gave.
struct ChannelHandle {
  int32_t index = -1;
};

/// Calls and bytes of one operation over one group or channel, on one rank.
struct LedgerEntry {
  CommOperation operation;
  /// The members of the group; source and destination of a channel.
  std::vector<int32_t> ranks;
  /// The channel's number; -1 for a group.
  int32_t channel;
  int64_t calls;
  /// What this rank contributed: all_gather its shard, reduce_scatter and
  /// all_to_all the whole input, recv what arrived.
  int64_t bytes;
};

/// One rank's end of all communication; see the head of this file.
class Communicator {
public:
  virtual ~Communicator() = default;

  virtual int32_t rank() const = 0;
  virtual int32_t rankCount() const = 0;

  /// Makes the group of these ranks known, or finds it again.
  ///
  /// Shapes:  ranks are strictly ascending, in [0, rankCount), and contain
  ///          this rank. Parts of gathers and scatters lie in their order.
  /// Errors:  kInvalidArgument naming the rank that breaks this.
  virtual Result<GroupHandle> openGroup(const std::vector<int32_t> &ranks) = 0;

  /// Makes this rank's end of a channel known, or finds it again. Both ends
  /// name the same number and the same capacity.
  ///
  /// Units:   capacity counts posts that may wait to be taken.
  /// Errors:  kInvalidArgument for a rank outside, this rank itself, or a
  ///          capacity that is not positive or not the other end's.
  virtual Result<ChannelHandle> openSend(int32_t destination, int32_t channel,
                                         int32_t capacity) = 0;
  virtual Result<ChannelHandle> openRecv(int32_t source, int32_t channel,
                                         int32_t capacity) = 0;

  /// Reduces `send` of all members into `recv` of each. The order of the sum
  /// is that of the ranks, so all members hold the same bits, on every run.
  ///
  /// Shapes:  both hold `elementCount` elements. They may be the same buffer;
  ///          they may not overlap otherwise.
  /// Errors:  kCommError if the members disagree on what is done;
  ///          kInvalidArgument if `kind` does not apply to `dtype`.
  virtual Status allReduce(GroupHandle group, const void *send, void *recv,
                           int64_t elementCount, DType dtype,
                           ReductionKind kind) = 0;

  /// Reduces as allReduce() does and keeps part i at member i.
  ///
  /// Shapes:  recv holds `shardElementCount` elements, send that times the
  ///          members. recv may be this rank's own part of send.
  virtual Status reduceScatter(GroupHandle group, const void *send, void *recv,
                               int64_t shardElementCount, DType dtype,
                               ReductionKind kind) = 0;

  /// Joins the shards of all members in order of rank.
  ///
  /// Shapes:  send holds `shardElementCount` elements, recv that times the
  ///          members. send may be this rank's own part of recv.
  virtual Status allGather(GroupHandle group, const void *send, void *recv,
                           int64_t shardElementCount, DType dtype) = 0;

  /// Gives part j of `send` to member j, who finds it as part i if it came
  /// from member i.
  ///
  /// Shapes:  both hold `shardElementCount` elements times the members and do
  ///          not overlap.
  virtual Status allToAll(GroupHandle group, const void *send, void *recv,
                          int64_t shardElementCount, DType dtype) = 0;

  /// Returns once every member has arrived.
  virtual Status barrier(GroupHandle group) = 0;

  /// Posts `elementCount` elements and returns; they may not change until
  /// waitSend(). Waits only if the channel already holds its capacity.
  virtual Status send(ChannelHandle channel, const void *source,
                      int64_t elementCount, DType dtype) = 0;

  /// Waits for the next post and copies it.
  ///
  /// Errors:  kCommError if the post has another size; both are named.
  virtual Status recv(ChannelHandle channel, void *destination,
                      int64_t elementCount, DType dtype) = 0;

  /// Waits until at most `pending` of this end's posts are not yet taken, the
  /// oldest first.
  virtual Status waitSend(ChannelHandle channel, int32_t pending = 0) = 0;

  /// Tells all ranks to stop with this reason; wakes those that wait. The
  /// first reason stays. May be called from any thread.
  virtual void abort(const Status &reason) = 0;

  /// What this rank did so far, without what it never did; by group, then by
  /// channel, in the order of opening. Not for use in a step.
  virtual std::vector<LedgerEntry> ledger() const = 0;
};

} // namespace dtc::rt

#endif // DTC_RUNTIME_COMM_COMMUNICATOR_H
