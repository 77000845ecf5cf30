//===- LocalChannel.h - An ordered queue between two threads --------------===//
//
// A post is the address of the sender's buffer: the receiver copies straight
// from it, so a message is moved once. One thread sends, one receives.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_COMM_LOCALCHANNEL_H
#define DTC_RUNTIME_COMM_LOCALCHANNEL_H

#include "runtime/base/Status.h"
#include "runtime/comm/Signal.h"

#include <memory>

namespace dtc::rt {

class LocalWorld;

/// Which channel: who sends, who receives, and its number between these two.
struct ChannelName {
  int32_t source;
  int32_t destination;
  int32_t number;

  bool operator<(const ChannelName &other) const;
};

/// The queue of one channel.
class LocalChannel {
public:
  LocalChannel(LocalWorld &world, ChannelName name, int32_t capacity);

  const ChannelName &name() const { return channelName; }
  int32_t capacity() const { return postCapacity; }

  /// Posts and returns; waits only while the queue holds its capacity.
  Status send(const void *source, int64_t byteCount);
  /// Waits for the oldest post, copies it, and marks it taken.
  Status recv(void *destination, int64_t byteCount);
  /// Waits until at most `pending` posts are not taken.
  Status waitSend(int32_t pending);

  /// Ends all waits of the channel.
  void interrupt();

private:
  struct Post {
    const void *source;
    int64_t byteCount;
  };

  uint32_t waitingPosts() const {
    return (posted.count() - taken.count()) & Signal::kCountMask;
  }
  Status waitForReceiver(uint32_t seenTaken, Deadline deadline);

  LocalWorld &world;
  ChannelName channelName;
  int32_t postCapacity;
  /// A power of two, so that slots stay in order when the counters wrap.
  uint32_t slotMask;
  std::unique_ptr<Post[]> slots;
  alignas(64) Signal posted;
  alignas(64) Signal taken;
};

} // namespace dtc::rt

#endif // DTC_RUNTIME_COMM_LOCALCHANNEL_H
