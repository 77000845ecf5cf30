//===- ThreadTeam.h - Loops over libgomp's threads
//-------------------------===//
//
// oneDNN brings libgomp; a second thread pool beside it would fight for the
// same cores. clang cannot use libgomp by pragma, so it is called directly.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_DEVICE_THREADTEAM_H
#define DTC_RUNTIME_DEVICE_THREADTEAM_H

#include <cstdint>

namespace dtc::rt {

/// Calls body(context, begin, end) for `threadCount` equal parts of
/// [0, extent); returns after all.
void parallelForRaw(int64_t extent, int threadCount,
                    void (*body)(void *context, int64_t begin, int64_t end),
                    void *context);

/// The same for a callable, without allocating.
template <typename Body>
void parallelFor(int64_t extent, int threadCount, Body &&body) {
  parallelForRaw(
      extent, threadCount,
      [](void *context, int64_t begin, int64_t end) {
        (*static_cast<Body *>(context))(begin, end);
      },
      &body);
}

/// Threads that libraries and parallelFor use when called from this thread.
void setThreadCount(int threadCount);

} // namespace dtc::rt

#endif // DTC_RUNTIME_DEVICE_THREADTEAM_H
