//===- PlanArenaTest.cpp - The memory plan of every plan ------------------===//
//
// Bytes are known before the first step: what the program says is what the
// executor maps, every place lies inside and the topmost one ends at the end,
// and no byte is there for nothing: what is live at the peak is nearly all of
// the arena, or the arena is as small as its blocks allow.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/Plans.h"
#include "tests/e2e/ProgramRanks.h"

#include <algorithm>
#include <cstdio>

#include <gtest/gtest.h>

namespace dtc::test {
namespace {

constexpr double kLeastLiveShare = 0.95;
constexpr uint64_t kArenaAlignment = 256;

/// One stage of a plan, for the table.
struct Row {
  std::string plan;
  uint64_t arena, bound, live;
  double share() const { return double(live) / double(arena); }
  bool isFull() const { return share() >= kLeastLiveShare || arena == bound; }
};

class PlanArenaTest
    : public testing::TestWithParam<std::tuple<PlanModel, Plan>> {
protected:
  void SetUp() override {
    const auto &[model, plan] = GetParam();
    std::string error;
    program = compileOnce(model, plan, error);
    ASSERT_TRUE(program) << error;
  }

  /// One line for all stages, and one for the stage that is least full.
  static void TearDownTestSuite() {
    if (rows.empty())
      return;
    auto least = std::min_element(rows.begin(), rows.end(),
                                  [](const Row &a, const Row &b) {
                                    return std::pair(a.isFull(), a.share()) <
                                           std::pair(b.isFull(), b.share());
                                  });
    size_t atBound = 0, byShare = 0;
    for (const Row &row : rows) {
      atBound += row.arena == row.bound;
      byShare += row.arena != row.bound && row.isFull();
    }
    std::printf("arena: %zu stages, %zu at the lower bound, %zu others with "
                "%g live; least full %s %llu bytes, bound %llu, live %llu\n",
                rows.size(), atBound, byShare, kLeastLiveShare,
                least->plan.c_str(),
                static_cast<unsigned long long>(least->arena),
                static_cast<unsigned long long>(least->bound),
                static_cast<unsigned long long>(least->live));
  }

  const rt::Program *program = nullptr;
  static std::vector<Row> rows;
};

std::vector<Row> PlanArenaTest::rows;

uint64_t endOf(const program::Place &place, uint64_t microBatches) {
  return place.offset() + place.slot_stride() * (place.slots() - 1) +
         place.micro_batch_stride() * (microBatches - 1) + place.bytes();
}

/// End of the workspace of an all_gather that has one, else 0.
uint64_t endOfWorkspace(const rt::Program &program, const program::Stage &stage,
                        const program::Instruction &instruction) {
  const program::AllGather *gather = instruction.kind_as_AllGather();
  if (!gather || gather->workspace_offset() < 0)
    return 0;
  auto bytes = static_cast<uint64_t>(
      byteSize(rt::toDType(stage.values()->Get(gather->input())->dtype())));
  return static_cast<uint64_t>(gather->workspace_offset()) +
         gather->elements() * program->axes()->Get(gather->axis())->parts() *
             bytes;
}

TEST_P(PlanArenaTest, EveryPlaceLiesInsideAndTheTopmostEndsAtTheEnd) {
  for (const program::Stage *stage : *program->table().stages()) {
    uint64_t top = 0;
    for (const program::Value *value : *stage->values())
      top = std::max(
          top, endOf(*value->place(), (*program)->plan()->micro_batches()));
    for (const program::Task *task : *stage->tasks())
      for (const program::Instruction *instruction : *task->instructions())
        top = std::max(top, endOfWorkspace(*program, *stage, *instruction));

    EXPECT_LE(top, stage->arena_bytes());
    EXPECT_GT(top + kArenaAlignment, stage->arena_bytes());
  }
}

TEST_P(PlanArenaTest, TheExecutorMapsWhatTheProgramSays) {
  rt::Status status =
      runRanks(*program, modelFolder(), 1, [](ProgramRank &rank) {
        auto planned =
            static_cast<int64_t>(rank.executor.getStage().arena_bytes());
        return rank.executor.arenaBytes() == planned
                   ? rt::Status::ok()
                   : rt::Status::internal()
                         << "maps " << rank.executor.arenaBytes()
                         << " bytes, the program says " << planned;
      });

  EXPECT_TRUE(status.isOk()) << status;
}

TEST_P(PlanArenaTest, TheArenaIsFullAtThePeakOrAsSmallAsItCanBe) {
  const auto &[model, plan] = GetParam();
  for (const program::Stage *stage : *program->table().stages()) {
    Row row{caseName(model, plan), stage->arena_bytes(),
            stage->lower_bound_bytes(), stage->peak_live_bytes()};
    rows.push_back(row);

    EXPECT_LE(row.live, row.bound);
    EXPECT_LE(row.bound, row.arena);
    EXPECT_TRUE(row.isFull()) << row.arena << " bytes, bound " << row.bound
                              << ", live " << row.live << ": " << row.share();
  }
}

INSTANTIATE_TEST_SUITE_P(, PlanArenaTest,
                         testing::Combine(testing::ValuesIn(listPlanModels()),
                                          testing::ValuesIn(listPlans())),
                         [](const auto &info) {
                           return caseName(std::get<0>(info.param),
                                           std::get<1>(info.param));
                         });

} // namespace
} // namespace dtc::test
