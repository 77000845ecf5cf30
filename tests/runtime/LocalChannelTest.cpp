//===- LocalChannelTest.cpp - An ordered queue between two threads --------===//
//
// Order, the guard of buffers, and what happens at the capacity.
//
//===----------------------------------------------------------------------===//

#include "tests/runtime/RankThreads.h"

namespace dtc::rt {
namespace {

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

} // namespace
} // namespace dtc::rt
