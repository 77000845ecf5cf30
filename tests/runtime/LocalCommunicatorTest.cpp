//===- LocalCommunicatorTest.cpp - Ranks that are threads -----------------===//
//
// Results are compared with sums made in one thread, bit for bit. What must
// fail is run with short time-outs, so nothing here sleeps for long. Run this
// file under the tsan preset too: it is the proof that the meetings suffice.
//
//===----------------------------------------------------------------------===//

#include "runtime/comm/LocalWorld.h"
#include "runtime/comm/Reduce.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <thread>

namespace dtc::rt {
namespace {

constexpr auto kShort = std::chrono::milliseconds(30);

std::shared_ptr<LocalWorld>
makeWorld(int32_t ranks,
          std::chrono::nanoseconds timeout = std::chrono::seconds(60)) {
  LocalWorldOptions options;
  options.rankCount = ranks;
  options.timeout = timeout;
  return *LocalWorld::create(options);
}

using RankBody = std::function<Status(Communicator &)>;

/// Runs `body` on a thread a rank and returns what each gave.
std::vector<Status> runRanks(const std::shared_ptr<LocalWorld> &world,
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

void expectAllOk(const std::vector<Status> &results) {
  for (const Status &status : results)
    EXPECT_TRUE(status.isOk()) << status;
}

std::vector<int32_t> allRanks(const Communicator &end) {
  std::vector<int32_t> ranks(end.rankCount());
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

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

TEST(ReduceTest, SixteenBitTypesAreSummedInF32) {
  // In bf16 each addend would vanish against 256.
  uint16_t large = bf16FromFloat(256), small = bf16FromFloat(1);
  const void *pointers[] = {&large, &small, &small, &small, &small};
  uint16_t sum;

  reduceElements({pointers, 5}, 0, &sum, 1, DType::kBF16, ReductionKind::kSum);

  EXPECT_EQ(floatFromBf16(sum), 260);
  uint16_t half = f16FromFloat(2048), one = f16FromFloat(1);
  const void *halves[] = {&half, &one, &one};
  reduceElements({halves, 3}, 0, &sum, 1, DType::kF16, ReductionKind::kSum);
  EXPECT_EQ(floatFromF16(sum), 2050);
}

TEST(ReduceTest, MaximumKeepsANan) {
  float a[] = {1, NAN, 3, -0.5f}, b[] = {NAN, 2, 4, -INFINITY};
  const void *pointers[] = {a, b};
  float out[4];

  reduceElements({pointers, 2}, 0, out, 4, DType::kF32, ReductionKind::kMax);

  EXPECT_TRUE(std::isnan(out[0]));
  EXPECT_TRUE(std::isnan(out[1]));
  EXPECT_EQ(out[2], 4);
  EXPECT_EQ(out[3], -0.5f);
}

TEST(ReduceTest, IntegersWrapAndCombine) {
  int64_t a[] = {std::numeric_limits<int64_t>::max(), 0b0101}, b[] = {1, 0b11};
  const void *pointers[] = {a, b};
  int64_t out[2];

  reduceElements({pointers, 2}, 0, out, 2, DType::kI64, ReductionKind::kSum);
  EXPECT_EQ(out[0], std::numeric_limits<int64_t>::min());
  reduceElements({pointers, 2}, 1, out, 1, DType::kI64, ReductionKind::kOr);
  EXPECT_EQ(out[0], 0b0111);
}

TEST(LocalChannelTest, MessagesArriveInOrderAndChannelsAreApart) {
  expectAllOk(runRanks(makeWorld(2), [](Communicator &end) -> Status {
    constexpr int kMessages = 50;
    int32_t peer = 1 - end.rank();
    DTC_ASSIGN_OR_RETURN(ChannelHandle out, end.openSend(peer, 3, 3));
    DTC_ASSIGN_OR_RETURN(ChannelHandle in, end.openRecv(peer, 3, 3));
    DTC_ASSIGN_OR_RETURN(ChannelHandle other, end.openSend(peer, 4, 1));
    DTC_ASSIGN_OR_RETURN(ChannelHandle otherIn, end.openRecv(peer, 4, 1));
    std::vector<int32_t> sent(kMessages);
    int32_t late = -7, got;
    DTC_RETURN_IF_ERROR(end.send(other, &late, 1, DType::kI32));
    for (int32_t i = 0; i < kMessages; ++i) {
      sent[i] = i * 10 + end.rank();
      DTC_RETURN_IF_ERROR(end.send(out, &sent[i], 1, DType::kI32));
      DTC_RETURN_IF_ERROR(end.recv(in, &got, 1, DType::kI32));
      if (got != i * 10 + peer)
        return Status::internal() << "message " << i << " is " << got;
    }
    DTC_RETURN_IF_ERROR(end.recv(otherIn, &got, 1, DType::kI32));
    if (got != -7)
      return Status::internal() << "other channel gave " << got;
    DTC_RETURN_IF_ERROR(end.waitSend(out));
    return end.waitSend(other);
  }));
}

TEST(LocalChannelTest, WaitSendGuardsTheBuffer) {
  expectAllOk(runRanks(makeWorld(2), [](Communicator &end) -> Status {
    constexpr int64_t kElements = 5000;
    std::vector<float> buffer(kElements);
    if (end.rank() == 0) {
      DTC_ASSIGN_OR_RETURN(ChannelHandle out, end.openSend(1, 0, 2));
      for (int round = 0; round < 20; ++round) {
        std::fill(buffer.begin(), buffer.end(), round);
        DTC_RETURN_IF_ERROR(
            end.send(out, buffer.data(), kElements, DType::kF32));
        DTC_RETURN_IF_ERROR(end.waitSend(out));
      }
      return Status::ok();
    }
    DTC_ASSIGN_OR_RETURN(ChannelHandle in, end.openRecv(0, 0, 2));
    for (int round = 0; round < 20; ++round) {
      DTC_RETURN_IF_ERROR(end.recv(in, buffer.data(), kElements, DType::kF32));
      for (float value : buffer)
        if (value != round)
          return Status::internal() << "round " << round << " got " << value;
    }
    return Status::ok();
  }));
}

TEST(LocalChannelTest, SendReturnsUntilTheCapacityAndThenWaits) {
  std::shared_ptr<LocalWorld> world = makeWorld(2, kShort);
  std::unique_ptr<Communicator> end = *world->communicator(0);
  ChannelHandle out = *end->openSend(1, 5, 2);
  float value = 1;

  EXPECT_TRUE(end->send(out, &value, 1, DType::kF32).isOk());
  EXPECT_TRUE(end->send(out, &value, 1, DType::kF32).isOk());
  EXPECT_TRUE(end->waitSend(out, 2).isOk());
  Status full = end->send(out, &value, 1, DType::kF32);

  EXPECT_EQ(full.code(), ErrorCode::kRankTimeout);
  EXPECT_EQ(full.message(), "rank 0 waits on channel 5 to rank 1: rank 1 left "
                            "2 sends untaken for 0.03 s");
}

TEST(LocalChannelTest, RefusesOtherSizesAndCapacities) {
  std::vector<Status> results =
      runRanks(makeWorld(2), [](Communicator &end) -> Status {
        float values[3] = {};
        if (end.rank() == 0) {
          DTC_ASSIGN_OR_RETURN(ChannelHandle out, end.openSend(1, 9, 1));
          DTC_RETURN_IF_ERROR(end.send(out, values, 3, DType::kF32));
          return end.waitSend(out);
        }
        DTC_ASSIGN_OR_RETURN(ChannelHandle in, end.openRecv(0, 9, 1));
        return end.recv(in, values, 2, DType::kF32);
      });

  EXPECT_EQ(results[1].message(),
            "channel 9: rank 0 sent 12 bytes, rank 1 expects 8");
  EXPECT_EQ(results[1].code(), ErrorCode::kCollectiveMismatch);
  EXPECT_EQ(results[0].message(), "rank 1 gave up: channel 9: rank 0 sent 12 "
                                  "bytes, rank 1 expects 8");
  std::shared_ptr<LocalWorld> world = makeWorld(2);
  ASSERT_TRUE((*world->communicator(0))->openSend(1, 0, 4).isOk());
  EXPECT_EQ((*world->communicator(1))->openRecv(0, 0, 2).status().message(),
            "channel 0 from rank 0 to rank 1 holds 4 posts at one end and 2 "
            "at the other");
}

TEST(LocalFailureTest, TimeoutNamesGroupAndWhoDidNotArrive) {
  // Both are on their way before either can lose patience.
  std::atomic<int> started{0};
  std::vector<Status> results = runRanks(
      makeWorld(4, std::chrono::milliseconds(200)),
      [&](Communicator &end) -> Status {
        DTC_ASSIGN_OR_RETURN(GroupHandle group, end.openGroup({0, 1, 2, 3}));
        if (end.rank() == 1 || end.rank() == 2)
          return Status::ok();
        ++started;
        while (started < 2)
          std::this_thread::yield();
        float value = 0;
        return end.allReduce(group, &value, &value, 1, DType::kF32,
                             ReductionKind::kSum);
      });

  for (int rank : {0, 3}) {
    EXPECT_EQ(results[rank].statusClass(), StatusClass::kTimeout);
    EXPECT_NE(results[rank].message().find(
                  "waits in all_reduce over {0,1,2,3}: ranks {1,2} did not "
                  "arrive within 0.2 s"),
              std::string::npos)
        << results[rank];
  }
}

TEST(LocalFailureTest, RecvTimeoutNamesTheSource) {
  std::shared_ptr<LocalWorld> world = makeWorld(2, kShort);
  std::unique_ptr<Communicator> end = *world->communicator(1);
  ChannelHandle in = *end->openRecv(0, 2, 1);
  float value;

  Status status = end->recv(in, &value, 1, DType::kF32);

  EXPECT_EQ(status.statusClass(), StatusClass::kTimeout);
  EXPECT_EQ(status.message(), "rank 1 waits on channel 2 from rank 0: rank 0 "
                              "sent nothing for 0.03 s");
}

// Without a time-out: only the abort can end these waits.
TEST(LocalFailureTest, AbortWakesEveryKindOfWaitWithItsReason) {
  std::vector<Status> results = runRanks(
      makeWorld(4, std::chrono::hours(10)), [](Communicator &end) -> Status {
        float value = 0;
        switch (end.rank()) {
        case 0: {
          DTC_ASSIGN_OR_RETURN(GroupHandle group, end.openGroup({0, 3}));
          return end.barrier(group);
        }
        case 1: {
          DTC_ASSIGN_OR_RETURN(ChannelHandle in, end.openRecv(3, 0, 1));
          return end.recv(in, &value, 1, DType::kF32);
        }
        case 2: {
          DTC_ASSIGN_OR_RETURN(ChannelHandle out, end.openSend(3, 0, 1));
          DTC_RETURN_IF_ERROR(end.send(out, &value, 1, DType::kF32));
          return end.waitSend(out);
        }
        default:
          end.abort(Status::deviceError() << "out of paper");
          return Status::ok();
        }
      });

  for (int rank : {0, 1, 2}) {
    EXPECT_EQ(results[rank].message(), "rank 3 gave up: out of paper");
    EXPECT_EQ(results[rank].statusClass(), StatusClass::kDeviceError);
  }
}

TEST(LocalFailureTest, AfterAFailureEveryCallGivesTheFirstReason) {
  std::shared_ptr<LocalWorld> world = makeWorld(1);
  std::unique_ptr<Communicator> end = *world->communicator(0);
  GroupHandle group = *end->openGroup({0});

  end->abort(Status::internal() << "first");
  end->abort(Status::internal() << "second");

  EXPECT_EQ(end->barrier(group).message(), "rank 0 gave up: first");
}

TEST(LocalFailureTest, DifferentCallsAreNamedSideBySide) {
  std::vector<Status> results =
      runRanks(makeWorld(2), [](Communicator &end) -> Status {
        DTC_ASSIGN_OR_RETURN(GroupHandle group, end.openGroup({0, 1}));
        float values[8] = {};
        if (end.rank() == 0)
          return end.allReduce(group, values, values, 8, DType::kF32,
                               ReductionKind::kSum);
        return end.allGather(group, values, values, 4, DType::kF32);
      });

  // Who comes second may hear of the other's finding first.
  bool found = false;
  for (const Status &status : results) {
    EXPECT_EQ(status.code(), ErrorCode::kCollectiveMismatch);
    found |= status.message() ==
                 "group {0,1}: rank 0 calls all_reduce sum of 8 f32, rank 1 "
                 "calls all_gather of 4 f32" ||
             status.message() ==
                 "group {0,1}: rank 1 calls all_gather of 4 f32, rank 0 calls "
                 "all_reduce sum of 8 f32";
  }
  EXPECT_TRUE(found) << results[0] << "\n" << results[1];
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
