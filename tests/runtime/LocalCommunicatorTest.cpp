//===- LocalCommunicatorTest.cpp - Ranks that are threads -----------------===//
//
// Results are compared with sums made in one thread, bit for bit. Run this
// program under the tsan preset too: it is the proof that the meetings suffice.
//
//===----------------------------------------------------------------------===//

#include "tests/runtime/RankThreads.h"

#include <cmath>

namespace dtc::rt {
namespace {

/// Numbers whose sum depends on its order.
float sample(int rank, int64_t element) {
  return std::ldexp(static_cast<float>((element * 7 + rank * 13) % 101 - 50),
                    static_cast<int>((element + rank * 5) % 20));
}

std::vector<float> samples(int rank, int64_t elementCount) {
  std::vector<float> values(elementCount);
  for (int64_t i = 0; i < elementCount; ++i)
    values[i] = sample(rank, i);
  return values;
}

float orderedSum(int rankCount, int64_t element) {
  float sum = sample(0, element);
  for (int rank = 1; rank < rankCount; ++rank)
    sum += sample(rank, element);
  return sum;
}

class LocalCommunicatorTest : public testing::TestWithParam<int32_t> {};

TEST_P(LocalCommunicatorTest, AllReduceSumsInOrderOfRankBitForBit) {
  int32_t ranks = GetParam();
  expectAllOk(runRanks(makeWorld(ranks), [&](Communicator &end) -> Status {
    DTC_ASSIGN_OR_RETURN(GroupHandle group, end.openGroup(allRanks(end)));
    // Nothing, inline, just past inline, uneven slices, several chunks.
    for (int64_t elements : {0, 1, 5, 256, 257, 1000, 20011})
      for (bool inPlace : {false, true}) {
        std::vector<float> input = samples(end.rank(), elements);
        std::vector<float> apart(elements);
        float *output = inPlace ? input.data() : apart.data();
        DTC_RETURN_IF_ERROR(end.allReduce(group, input.data(), output, elements,
                                          DType::kF32, ReductionKind::kSum));
        for (int64_t i = 0; i < elements; ++i)
          if (output[i] != orderedSum(ranks, i))
            return Status::internal() << "element " << i << " of " << elements;
      }
    return Status::ok();
  }));
}

TEST_P(LocalCommunicatorTest, ReduceScatterAndAllGatherMakeAnAllReduce) {
  int32_t ranks = GetParam();
  expectAllOk(runRanks(makeWorld(ranks), [&](Communicator &end) -> Status {
    DTC_ASSIGN_OR_RETURN(GroupHandle group, end.openGroup(allRanks(end)));
    for (int64_t shard : {0, 1, 3, 700}) {
      std::vector<float> buffer = samples(end.rank(), shard * ranks);
      float *own = buffer.data() + end.rank() * shard;
      DTC_RETURN_IF_ERROR(end.reduceScatter(group, buffer.data(), own, shard,
                                            DType::kF32, ReductionKind::kSum));
      DTC_RETURN_IF_ERROR(
          end.allGather(group, own, buffer.data(), shard, DType::kF32));
      for (int64_t i = 0; i < shard * ranks; ++i)
        if (buffer[i] != orderedSum(ranks, i))
          return Status::internal() << "element " << i << " of shard " << shard;
    }
    return Status::ok();
  }));
}

TEST_P(LocalCommunicatorTest, AllToAllTransposesShards) {
  int32_t ranks = GetParam();
  expectAllOk(runRanks(makeWorld(ranks), [&](Communicator &end) -> Status {
    DTC_ASSIGN_OR_RETURN(GroupHandle group, end.openGroup(allRanks(end)));
    std::vector<int64_t> send(ranks * 2), recv(ranks * 2);
    for (int32_t to = 0; to < ranks; ++to)
      send[to * 2] = send[to * 2 + 1] = end.rank() * 100 + to;
    DTC_RETURN_IF_ERROR(
        end.allToAll(group, send.data(), recv.data(), 2, DType::kI64));
    for (int32_t from = 0; from < ranks; ++from)
      for (int part : {0, 1})
        if (recv[from * 2 + part] != from * 100 + end.rank())
          return Status::internal() << "from " << from;
    return Status::ok();
  }));
}

// Many meetings in a row, each with another size: a rank that runs ahead must
// not overwrite what another still reads.
TEST_P(LocalCommunicatorTest, ConsecutiveOperationsDoNotMix) {
  int32_t ranks = GetParam();
  expectAllOk(runRanks(makeWorld(ranks), [&](Communicator &end) -> Status {
    DTC_ASSIGN_OR_RETURN(GroupHandle group, end.openGroup(allRanks(end)));
    for (int64_t round = 0; round < 200; ++round) {
      int64_t elements = round % 3 == 0 ? 300 : 1;
      std::vector<int32_t> values(elements,
                                  static_cast<int32_t>(round + end.rank()));
      DTC_RETURN_IF_ERROR(end.allReduce(group, values.data(), values.data(),
                                        elements, DType::kI32,
                                        ReductionKind::kSum));
      if (values.back() != round * ranks + ranks * (ranks - 1) / 2)
        return Status::internal() << "round " << round;
      if (round % 5 == 0)
        DTC_RETURN_IF_ERROR(end.barrier(group));
    }
    return Status::ok();
  }));
}

INSTANTIATE_TEST_SUITE_P(Ranks, LocalCommunicatorTest,
                         testing::Values(1, 2, 3, 4, 8));

TEST(LocalCommunicatorGroupTest, GroupsOfAMeshWorkSideBySide) {
  expectAllOk(runRanks(makeWorld(4), [](Communicator &end) -> Status {
    int32_t rank = end.rank();
    std::vector<int32_t> row = {rank / 2 * 2, rank / 2 * 2 + 1};
    std::vector<int32_t> column = {rank % 2, rank % 2 + 2};
    DTC_ASSIGN_OR_RETURN(GroupHandle rows, end.openGroup(row));
    DTC_ASSIGN_OR_RETURN(GroupHandle columns, end.openGroup(column));
    int32_t value = 1 << rank;
    DTC_RETURN_IF_ERROR(end.allReduce(rows, &value, &value, 1, DType::kI32,
                                      ReductionKind::kOr));
    if (value != (rank / 2 ? 0b1100 : 0b0011))
      return Status::internal() << "row " << value;
    DTC_RETURN_IF_ERROR(end.allReduce(columns, &value, &value, 1, DType::kI32,
                                      ReductionKind::kSum));
    if (value != 0b1111)
      return Status::internal() << "column " << value;
    return Status::ok();
  }));
}

TEST(LocalCommunicatorGroupTest, OpeningAgainGivesTheSameGroup) {
  std::shared_ptr<LocalWorld> world = makeWorld(2);
  std::unique_ptr<Communicator> end = *world->communicator(1);

  EXPECT_EQ(end->openGroup({0, 1})->index, end->openGroup({0, 1})->index);
  EXPECT_NE(end->openGroup({0, 1})->index, end->openGroup({1})->index);
}

TEST(LocalCommunicatorGroupTest, RefusesListsThatAreNoGroup) {
  std::shared_ptr<LocalWorld> world = makeWorld(3);
  std::unique_ptr<Communicator> end = *world->communicator(1);

  EXPECT_EQ(end->openGroup({0, 1, 3}).status().message(),
            "group holds rank 3, outside 0 to 2");
  EXPECT_EQ(end->openGroup({1, 0}).status().message(),
            "group holds rank 0 after rank 1, expected ascending ranks");
  EXPECT_EQ(end->openGroup({0, 2}).status().message(),
            "group does not hold rank 1, which opens it");
  EXPECT_EQ(end->openGroup({}).status().message(),
            "group does not hold rank 1, which opens it");
  EXPECT_EQ(world->communicator(3).status().message(),
            "rank 3 is outside 0 to 2");
  EXPECT_EQ(end->openSend(1, 0, 1).status().message(),
            "channel 0 of rank 1 leads to rank 1, expected another rank of 0 "
            "to 2");
  EXPECT_EQ(end->openRecv(0, 4, 0).status().message(),
            "channel 4 holds 0 posts, expected 1 to 1048576");
}

TEST(LocalCommunicatorGroupTest, RefusesHandlesAndKindsThatDoNotFit) {
  std::shared_ptr<LocalWorld> world = makeWorld(2);
  std::unique_ptr<Communicator> end = *world->communicator(0);
  GroupHandle self = *end->openGroup({0});
  ChannelHandle in = *end->openRecv(1, 0, 1);
  float value = 1;

  EXPECT_EQ(
      end->allReduce(self, &value, &value, 1, DType::kF32, ReductionKind::kOr)
          .message(),
      "reduction or of f32, expected i32 or i64");
  EXPECT_EQ(
      end->allReduce(self, &value, &value, -1, DType::kF32, ReductionKind::kSum)
          .message(),
      "element count is -1, the least is 0");
  EXPECT_EQ(end->barrier(GroupHandle()).statusClass(), StatusClass::kInternal);
  EXPECT_EQ(end->send(in, &value, 1, DType::kF32).message(),
            "rank 0 did not open channel 0 to send");
}

TEST(LocalLedgerTest, CountsCallsAndContributedBytes) {
  expectAllOk(runRanks(makeWorld(2), [](Communicator &end) -> Status {
    int32_t peer = 1 - end.rank();
    DTC_ASSIGN_OR_RETURN(GroupHandle group, end.openGroup({0, 1}));
    DTC_ASSIGN_OR_RETURN(ChannelHandle out, end.openSend(peer, 6, 1));
    DTC_ASSIGN_OR_RETURN(ChannelHandle in, end.openRecv(peer, 6, 1));
    float a[8] = {}, b[8] = {};
    for (int i = 0; i < 3; ++i)
      DTC_RETURN_IF_ERROR(
          end.allReduce(group, a, b, 8, DType::kF32, ReductionKind::kSum));
    DTC_RETURN_IF_ERROR(
        end.reduceScatter(group, a, b, 4, DType::kF32, ReductionKind::kSum));
    DTC_RETURN_IF_ERROR(end.allGather(group, a, b, 4, DType::kF32));
    DTC_RETURN_IF_ERROR(end.send(out, a, 5, DType::kF32));
    DTC_RETURN_IF_ERROR(end.recv(in, b, 5, DType::kF32));
    DTC_RETURN_IF_ERROR(end.waitSend(out));

    std::string text;
    for (const LedgerEntry &entry : end.ledger())
      text += std::string(name(entry.operation)) + " " +
              std::to_string(entry.ranks[0]) + std::to_string(entry.ranks[1]) +
              " " + std::to_string(entry.channel) + " " +
              std::to_string(entry.calls) + " " + std::to_string(entry.bytes) +
              "\n";
    std::string mine = std::to_string(end.rank()), its = std::to_string(peer);
    std::string expected = "all_reduce 01 -1 3 96\n"
                           "reduce_scatter 01 -1 1 32\n"
                           "all_gather 01 -1 1 16\n"
                           "send " +
                           mine + its + " 6 1 20\nrecv " + its + mine +
                           " 6 1 20\n";
    if (text != expected)
      return Status::internal() << text;
    return Status::ok();
  }));
}

} // namespace
} // namespace dtc::rt
