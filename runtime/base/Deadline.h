//===- Deadline.h - Until when a wait may last ----------------------------===//
//
// Every wait of the runtime has one, so that a lost rank ends as a report and
// not as a hang. A deadline is a point in time, so nested waits share what is
// left instead of each starting anew.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_BASE_DEADLINE_H
#define DTC_RUNTIME_BASE_DEADLINE_H

#include <chrono>

namespace dtc::rt {

/// A point on the steady clock after which a wait gives up.
class Deadline {
public:
  using Clock = std::chrono::steady_clock;

  /// Passes `duration` from now. Durations past a century never pass.
  static Deadline after(std::chrono::nanoseconds duration) {
    return duration > std::chrono::hours(24 * 36525)
               ? never()
               : Deadline(Clock::now() + duration);
  }
  /// Never passes; for tests and for waits that something else bounds.
  static Deadline never() { return Deadline(Clock::time_point::max()); }

  bool isNever() const { return point == Clock::time_point::max(); }
  bool hasPassed() const { return !isNever() && Clock::now() >= point; }

  /// What is left, never negative.
  std::chrono::nanoseconds left() const {
    if (isNever())
      return std::chrono::nanoseconds::max();
    auto rest = point - Clock::now();
    return rest.count() > 0 ? rest : std::chrono::nanoseconds(0);
  }

private:
  explicit Deadline(Clock::time_point point) : point(point) {}

  Clock::time_point point;
};

} // namespace dtc::rt

#endif // DTC_RUNTIME_BASE_DEADLINE_H
