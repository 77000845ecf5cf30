//===- CollectiveInstructionTest.cpp - Instructions that need other ranks
//--===//
//
// AllReduce, ReduceScatter, AllGather, Send, Recv and Wait on two and four
// ranks against numbers made by hand, and tables that they refuse.
//
//===----------------------------------------------------------------------===//

#include "tests/runtime/InstructionHarness.h"

#include "gmock/gmock.h"

namespace dtc::rt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Harness = InstructionHarness;

void nothing(int32_t, Executor &) {}

TEST(AllReduceInstructionTest, SumsOverTheRanksThatDifferOnItsAxes) {
  Harness harness(1, 2, 2, 1);
  uint32_t in = harness.value({3}, {3}), out = harness.value({3}, {3});
  auto &reduce = harness.add<program::AllReduceT>();
  reduce.input = in;
  reduce.result = out;
  reduce.axes = {kTp};
  reduce.elements = 3;

  Status status = harness.run(
      [&](int32_t rank, Executor &executor) {
        Harness::set(executor, in, {1.0 * rank, 10.0 * rank, 100.0 * rank});
      },
      [&](int32_t rank, Executor &executor) {
        double sum = rank < 2 ? 1 : 5; // ranks 0 and 1, ranks 2 and 3
        EXPECT_THAT(Harness::get(executor, out),
                    ElementsAre(sum, 10 * sum, 100 * sum));
      });

  EXPECT_TRUE(status.isOk()) << status;
}

TEST(AllReduceInstructionTest, TakesTheMaximumInPlace) {
  Harness harness(1, 1, 2, 1);
  uint32_t value = harness.value({2}, {2});
  auto &reduce = harness.add<program::AllReduceT>();
  reduce.input = reduce.result = value;
  reduce.kind = program::ReductionKind::Max;
  reduce.axes = {kTp};
  reduce.elements = 2;

  Status status = harness.run(
      [&](int32_t rank, Executor &executor) {
        Harness::set(executor, value, {rank ? -1.0 : 4.0, rank ? 7.0 : 2.0});
      },
      [&](int32_t, Executor &executor) {
        EXPECT_THAT(Harness::get(executor, value), ElementsAre(4, 7));
      });

  EXPECT_TRUE(status.isOk()) << status;
}

TEST(AllReduceInstructionTest, RefusesAnotherNumberOfElementsThanItsValueHas) {
  Harness harness(1, 2, 1, 1);
  uint32_t value = harness.value({3}, {3});
  auto &reduce = harness.add<program::AllReduceT>();
  reduce.input = reduce.result = value;
  reduce.axes = {kDp};
  reduce.elements = 4;

  Status status = harness.run(nothing, nothing);

  EXPECT_EQ(status.statusClass(), StatusClass::kInvalidProgram);
  EXPECT_THAT(status.str(), HasSubstr("all_reduce of 4 elements from 3"));
}

TEST(ReduceScatterInstructionTest, ClearsThePadBehindAnOddLength) {
  Harness harness(1, 2, 1, 1);
  uint32_t whole = harness.value({3}, {3}, {}, program::DType::F32, 4);
  uint32_t shard = harness.value({3}, {2}, {{kDp, splitState(0)}});
  auto &scatter = harness.add<program::ReduceScatterT>();
  scatter.input = whole;
  scatter.result = shard;
  scatter.axis = kDp;
  scatter.elements = 4;

  Status status = harness.run(
      [&](int32_t rank, Executor &executor) {
        // The fourth element is what lay there before.
        Harness::set(executor, whole, {1.0 + rank, 2, 3, 99});
      },
      [&](int32_t rank, Executor &executor) {
        if (rank == 0)
          EXPECT_THAT(Harness::get(executor, shard), ElementsAre(3, 4));
        else
          EXPECT_THAT(Harness::get(executor, shard), ElementsAre(6, 0));
      });

  EXPECT_TRUE(status.isOk()) << status;
}

TEST(ReduceScatterInstructionTest, RefusesAPlaceWithoutRoomForThePad) {
  Harness harness(1, 2, 1, 1);
  uint32_t whole = harness.value({3}, {3});
  uint32_t shard = harness.value({3}, {2}, {{kDp, splitState(0)}});
  auto &scatter = harness.add<program::ReduceScatterT>();
  scatter.input = whole;
  scatter.result = shard;
  scatter.axis = kDp;
  scatter.elements = 4;

  Status status = harness.run(nothing, nothing);

  EXPECT_THAT(status.str(), HasSubstr("reduce_scatter of 4 elements in 12"));
}

