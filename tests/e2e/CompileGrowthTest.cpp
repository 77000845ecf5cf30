//===- CompileGrowthTest.cpp - One compilation for ten thousand ranks -----===//
//
// What depends on a rank or a micro-batch is an expression of coordinates, so
// neither the time to compile nor the program may grow with them. A rank keeps
// at least 64 rows of a micro-batch here: below that the compiler of kernels
// unrolls their short loops, which is a matter of rows and not of ranks.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/Plans.h"

#include <algorithm>
#include <cstdio>

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace dtc::test {
namespace {

constexpr int64_t kMostDp = 512;
constexpr int64_t kMostMicroBatches = 128;
constexpr int64_t kBatch = 64 * kMostDp;
constexpr double kMostSizeGrowth = 1.10;
/// All but the kernels' machine code: numbers, and a few more digits of them.
constexpr double kMostTableGrowth = 1.01;
/// The target is 1.10. Processor time on a machine with other work varies by
/// more, though the least of several compilations by less than this; growth in
/// proportion would be a factor of 128 or 512.
constexpr double kMostTimeGrowth = 1.35;
constexpr int kRounds = 3;

struct Size {
  double whole = 0, tables = 0;
};

std::unique_ptr<rt::Program> compile(const Plan &plan) {
  auto program = compilePlan("mlp-narrow", plan,
                             {"batch.global=" + std::to_string(kBatch)});
  EXPECT_TRUE(program.isOk()) << plan.name() << ": " << program.status();
  return program.isOk() ? std::move(*program) : nullptr;
}

Size measureSize(const Plan &plan) {
  std::unique_ptr<rt::Program> program = compile(plan);
  if (!program)
    return {};
  auto whole = static_cast<double>(program->data().size());
  return {whole, whole - (*program)->kernels()->image()->size()};
}

/// Seconds of this thread's processor time, in user mode.
double threadSeconds() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return double(usage.ru_utime.tv_sec) + 1e-6 * double(usage.ru_utime.tv_usec);
}

double measureSeconds(const Plan &plan) {
  double start = threadSeconds();
  compile(plan);
  return threadSeconds() - start;
}

void expectSameSize(const Plan &small, const Plan &large) {
  Size before = measureSize(small), after = measureSize(large);
  EXPECT_LE(after.whole, kMostSizeGrowth * before.whole) << large.name();
  EXPECT_LE(after.tables, kMostTableGrowth * before.tables) << large.name();
}

/// Compares the least times of compilations in turn.
void expectSameTime(const Plan &small, const Plan &large) {
  double before = 1e9, after = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    before = std::min(before, measureSeconds(small));
    after = std::min(after, measureSeconds(large));
  }
  std::printf("compile time: %s %.3f s, %s %.3f s, ratio %.3f\n",
              small.name().c_str(), before, large.name().c_str(), after,
              after / before);
  EXPECT_LE(after, kMostTimeGrowth * before);
}

TEST(CompileGrowthTest, SizeDoesNotGrowWithDp) {
  expectSameSize({1, 1, 1, 1, 0, "1f1b"}, {1, kMostDp, 1, 1, 0, "1f1b"});
  expectSameSize({1, 1, 1, 1, 1, "1f1b"}, {1, kMostDp, 1, 1, 1, "1f1b"});
}

TEST(CompileGrowthTest, SizeDoesNotGrowWithMicroBatches) {
  for (const char *schedule : {"1f1b", "gpipe"})
    expectSameSize({2, 1, 1, 1, 0, schedule},
                   {2, 1, 1, kMostMicroBatches, 0, schedule});
}

TEST(CompileGrowthTest, TimeDoesNotGrowWithDp) {
  expectSameTime({1, 1, 1, 1, 1, "1f1b"}, {1, kMostDp, 1, 1, 1, "1f1b"});
}

TEST(CompileGrowthTest, TimeDoesNotGrowWithMicroBatches) {
  expectSameTime({2, 1, 1, 1, 0, "1f1b"},
                 {2, 1, 1, kMostMicroBatches, 0, "1f1b"});
}

} // namespace
} // namespace dtc::test
