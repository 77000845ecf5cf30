//===- LocalCommunicator.cpp - One thread's end of a local world ----------===//
//
// Arguments are checked here, once for each call, so that LocalGroup and
// LocalChannel hold the algorithms and nothing else.
//
//===----------------------------------------------------------------------===//

#include "runtime/comm/LocalCommunicator.h"

#include "runtime/comm/Reduce.h"

#include <algorithm>

namespace dtc::rt {

Result<GroupHandle>
LocalCommunicator::openGroup(const std::vector<int32_t> &ranks) {
  int member = -1;
  for (size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] < 0 || ranks[i] >= rankCount())
      return Status::invalidArgument() << "group holds rank " << ranks[i]
                                       << ", outside 0 to " << rankCount() - 1;
    if (i > 0 && ranks[i] <= ranks[i - 1])
      return Status::invalidArgument()
             << "group holds rank " << ranks[i] << " after rank "
             << ranks[i - 1] << ", expected ascending ranks";
    if (ranks[i] == ownRank)
      member = static_cast<int>(i);
  }
  if (member < 0)
    return Status::invalidArgument()
           << "group does not hold rank " << ownRank << ", which opens it";

  LocalGroup *group = &world->group(ranks);
  for (size_t i = 0; i < groups.size(); ++i)
    if (groups[i].group == group)
      return GroupHandle{static_cast<int32_t>(i)};
  groups.push_back({group, member, {}});
  return GroupHandle{static_cast<int32_t>(groups.size() - 1)};
}

Result<ChannelHandle> LocalCommunicator::openChannel(CommOperation direction,
                                                     int32_t peer,
                                                     ChannelName channelName,
                                                     int32_t capacity) {
  if (peer < 0 || peer >= rankCount() || peer == ownRank)
    return Status::invalidArgument()
           << "channel " << channelName.number << " of rank " << ownRank
           << " leads to rank " << peer << ", expected another rank of 0 to "
           << rankCount() - 1;
  if (capacity < 1 || capacity > (1 << 20))
    return Status::invalidArgument()
           << "channel " << channelName.number << " holds " << capacity
           << " posts, expected 1 to " << (1 << 20);
  DTC_ASSIGN_OR_RETURN(LocalChannel * channel,
                       world->channel(channelName, capacity));
  for (size_t i = 0; i < channels.size(); ++i)
    if (channels[i].channel == channel)
      return ChannelHandle{static_cast<int32_t>(i)};
  channels.push_back({channel, direction, {}});
  return ChannelHandle{static_cast<int32_t>(channels.size() - 1)};
}

Result<ChannelHandle> LocalCommunicator::openSend(int32_t destination,
                                                  int32_t channel,
                                                  int32_t capacity) {
  return openChannel(CommOperation::kSend, destination,
                     {ownRank, destination, channel}, capacity);
}

Result<ChannelHandle>
LocalCommunicator::openRecv(int32_t source, int32_t channel, int32_t capacity) {
  return openChannel(CommOperation::kRecv, source, {source, ownRank, channel},
                     capacity);
}

Status LocalCommunicator::checkGroup(GroupHandle handle,
                                     int64_t elementCount) const {
  if (world->isAborted())
    return world->failure();
  if (handle.index < 0 || handle.index >= static_cast<int>(groups.size()))
    return Status::internal()
           << "rank " << ownRank << " did not open group " << handle.index;
  if (elementCount < 0)
    return Status::invalidArgument()
           << "element count is " << elementCount << ", the least is 0";
  return Status::ok();
}

Status LocalCommunicator::checkChannel(ChannelHandle handle,
                                       CommOperation direction,
                                       int64_t elementCount) const {
  if (world->isAborted())
    return world->failure();
  if (handle.index < 0 || handle.index >= static_cast<int>(channels.size()) ||
      channels[handle.index].direction != direction)
    return Status::internal() << "rank " << ownRank << " did not open channel "
                              << handle.index << " to " << name(direction);
  if (elementCount < 0)
    return Status::invalidArgument()
           << "element count is " << elementCount << ", the least is 0";
  return Status::ok();
}

static Status checkReduction(DType dtype, ReductionKind kind) {
  if (canReduce(dtype, kind))
    return Status::ok();
  return Status::invalidArgument() << "reduction " << name(kind) << " of "
                                   << dtype << ", expected i32 or i64";
}

