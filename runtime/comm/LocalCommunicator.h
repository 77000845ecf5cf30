//===- LocalCommunicator.h - One thread's end of a local world ------------===//
//
// Turns handles into shared groups and channels and keeps this rank's ledger,
// so that what is shared stays free of counters.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_COMM_LOCALCOMMUNICATOR_H
#define DTC_RUNTIME_COMM_LOCALCOMMUNICATOR_H

#include "runtime/comm/LocalWorld.h"

namespace dtc::rt {

/// A rank that is a thread; made by LocalWorld::communicator().
class LocalCommunicator final : public Communicator {
public:
  LocalCommunicator(std::shared_ptr<LocalWorld> world, int32_t rank)
      : world(std::move(world)), ownRank(rank) {}

  int32_t rank() const override { return ownRank; }
  int32_t rankCount() const override { return world->rankCount(); }

  Result<GroupHandle> openGroup(const std::vector<int32_t> &ranks) override;
  Result<ChannelHandle> openSend(int32_t destination, int32_t channel,
                                 int32_t capacity) override;
  Result<ChannelHandle> openRecv(int32_t source, int32_t channel,
                                 int32_t capacity) override;

  Status allReduce(GroupHandle group, const void *send, void *recv,
                   int64_t elementCount, DType dtype,
                   ReductionKind kind) override;
  Status reduceScatter(GroupHandle group, const void *send, void *recv,
                       int64_t shardElementCount, DType dtype,
                       ReductionKind kind) override;
  Status allGather(GroupHandle group, const void *send, void *recv,
                   int64_t shardElementCount, DType dtype) override;
  Status allToAll(GroupHandle group, const void *send, void *recv,
                  int64_t shardElementCount, DType dtype) override;
  Status barrier(GroupHandle group) override;

  Status send(ChannelHandle channel, const void *source, int64_t elementCount,
              DType dtype) override;
  Status recv(ChannelHandle channel, void *destination, int64_t elementCount,
              DType dtype) override;
  Status waitSend(ChannelHandle channel, int32_t pending) override;

  void abort(const Status &reason) override { world->abort(ownRank, reason); }
  std::vector<LedgerEntry> ledger() const override;

private:
  struct Count {
    int64_t calls = 0;
    int64_t bytes = 0;

    void add(int64_t moreBytes) {
      ++calls;
      bytes += moreBytes;
    }
  };
  struct OpenGroup {
    LocalGroup *group;
    int member;
    Count counts[kCommOperationCount];
  };
  struct OpenChannel {
    LocalChannel *channel;
    CommOperation direction;
    Count count;
  };

  Result<ChannelHandle> openChannel(CommOperation direction, int32_t peer,
                                    ChannelName name, int32_t capacity);
  /// What every call checks: the world lives, the handle is ours, the count
  /// is not negative.
  Status checkGroup(GroupHandle handle, int64_t elementCount) const;
  Status checkChannel(ChannelHandle handle, CommOperation direction,
                      int64_t elementCount) const;

  std::shared_ptr<LocalWorld> world;
  int32_t ownRank;
  std::vector<OpenGroup> groups;
  std::vector<OpenChannel> channels;
};

} // namespace dtc::rt

#endif // DTC_RUNTIME_COMM_LOCALCOMMUNICATOR_H
