//===- ThreadTeam.cpp - Loops over libgomp's threads
//-----------------------===//
//
// The one file that knows libgomp's entry points.
//
//===----------------------------------------------------------------------===//

#include "runtime/device/ThreadTeam.h"

#include <algorithm>

extern "C" {
void GOMP_parallel(void (*body)(void *), void *data, unsigned threads,
                   unsigned flags);
int omp_get_thread_num(void);
int omp_get_num_threads(void);
void omp_set_num_threads(int threads);
}

namespace dtc::rt {
namespace {

struct Loop {
  int64_t extent;
  void (*body)(void *, int64_t, int64_t);
  void *context;
};

/// Parts are multiples of this many iterations: a flat loop's vectors and cache
/// lines are not shared by two threads.
constexpr int64_t kGrain = 64;

void runPart(void *data) {
  const Loop &loop = *static_cast<Loop *>(data);
  int64_t parts = omp_get_num_threads(), part = omp_get_thread_num();
  int64_t block = (loop.extent + parts - 1) / parts;
  if (block > kGrain)
    block = (block + kGrain - 1) / kGrain * kGrain;
  int64_t begin = std::min(loop.extent, part * block);
  int64_t end = std::min(loop.extent, begin + block);
  if (begin < end)
    loop.body(loop.context, begin, end);
}

} // namespace

void parallelForRaw(int64_t extent, int threadCount,
                    void (*body)(void *, int64_t, int64_t), void *context) {
  Loop loop{extent, body, context};
  GOMP_parallel(runPart, &loop, static_cast<unsigned>(threadCount), 0);
}

void setThreadCount(int threadCount) { omp_set_num_threads(threadCount); }

} // namespace dtc::rt