TEST(AllGatherInstructionTest, JoinsRowsInTheRoomOfTheirPads) {
  Harness harness(1, 2, 1, 1);
  uint32_t shard = harness.value({3}, {2}, {{kDp, splitState(0)}});
  uint32_t whole = harness.value({3}, {3}, {}, program::DType::F32, 4);
  auto &gather = harness.add<program::AllGatherT>();
  gather.input = shard;
  gather.result = whole;
  gather.axis = kDp;
  gather.elements = 2;

  Status status = harness.run(
      [&](int32_t rank, Executor &executor) {
        Harness::set(executor, shard, {1.0 + 2 * rank, rank ? 0.0 : 2.0});
      },
      [&](int32_t, Executor &executor) {
        EXPECT_THAT(Harness::get(executor, whole), ElementsAre(1, 2, 3));
      });

  EXPECT_TRUE(status.isOk()) << status;
}

TEST(AllGatherInstructionTest, CropsThePadsOfColumnsThroughItsWorkspace) {
  Harness harness(1, 1, 2, 1);
  uint32_t shard = harness.value({2, 3}, {2, 2}, {{kTp, splitState(1)}});
  uint32_t whole = harness.value({2, 3}, {2, 3});
  auto &gather = harness.add<program::AllGatherT>();
  gather.input = shard;
  gather.result = whole;
  gather.axis = kTp;
  gather.dim = 1;
  gather.elements = 4;
  gather.workspace_offset =
      static_cast<int64_t>(harness.table.stages[0]->arena_bytes);
  harness.table.stages[0]->arena_bytes += 64;

  Status status = harness.run(
      [&](int32_t rank, Executor &executor) {
        if (rank == 0)
          Harness::set(executor, shard, {1, 2, 4, 5});
        else
          Harness::set(executor, shard, {3, -9, 6, -9});
      },
      [&](int32_t, Executor &executor) {
        EXPECT_THAT(Harness::get(executor, whole),
                    ElementsAre(1, 2, 3, 4, 5, 6));
      });

  EXPECT_TRUE(status.isOk()) << status;
}

TEST(AllGatherInstructionTest, RefusesToGatherWithoutRoomOrWorkspace) {
  Harness harness(1, 2, 1, 1);
  uint32_t shard = harness.value({3}, {2}, {{kDp, splitState(0)}});
  uint32_t whole = harness.value({3}, {3});
  auto &gather = harness.add<program::AllGatherT>();
  gather.input = shard;
  gather.result = whole;
  gather.axis = kDp;
  gather.elements = 2;

  Status status = harness.run(nothing, nothing);

  EXPECT_THAT(status.str(),
              HasSubstr("all_gather needs a workspace of 16 bytes at -1"));
}

TEST(SendInstructionTest, HandsValuesToAnotherStageInOrder) {
  Harness harness(2, 1, 1, 2);
  uint32_t sent = harness.value({2}, {2});
  uint32_t taken = harness.value({2}, {2}, {}, program::DType::F32, 0, 1);
  uint32_t total = harness.value({2}, {2}, {}, program::DType::F32, 0, 1);
  auto &wait = harness.add<program::WaitT>(0);
  wait.peer_stage = 1;
  auto &send = harness.add<program::SendT>(0);
  send.value = sent;
  send.peer_stage = 1;
  send.elements = 2;
  auto &recv = harness.add<program::RecvT>(1);
  recv.result = taken;
  recv.elements = 2;
  auto &accumulate = harness.add<program::AccumulateT>(1);
  accumulate.value = taken;
  accumulate.accumulator = total;
  harness.repeat(2);

  Status status = harness.run(
      [&](int32_t rank, Executor &executor) {
        if (rank == 0)
          Harness::set(executor, sent, {3, 4});
      },
      [&](int32_t rank, Executor &executor) {
        if (rank == 1)
          EXPECT_THAT(Harness::get(executor, total), ElementsAre(6, 8));
      });

  EXPECT_TRUE(status.isOk()) << status;
}

TEST(RecvInstructionTest, RefusesAStageThatDoesNotExist) {
  Harness harness(1, 1, 1, 1);
  auto &recv = harness.add<program::RecvT>();
  recv.result = harness.value({2}, {2});
  recv.peer_stage = 3;

  Status status = harness.run(nothing, nothing);

  EXPECT_THAT(status.str(), HasSubstr("stage 3 of 1 stages"));
}

} // namespace
} // namespace dtc::rt
