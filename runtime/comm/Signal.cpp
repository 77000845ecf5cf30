//===- Signal.cpp - A counter that threads can wait on --------------------===//
//
// The sleeper counts itself before it looks at the word, the waker changes the
// word before it looks at the sleepers, both in sequentially consistent order:
// one of them sees the other, so no wake is lost and none is made for nobody.
//
//===----------------------------------------------------------------------===//

#include "runtime/comm/Signal.h"

#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace dtc::rt {

static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t) &&
                  std::atomic<uint32_t>::is_always_lock_free,
              "the kernel looks at the word itself");

static void pauseOnce() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

void Signal::wakeAll() {
  if (sleepers.load(std::memory_order_seq_cst) != 0)
    syscall(SYS_futex, reinterpret_cast<uint32_t *>(&word), FUTEX_WAKE_PRIVATE,
            INT_MAX, nullptr, nullptr, 0);
}

void Signal::advance() {
  word.fetch_add(2, std::memory_order_seq_cst);
  wakeAll();
}

void Signal::interrupt() {
  word.fetch_or(1, std::memory_order_seq_cst);
  wakeAll();
}

Signal::Outcome Signal::waitWhile(uint32_t old, Deadline deadline,
                                  int spinLimit) {
  auto outcomeOf = [old](uint32_t seen) {
    return seen >> 1 != old ? Outcome::kChanged : Outcome::kInterrupted;
  };
  // The word while there is nothing to report.
  uint32_t same = old << 1;
  for (int spin = 0; spin <= spinLimit; ++spin) {
    uint32_t seen = word.load(std::memory_order_acquire);
    if (seen != same)
      return outcomeOf(seen);
    pauseOnce();
  }

  sleepers.fetch_add(1, std::memory_order_seq_cst);
  uint32_t seen;
  bool inTime = true;
  while ((seen = word.load(std::memory_order_seq_cst)) == same) {
    if (deadline.hasPassed()) {
      inTime = false;
      break;
    }
    timespec rest;
    if (!deadline.isNever()) {
      auto left = deadline.left().count();
      rest.tv_sec = left / 1000000000;
      rest.tv_nsec = left % 1000000000;
    }
    // Any return, also one for no reason, looks at the word again.
    syscall(SYS_futex, reinterpret_cast<uint32_t *>(&word), FUTEX_WAIT_PRIVATE,
            same, deadline.isNever() ? nullptr : &rest, nullptr, 0);
  }
  sleepers.fetch_sub(1, std::memory_order_seq_cst);
  return inTime ? outcomeOf(seen) : Outcome::kTimedOut;
}

} // namespace dtc::rt