Status LocalCommunicator::allReduce(GroupHandle handle, const void *send,
                                    void *recv, int64_t elementCount,
                                    DType dtype, ReductionKind kind) {
  DTC_RETURN_IF_ERROR(checkGroup(handle, elementCount));
  DTC_RETURN_IF_ERROR(checkReduction(dtype, kind));
  OpenGroup &open = groups[handle.index];
  open.counts[static_cast<int>(CommOperation::kAllReduce)].add(elementCount *
                                                               byteSize(dtype));
  return open.group->allReduce(open.member, send, recv, elementCount, dtype,
                               kind);
}

Status LocalCommunicator::reduceScatter(GroupHandle handle, const void *send,
                                        void *recv, int64_t shardElementCount,
                                        DType dtype, ReductionKind kind) {
  DTC_RETURN_IF_ERROR(checkGroup(handle, shardElementCount));
  DTC_RETURN_IF_ERROR(checkReduction(dtype, kind));
  OpenGroup &open = groups[handle.index];
  int64_t members = static_cast<int64_t>(open.group->ranks().size());
  open.counts[static_cast<int>(CommOperation::kReduceScatter)].add(
      members * shardElementCount * byteSize(dtype));
  return open.group->reduceScatter(open.member, send, recv, shardElementCount,
                                   dtype, kind);
}

Status LocalCommunicator::allGather(GroupHandle handle, const void *send,
                                    void *recv, int64_t shardElementCount,
                                    DType dtype) {
  DTC_RETURN_IF_ERROR(checkGroup(handle, shardElementCount));
  OpenGroup &open = groups[handle.index];
  open.counts[static_cast<int>(CommOperation::kAllGather)].add(
      shardElementCount * byteSize(dtype));
  return open.group->allGather(open.member, send, recv, shardElementCount,
                               dtype);
}

Status LocalCommunicator::allToAll(GroupHandle handle, const void *send,
                                   void *recv, int64_t shardElementCount,
                                   DType dtype) {
  DTC_RETURN_IF_ERROR(checkGroup(handle, shardElementCount));
  OpenGroup &open = groups[handle.index];
  int64_t members = static_cast<int64_t>(open.group->ranks().size());
  open.counts[static_cast<int>(CommOperation::kAllToAll)].add(
      members * shardElementCount * byteSize(dtype));
  return open.group->allToAll(open.member, send, recv, shardElementCount,
                              dtype);
}

Status LocalCommunicator::barrier(GroupHandle handle) {
  DTC_RETURN_IF_ERROR(checkGroup(handle, 0));
  OpenGroup &open = groups[handle.index];
  open.counts[static_cast<int>(CommOperation::kBarrier)].add(0);
  return open.group->barrier(open.member);
}

Status LocalCommunicator::send(ChannelHandle handle, const void *source,
                               int64_t elementCount, DType dtype) {
  DTC_RETURN_IF_ERROR(checkChannel(handle, CommOperation::kSend, elementCount));
  OpenChannel &open = channels[handle.index];
  int64_t byteCount = elementCount * byteSize(dtype);
  open.count.add(byteCount);
  return open.channel->send(source, byteCount);
}

Status LocalCommunicator::recv(ChannelHandle handle, void *destination,
                               int64_t elementCount, DType dtype) {
  DTC_RETURN_IF_ERROR(checkChannel(handle, CommOperation::kRecv, elementCount));
  OpenChannel &open = channels[handle.index];
  int64_t byteCount = elementCount * byteSize(dtype);
  open.count.add(byteCount);
  return open.channel->recv(destination, byteCount);
}

Status LocalCommunicator::waitSend(ChannelHandle handle, int32_t pending) {
  DTC_RETURN_IF_ERROR(checkChannel(handle, CommOperation::kSend, pending));
  return channels[handle.index].channel->waitSend(pending);
}

std::vector<LedgerEntry> LocalCommunicator::ledger() const {
  std::vector<LedgerEntry> entries;
  for (const OpenGroup &open : groups)
    for (int i = 0; i < kCommOperationCount; ++i)
      if (open.counts[i].calls > 0)
        entries.push_back({static_cast<CommOperation>(i), open.group->ranks(),
                           -1, open.counts[i].calls, open.counts[i].bytes});
  for (const OpenChannel &open : channels)
    if (open.count.calls > 0)
      entries.push_back(
          {open.direction,
           {open.channel->name().source, open.channel->name().destination},
           open.channel->name().number,
           open.count.calls,
           open.count.bytes});
  return entries;
}

} // namespace dtc::rt
