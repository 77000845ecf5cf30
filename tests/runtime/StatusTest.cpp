//===- StatusTest.cpp - Status and Result ---------------------------------===//
//
// Every other unit reports through these, so their copies, prefixes and macros
// are held here once.
//
//===----------------------------------------------------------------------===//

#include "runtime/base/Status.h"
#include "runtime/base/DType.h"
#include "runtime/base/Deadline.h"
#include "runtime/base/Log.h"

#include <gtest/gtest.h>

namespace dtc::rt {
namespace {

TEST(StatusTest, BuildsTextFromPartsOfAnyType) {
  Status status = Status::invalidProgram()
                  << "buffer " << 7 << " is " << DType::kBF16 << ", not "
                  << std::string("f32");

  EXPECT_FALSE(status.isOk());
  EXPECT_EQ(status.statusClass(), StatusClass::kInvalidProgram);
  EXPECT_EQ(status.str(), "buffer 7 is bf16, not f32");
}

TEST(StatusTest, SuccessStaysWithoutText) {
  Status status = Status::ok();
  status << "nothing";

  EXPECT_TRUE(std::move(status).at("here").isOk());
  EXPECT_EQ(Status::ok().str(), "ok");
}

TEST(StatusTest, PutsThePlaceFirstAndTheCodeLast) {
  Status status = Status::invalidArgument(ErrorCode::kFileUnreadable)
                  << "no such file";

  status = std::move(status).at("x.npy");

  EXPECT_EQ(status.str(), "x.npy: no such file [DTC-FILE-UNREADABLE]");
  EXPECT_EQ(status.message(), "x.npy: no such file");
}

TEST(StatusTest, CopiesAreIndependent) {
  Status first = Status::timeout(ErrorCode::kRankTimeout) << "silent";
  Status second = first;

  second << " for 30 s";

  EXPECT_EQ(first.message(), "silent");
  EXPECT_EQ(second.message(), "silent for 30 s");
  EXPECT_EQ(second.code(), ErrorCode::kRankTimeout);
}

Result<int> half(int number) {
  if (number % 2)
    return Status::invalidArgument() << number << " is odd";
  return number / 2;
}

Result<int> quarter(int number) {
  DTC_ASSIGN_OR_RETURN(int once, half(number));
  DTC_ASSIGN_OR_RETURN(once, half(once));
  return once;
}

Status check(int number) {
  DTC_RETURN_IF_ERROR(quarter(number).takeStatus());
  return Status::ok();
}

TEST(StatusTest, MacrosHandOnTheFirstError) {
  EXPECT_EQ(*quarter(12), 3);
  EXPECT_EQ(quarter(6).status().message(), "3 is odd");
  EXPECT_EQ(check(7).message(), "7 is odd");
  EXPECT_TRUE(check(8).isOk());
}

TEST(StatusTest, ResultConvertsToTheBaseOfItsPointer) {
  struct Base {
    virtual ~Base() = default;
    virtual int number() { return 1; }
  };
  struct Derived : Base {
    int number() override { return 2; }
  };
  auto make = []() -> Result<std::unique_ptr<Base>> {
    return std::make_unique<Derived>();
  };

  EXPECT_EQ((*make())->number(), 2);
}

TEST(DeadlineTest, PassesAtItsTimeAndNeverWhenSo) {
  EXPECT_TRUE(Deadline::after(std::chrono::nanoseconds(-1)).hasPassed());
  EXPECT_EQ(Deadline::after(std::chrono::nanoseconds(-1)).left().count(), 0);
  EXPECT_FALSE(Deadline::after(std::chrono::hours(1)).hasPassed());
  EXPECT_FALSE(Deadline::never().hasPassed());
  EXPECT_TRUE(Deadline::after(std::chrono::nanoseconds::max()).isNever());
}

TEST(LogTest, RefusesAnUnknownLevelByName) {
  EXPECT_EQ(setLogLevel("loud").message(),
            "log level \"loud\" is none of trace, debug, info, warning, "
            "error, off");
  EXPECT_TRUE(setLogLevel("info").isOk());
}

TEST(LogTest, WritesToStderrWithTheRank) {
  testing::internal::CaptureStderr();

  setLogRank(3);
  log().warn("slow disk");

  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "[rank 3] warning: slow disk\n");
}

} // namespace
} // namespace dtc::rt
