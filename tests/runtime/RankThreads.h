//===- RankThreads.h - A thread for each rank of a test -------------------===//
//
// Every test of communication starts the same way: a world, a thread a rank, a
// status from each.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_TESTS_RUNTIME_RANKTHREADS_H
#define DTC_TESTS_RUNTIME_RANKTHREADS_H

#include "runtime/comm/LocalWorld.h"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <thread>

namespace dtc::rt {

/// A time-out for what must fail.
inline constexpr auto kShort = std::chrono::milliseconds(30);

inline std::shared_ptr<LocalWorld>
makeWorld(int32_t ranks,
          std::chrono::nanoseconds timeout = std::chrono::seconds(60)) {
  LocalWorldOptions options;
  options.rankCount = ranks;
  options.timeout = timeout;
  return *LocalWorld::create(options);
}

using RankBody = std::function<Status(Communicator &)>;

/// Runs `body` on a thread a rank and returns what each gave.
inline std::vector<Status> runRanks(const std::shared_ptr<LocalWorld> &world,
                                    const RankBody &body) {
  std::vector<Status> results(world->rankCount());
  std::vector<std::thread> threads;
  for (int32_t rank = 0; rank < world->rankCount(); ++rank)
    threads.emplace_back([&, rank] {
      std::unique_ptr<Communicator> end = *world->communicator(rank);
      results[rank] = body(*end);
    });
  for (std::thread &thread : threads)
    thread.join();
  return results;
}

inline void expectAllOk(const std::vector<Status> &results) {
  for (const Status &status : results)
    EXPECT_TRUE(status.isOk()) << status;
}

inline std::vector<int32_t> allRanks(const Communicator &end) {
  std::vector<int32_t> ranks(end.rankCount());
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

} // namespace dtc::rt

#endif // DTC_TESTS_RUNTIME_RANKTHREADS_H
