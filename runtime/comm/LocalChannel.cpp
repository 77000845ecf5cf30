//===- LocalChannel.cpp - An ordered queue between two threads ------------===//
//
// The sender alone advances `posted`, the receiver alone `taken`; a slot is
// rewritten only after its post was seen as taken.
//
//===----------------------------------------------------------------------===//

#include "runtime/comm/LocalChannel.h"

#include "runtime/comm/LocalWorld.h"

#include <cstring>
#include <optional>
#include <tuple>

namespace dtc::rt {

bool ChannelName::operator<(const ChannelName &other) const {
  return std::tie(source, destination, number) <
         std::tie(other.source, other.destination, other.number);
}

static uint32_t roundUpToPowerOfTwo(uint32_t value) {
  uint32_t power = 1;
  while (power < value)
    power *= 2;
  return power;
}

LocalChannel::LocalChannel(LocalWorld &world, ChannelName name,
                           int32_t capacity)
    : world(world), channelName(name), postCapacity(capacity),
      slotMask(roundUpToPowerOfTwo(static_cast<uint32_t>(capacity)) - 1),
      slots(new Post[slotMask + 1]) {}

void LocalChannel::interrupt() {
  posted.interrupt();
  taken.interrupt();
}

Status LocalChannel::waitForReceiver(uint32_t seenTaken, Deadline deadline) {
  return world.waitWhile(taken, seenTaken, deadline, [&] {
    return Status::timeout(ErrorCode::kRankTimeout)
           << "rank " << channelName.source << " waits on channel "
           << channelName.number << " to rank " << channelName.destination
           << ": rank " << channelName.destination << " left " << waitingPosts()
           << " sends untaken for " << world.timeoutSeconds() << " s";
  });
}

Status LocalChannel::waitSend(int32_t pending) {
  std::optional<Deadline> deadline;
  while (true) {
    uint32_t seen = taken.count();
    uint32_t untaken = (posted.count() - seen) & Signal::kCountMask;
    if (untaken <= static_cast<uint32_t>(pending))
      return Status::ok();
    if (!deadline)
      deadline = world.newDeadline();
    DTC_RETURN_IF_ERROR(waitForReceiver(seen, *deadline));
  }
}

Status LocalChannel::send(const void *source, int64_t byteCount) {
  DTC_RETURN_IF_ERROR(waitSend(postCapacity - 1));
  slots[posted.count() & slotMask] = {source, byteCount};
  posted.advance();
  return Status::ok();
}

Status LocalChannel::recv(void *destination, int64_t byteCount) {
  uint32_t mine = taken.count();
  DTC_RETURN_IF_ERROR(world.waitWhile(posted, mine, world.newDeadline(), [&] {
    return Status::timeout(ErrorCode::kRankTimeout)
           << "rank " << channelName.destination << " waits on channel "
           << channelName.number << " from rank " << channelName.source
           << ": rank " << channelName.source << " sent nothing for "
           << world.timeoutSeconds() << " s";
  }));
  const Post &post = slots[mine & slotMask];
  if (post.byteCount != byteCount) {
    Status status = Status::commError(ErrorCode::kCollectiveMismatch)
                    << "channel " << channelName.number << ": rank "
                    << channelName.source << " sent " << post.byteCount
                    << " bytes, rank " << channelName.destination << " expects "
                    << byteCount;
    world.abort(channelName.destination, status);
    return status;
  }
  if (byteCount > 0)
    std::memcpy(destination, post.source, byteCount);
  taken.advance();
  return Status::ok();
}

} // namespace dtc::rt
