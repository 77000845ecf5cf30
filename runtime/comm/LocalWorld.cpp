//===- LocalWorld.cpp - Ranks that are threads of one process -------------===//
//
// The mutex guards opening and giving up, which happen before and after the
// steps, never in one.
//
//===----------------------------------------------------------------------===//

#include "runtime/comm/LocalWorld.h"

#include "runtime/comm/LocalCommunicator.h"

#include <thread>

namespace dtc::rt {

// About 10 microseconds: a meeting of ranks that do equal work takes less, and
// a sleep with its wake-up takes more.
static constexpr int32_t kSpinsWithOwnCore = 300;

Result<std::shared_ptr<LocalWorld>>
LocalWorld::create(LocalWorldOptions options) {
  if (options.rankCount < 1)
    return Status::invalidArgument()
           << "rank count is " << options.rankCount << ", the least is 1";
  if (options.spinLimit < 0)
    options.spinLimit = std::thread::hardware_concurrency() >=
                                static_cast<unsigned>(options.rankCount)
                            ? kSpinsWithOwnCore
                            : 0;
  return std::shared_ptr<LocalWorld>(new LocalWorld(options));
}

Result<std::unique_ptr<Communicator>> LocalWorld::communicator(int32_t rank) {
  if (rank < 0 || rank >= options.rankCount)
    return Status::invalidArgument()
           << "rank " << rank << " is outside 0 to " << options.rankCount - 1;
  return std::make_unique<LocalCommunicator>(shared_from_this(), rank);
}

LocalGroup &LocalWorld::group(const std::vector<int32_t> &ranks) {
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<LocalGroup> &slot = groups[ranks];
  if (!slot) {
    slot = std::make_unique<LocalGroup>(*this, ranks);
    if (isAborted())
      slot->interrupt();
  }
  return *slot;
}

Result<LocalChannel *> LocalWorld::channel(ChannelName name, int32_t capacity) {
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<LocalChannel> &slot = channels[name];
  if (!slot) {
    slot = std::make_unique<LocalChannel>(*this, name, capacity);
    if (isAborted())
      slot->interrupt();
  }
  if (slot->capacity() != capacity)
    return Status::invalidArgument()
           << "channel " << name.number << " from rank " << name.source
           << " to rank " << name.destination << " holds " << slot->capacity()
           << " posts at one end and " << capacity << " at the other";
  return slot.get();
}

void LocalWorld::abortWith(Status newReason) {
  std::lock_guard<std::mutex> lock(mutex);
  if (isAborted())
    return;
  reason = std::move(newReason);
  aborted.store(true, std::memory_order_release);
  for (auto &entry : groups)
    entry.second->interrupt();
  for (auto &entry : channels)
    entry.second->interrupt();
}

void LocalWorld::abort(int32_t rank, const Status &newReason) {
  assert(!newReason.isOk() && "giving up needs a reason");
  Status told = newReason;
  abortWith(std::move(told).at("rank " + std::to_string(rank) + " gave up"));
}

Status LocalWorld::giveUp(Status newReason) {
  abortWith(newReason);
  return newReason;
}

Status LocalWorld::failure() const {
  std::lock_guard<std::mutex> lock(mutex);
  return reason;
}

} // namespace dtc::rt
