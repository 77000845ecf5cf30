//===- LocalWorld.h - Ranks that are threads of one process ---------------===//
//
// What the ranks of a process share: groups, channels, the time-out, and the
// reason if one of them gave up. It also tests every program that later runs
// over processes, since the rules of Communicator.h hold here too.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_COMM_LOCALWORLD_H
#define DTC_RUNTIME_COMM_LOCALWORLD_H

#include "runtime/comm/Communicator.h"
#include "runtime/comm/LocalChannel.h"
#include "runtime/comm/LocalGroup.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>

namespace dtc::rt {

/// How the ranks of a process meet.
struct LocalWorldOptions {
  int32_t rankCount = 1;
  /// Longest wait of any one call.
  std::chrono::nanoseconds timeout = std::chrono::seconds(30);
  /// Looks before a waiting thread sleeps; negative: some where each rank can
  /// have a core of its own, none otherwise.
  int32_t spinLimit = -1;
};

/// The shared state of ranks that are threads. Outlives its communicators,
/// which hold it.
class LocalWorld : public std::enable_shared_from_this<LocalWorld> {
public:
  /// Errors:  kInvalidArgument for a rank count below 1.
  static Result<std::shared_ptr<LocalWorld>> create(LocalWorldOptions options);

  /// Makes the end of `rank`, for the thread of this rank.
  ///
  /// Errors:  kInvalidArgument for a rank outside.
  Result<std::unique_ptr<Communicator>> communicator(int32_t rank);

  int32_t rankCount() const { return options.rankCount; }
  double timeoutSeconds() const {
    return std::chrono::duration<double>(options.timeout).count();
  }
  Deadline newDeadline() const { return Deadline::after(options.timeout); }

  /// Finds or makes; the caller has checked the arguments.
  LocalGroup &group(const std::vector<int32_t> &ranks);
  Result<LocalChannel *> channel(ChannelName name, int32_t capacity);

  /// Ends all waits with this reason, told by `rank`; the first one stays.
  void abort(int32_t rank, const Status &reason);
  bool isAborted() const { return aborted.load(std::memory_order_acquire); }
  /// The reason; success as long as there is none.
  Status failure() const;

  /// Waits until the count of `signal` is not `old`. What `describe` makes of
  /// a time-out becomes the reason for all ranks.
  template <typename Describe>
  Status waitWhile(Signal &signal, uint32_t old, Deadline deadline,
                   const Describe &describe) {
    switch (signal.waitWhile(old, deadline, options.spinLimit)) {
    case Signal::Outcome::kChanged:
      return Status::ok();
    case Signal::Outcome::kInterrupted:
      return failure();
    case Signal::Outcome::kTimedOut:
      break;
    }
    return giveUp(describe());
  }

private:
  explicit LocalWorld(LocalWorldOptions options) : options(options) {}
  Status giveUp(Status reason);
  void abortWith(Status reason);

  LocalWorldOptions options;
  std::atomic<bool> aborted{false};
  mutable std::mutex mutex;
  Status reason;
  std::map<std::vector<int32_t>, std::unique_ptr<LocalGroup>> groups;
  std::map<ChannelName, std::unique_ptr<LocalChannel>> channels;
};

} // namespace dtc::rt

#endif // DTC_RUNTIME_COMM_LOCALWORLD_H
