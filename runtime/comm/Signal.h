//===- Signal.h - A counter that threads can wait on ----------------------===//
//
// Rank threads meet many times a step. A mutex with a condition variable would
// put a lock in the step; a futex is one word, needs no lock, and costs a
// system call only when somebody really sleeps.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_COMM_SIGNAL_H
#define DTC_RUNTIME_COMM_SIGNAL_H

#include "runtime/base/Deadline.h"

#include <atomic>
#include <cstdint>

namespace dtc::rt {

/// A counter modulo 2^31 that only grows, and a flag that ends all waits.
class Signal {
public:
  static constexpr uint32_t kCountMask = 0x7fffffff;

  enum class Outcome { kChanged, kInterrupted, kTimedOut };

  /// The count; what was written before the advance to it is visible.
  uint32_t count() const { return word.load(std::memory_order_acquire) >> 1; }

  /// Adds one and wakes all who wait.
  void advance();

  /// Ends all waits, now and from now on.
  void interrupt();

  /// Waits until the count is not `old`. Looks `spinLimit` times before it
  /// sleeps: worth it only where each thread has a core of its own.
  Outcome waitWhile(uint32_t old, Deadline deadline, int spinLimit);

private:
  void wakeAll();

  /// The count above, the interrupt flag in the lowest bit, so that both
  /// changes are seen by a thread on its way to sleep.
  std::atomic<uint32_t> word{0};
  std::atomic<uint32_t> sleepers{0};
};

} // namespace dtc::rt

#endif // DTC_RUNTIME_COMM_SIGNAL_H
