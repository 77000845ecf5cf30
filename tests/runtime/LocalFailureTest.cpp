//===- LocalFailureTest.cpp - One rank fails, all hear why ----------------===//
//
// Time-outs are short here and nothing sleeps for long; where only an abort may
// end a wait, the time-out is ten hours.
//
//===----------------------------------------------------------------------===//

#include "tests/runtime/RankThreads.h"

#include <atomic>

namespace dtc::rt {
namespace {

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

} // namespace
} // namespace dtc::rt
