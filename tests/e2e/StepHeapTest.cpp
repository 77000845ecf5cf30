//===- StepHeapTest.cpp - A running step asks for no memory ---------------===//
//
// A whole run as `dtc train` makes it: from the end of the second step to the
// end of the sixth no thread allocates. What oneDNN or the OpenMP runtime take
// inside their own calls is counted apart and printed. A program of its own,
// since it puts a count before the allocator.
//
//===----------------------------------------------------------------------===//

#include "runtime/executor/LocalRun.h"
#include "tests/e2e/HeapWatch.h"
#include "tests/e2e/Plans.h"

#include <cstdio>
#include <cstdlib>
#include <numeric>

#include <gtest/gtest.h>
#include <oneapi/dnnl/dnnl.hpp>

namespace dtc::test {
namespace {

constexpr int64_t kFirstWatched = 3, kLastWatched = 6;

/// Watches from the end of one step to the end of another.
class Watcher final : public rt::RunListener {
public:
  rt::Status onStep(const rt::StepRecord &record) override {
    if (record.step == kLastWatched)
      count = stopHeapWatch();
    if (record.step == kFirstWatched - 1)
      startHeapWatch();
    steps = record.step;
    return rt::Status::ok();
  }
  HeapCount count;
  int64_t steps = 0;
};

std::string join(const std::vector<std::string> &words) {
  return std::accumulate(words.begin(), words.end(), std::string(),
                         [](const std::string &a, const std::string &b) {
                           return a + "\n  " + b;
                         });
}

/// Runs a model under a plan with `threads` a rank and expects no allocation.
void expectNoneOfOurs(const std::string &model, const Plan &plan,
                      int threadsPerRank) {
  auto program = compilePlan(model, plan);
  ASSERT_TRUE(program.isOk()) << program.status();
  rt::RunOptions options;
  options.dataFolder = modelFolder();
  options.steps = kLastWatched + 1; // the end of a run may allocate
  options.threadCount =
      static_cast<int>(threadsPerRank * plan.pp * plan.dp * plan.tp);
  Watcher watcher;
  auto summary = rt::runLocal(**program, options, watcher);

  ASSERT_TRUE(summary.isOk()) << summary.status();
  ASSERT_EQ(watcher.steps, kLastWatched + 1);
  std::printf("heap: %s %s, %d threads a rank: %lld of ours, %lld of "
              "libraries in %lld steps\n",
              model.c_str(), plan.name().c_str(), threadsPerRank,
              static_cast<long long>(watcher.count.own),
              static_cast<long long>(watcher.count.library),
              static_cast<long long>(kLastWatched - kFirstWatched + 1));
  EXPECT_EQ(watcher.count.own, 0) << join(watcher.count.places);
}

TEST(StepHeapTest, OneRankAllocatesNothing) {
  expectNoneOfOurs("mlp-narrow", {1, 1, 1, 1, 0, "1f1b"}, 1);
  expectNoneOfOurs("mlp-narrow", {1, 1, 1, 2, 0, "1f1b"}, 2);
}

TEST(StepHeapTest, RanksThatCommunicateAllocateNothing) {
  expectNoneOfOurs("mlp-narrow", {2, 2, 2, 2, 1, "1f1b"}, 1);
  expectNoneOfOurs("mlp-narrow", {2, 2, 1, 3, 0, "gpipe"}, 2);
  expectNoneOfOurs("example", {2, 2, 2, 2, 1, "1f1b"}, 1);
}

TEST(StepHeapTest, TheWatchSeesOursAndThatOfOthers) {
  startHeapWatch();
  std::string ours(100, 'x');
  void *volatile more = std::malloc(100); // volatile: or it is left out
  HeapCount first = stopHeapWatch();
  std::free(more);
  startHeapWatch();
  dnnl_engine_t engine = nullptr;
  dnnl_engine_create(&engine, dnnl_cpu, 0);
  HeapCount second = stopHeapWatch();
  dnnl_engine_destroy(engine);

  EXPECT_EQ(first.own, 2);
  EXPECT_EQ(first.places.size(), 2u);
  EXPECT_EQ(first.library, 0);
  EXPECT_EQ(second.own, 0) << join(second.places);
  EXPECT_GT(second.library, 0);
}

} // namespace
} // namespace dtc::test
