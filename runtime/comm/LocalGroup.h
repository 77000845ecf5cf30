//===- LocalGroup.h - Collectives among threads of one process ------------===//
//
// Members publish where their buffers are, meet, and read each other's memory
// directly: nothing is copied twice and no buffer is allocated. Each member
// reduces its own slice, so the work is shared and each sum is made once.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_COMM_LOCALGROUP_H
#define DTC_RUNTIME_COMM_LOCALGROUP_H

#include "runtime/comm/Communicator.h"
#include "runtime/comm/Signal.h"

#include <atomic>
#include <memory>
#include <vector>

namespace dtc::rt {

class LocalWorld;

/// The meeting place of one group's members. Each method is called by every
/// member, from its own thread, with its index within the group.
class LocalGroup {
public:
  LocalGroup(LocalWorld &world, std::vector<int32_t> ranks);

  const std::vector<int32_t> &ranks() const { return memberRanks; }

  Status allReduce(int member, const void *send, void *recv,
                   int64_t elementCount, DType dtype, ReductionKind kind);
  Status reduceScatter(int member, const void *send, void *recv,
                       int64_t shardElementCount, DType dtype,
                       ReductionKind kind);
  Status allGather(int member, const void *send, void *recv,
                   int64_t shardElementCount, DType dtype);
  Status allToAll(int member, const void *send, void *recv,
                  int64_t shardElementCount, DType dtype);
  Status barrier(int member);

  /// Ends all waits of the group.
  void interrupt() { met.interrupt(); }

private:
  /// Up to this size a contribution travels with the arrival itself, which
  /// takes one meeting in place of three.
  static constexpr int64_t kInlineBytes = 1024;

  /// What a member does, for the others to read.
  struct Arrival {
    CommOperation operation;
    ReductionKind kind;
    DType dtype;
    int64_t elementCount;
    const void *send;
    void *recv;
    alignas(16) unsigned char payload[kInlineBytes];
  };

  struct alignas(64) Member {
    /// Used in turn: nobody is more than one operation ahead of a reader,
    /// since each operation begins with a meeting.
    Arrival arrivals[2];
    int current = 1;
    /// Meetings that this member came to, for reports.
    std::atomic<uint64_t> meetings{0};
    /// Room for the others' addresses.
    std::vector<const void *> addresses;
  };

  int memberCount() const { return static_cast<int>(memberRanks.size()); }
  const Arrival &arrival(int of, int asSeenBy) const {
    return members[of].arrivals[members[asSeenBy].current];
  }

  /// Publishes, meets, and checks that all members do the same.
  Status arrive(int member, CommOperation operation, const void *send,
                void *recv, int64_t elementCount, DType dtype,
                ReductionKind kind, bool isInline);
  /// Waits until every member came here.
  Status meet(int member, CommOperation operation);
  Status checkSame(int member) const;
  Status reportMissing(int member, CommOperation operation) const;
  void copyShards(int member, void *recv, int64_t shardBytes,
                  int64_t sourceOffset, bool isInline) const;

  LocalWorld &world;
  std::vector<int32_t> memberRanks;
  std::unique_ptr<Member[]> members;
  std::atomic<int> missing;
  Signal met;
};

} // namespace dtc::rt

#endif // DTC_RUNTIME_COMM_LOCALGROUP_H
