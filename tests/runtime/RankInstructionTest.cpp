//===- RankInstructionTest.cpp - Instructions that need no other rank
//------===//
//
// MatMul, LocalSlice, ToPartial, Accumulate and Clear, Copy, PackBucket, Store,
// ReadBatch and Report against numbers made by hand, and tables they refuse.
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

class MatMulInstructionTest : public testing::TestWithParam<int> {};

TEST_P(MatMulInstructionTest, ReadsTransposedOperandsByStride) {
  bool transposeLhs = GetParam() & 1, transposeRhs = GetParam() & 2;
  Harness harness(1, 1, 1, 1);
  uint32_t lhs = transposeLhs ? harness.value({3, 2}, {3, 2})
                              : harness.value({2, 3}, {2, 3});
  uint32_t rhs = transposeRhs ? harness.value({2, 3}, {2, 3})
                              : harness.value({3, 2}, {3, 2});
  uint32_t result = harness.value({2, 2}, {2, 2});
  auto &matmul = harness.add<program::MatMulT>();
  matmul.lhs = lhs;
  matmul.rhs = rhs;
  matmul.result = result;
  matmul.transpose_lhs = transposeLhs;
  matmul.transpose_rhs = transposeRhs;

  Status status = harness.run(
      [&](int32_t, Executor &executor) {
        // lhs = (1 2 3 | 4 5 6), rhs = (1 0 | 2 1 | 0 3)
        if (transposeLhs)
          Harness::set(executor, lhs, {1, 4, 2, 5, 3, 6});
        else
          Harness::set(executor, lhs, {1, 2, 3, 4, 5, 6});
        if (transposeRhs)
          Harness::set(executor, rhs, {1, 2, 0, 0, 1, 3});
        else
          Harness::set(executor, rhs, {1, 0, 2, 1, 0, 3});
      },
      [&](int32_t, Executor &executor) {
        EXPECT_THAT(Harness::get(executor, result), ElementsAre(5, 11, 14, 23));
      });

  EXPECT_TRUE(status.isOk()) << status;
}

INSTANTIATE_TEST_SUITE_P(Transposes, MatMulInstructionTest,
                         testing::Values(0, 1, 2, 3));

TEST(MatMulShapeTest, RefusesShapesThatDoNotMultiply) {
  Harness harness(1, 1, 1, 1);
  auto &matmul = harness.add<program::MatMulT>();
  matmul.lhs = harness.value({2, 3}, {2, 3});
  matmul.rhs = harness.value({4, 5}, {4, 5});
  matmul.result = harness.value({2, 5}, {2, 5});

  Status status = harness.run(nothing, nothing);

  EXPECT_THAT(status.str(), HasSubstr("matmul 2x3 by 4x5"));
}

TEST(LocalSliceInstructionTest, TakesTheBlockOfTheMicroBatchAndClearsItsPad) {
  Harness harness(1, 1, 1, 2);
  uint32_t whole = harness.value({3}, {3});
  uint32_t block = harness.value({3}, {2}, {{kMb, splitState(0)}});
  uint32_t total = harness.value({2}, {2});
  auto &slice = harness.add<program::LocalSliceT>();
  slice.input = whole;
  slice.result = block;
  slice.axis = kMb;
  auto &accumulate = harness.add<program::AccumulateT>();
  accumulate.value = block;
  accumulate.accumulator = total;
  harness.repeat(2);

  Status status = harness.run(
      [&](int32_t, Executor &executor) {
        Harness::set(executor, whole, {1, 2, 30});
        Harness::set(executor, block, {-7, -7});
      },
      [&](int32_t, Executor &executor) {
        EXPECT_THAT(Harness::get(executor, block), ElementsAre(30, 0));
        EXPECT_THAT(Harness::get(executor, total), ElementsAre(31, 2));
      });

  EXPECT_TRUE(status.isOk()) << status;
}

TEST(ToPartialInstructionTest, KeepsTheValueOnCoordinateZero) {
  Harness harness(1, 1, 2, 1);
  uint32_t in = harness.value({2}, {2}), out = harness.value({2}, {2});
  auto &partial = harness.add<program::ToPartialT>();
  partial.input = in;
  partial.result = out;
  partial.axes = {kTp};

  Status status = harness.run(
      [&](int32_t, Executor &executor) { Harness::set(executor, in, {5, 6}); },
      [&](int32_t rank, Executor &executor) {
        EXPECT_THAT(Harness::get(executor, out),
                    rank ? ElementsAre(0, 0) : ElementsAre(5, 6));
      });

  EXPECT_TRUE(status.isOk()) << status;
}

TEST(ClearInstructionTest, ClearsThePadToo) {
  Harness harness(1, 1, 1, 1);
  uint32_t value = harness.value({1}, {1}, {}, program::DType::F32, 4);
  uint32_t view = harness.value({2}, {2});
  *harness.table.stages[0]->values[view]->place =
      *harness.table.stages[0]->values[value]->place;
  harness.add<program::ClearT>().accumulator = value;

  Status status = harness.run(
      [&](int32_t, Executor &executor) {
        Harness::set(executor, view, {5, 6});
      },
      [&](int32_t, Executor &executor) {
        EXPECT_THAT(Harness::get(executor, view), ElementsAre(0, 0));
      });

  EXPECT_TRUE(status.isOk()) << status;
}

TEST(AccumulateInstructionTest, RefusesHalfPrecision) {
  Harness harness(1, 1, 1, 1);
  auto &accumulate = harness.add<program::AccumulateT>();
  accumulate.value = harness.value({2}, {2}, {}, program::DType::BF16);
  accumulate.accumulator = harness.value({2}, {2}, {}, program::DType::BF16);

  Status status = harness.run(nothing, nothing);

  EXPECT_EQ(status.statusClass(), StatusClass::kUnimplemented);
  EXPECT_THAT(status.str(), HasSubstr("accumulate in bf16"));
}

TEST(PackBucketInstructionTest, LaysMembersOneAfterAnother) {
  Harness harness(1, 1, 1, 1);
  uint32_t a = harness.value({2}, {2}), b = harness.value({1}, {1});
  uint32_t bucket = harness.value({3}, {3}), copy = harness.value({3}, {3});
  auto &pack = harness.add<program::PackBucketT>();
  pack.members = {a, b};
  pack.result = bucket;
  auto &copied = harness.add<program::CopyT>();
  copied.input = bucket;
  copied.result = copy;

  Status status = harness.run(
      [&](int32_t, Executor &executor) {
        Harness::set(executor, a, {1, 2});
        Harness::set(executor, b, {3});
      },
      [&](int32_t, Executor &executor) {
        EXPECT_THAT(Harness::get(executor, copy), ElementsAre(1, 2, 3));
      });

  EXPECT_TRUE(status.isOk()) << status;
}

TEST(CopyInstructionTest, RefusesDifferentSizes) {
  Harness harness(1, 1, 1, 1);
  auto &copy = harness.add<program::CopyT>();
  copy.input = harness.value({2}, {2});
  copy.result = harness.value({3}, {3});

  Status status = harness.run(nothing, nothing);

  EXPECT_THAT(status.str(), HasSubstr("copy of 8 bytes to 12"));
}

TEST(StoreInstructionTest, RefusesAVariableThatIsNotThere) {
  Harness harness(1, 1, 1, 1);
  harness.add<program::StoreT>().value = harness.value({2}, {2});

  Status status = harness.run(nothing, nothing);

  EXPECT_THAT(status.str(), HasSubstr("variable 0 of 0"));
}

/// Row r of the batch holds 10 r and 10 r + 1.
struct CountingRows final : BatchSource {
  Status read(uint32_t, int64_t, int64_t firstRow, int64_t rowCount,
              void *destination) override {
    auto *at = static_cast<float *>(destination);
    for (int64_t row = 0; row < rowCount; ++row)
      for (int64_t column = 0; column < 2; ++column)
        *at++ = static_cast<float>(10 * (firstRow + row) + column);
    return Status::ok();
  }
};

TEST(ReadBatchInstructionTest, FillsRowsThatTheBatchDoesNotHave) {
  Harness harness(1, 2, 1, 1);
  auto input = std::make_unique<program::InputT>();
  input->name = "x";
  input->fill = -1;
  harness.table.data->inputs.push_back(std::move(input));
  uint32_t rows = harness.value({3, 2}, {2, 2}, {{kDp, splitState(0)}});
  harness.add<program::ReadBatchT>().result = rows;
  CountingRows batches;

  Status status = harness.run(
      nothing,
      [&](int32_t rank, Executor &executor) {
        EXPECT_THAT(Harness::get(executor, rows),
                    rank ? ElementsAre(20, 21, -1, -1)
                         : ElementsAre(0, 1, 10, 11));
      },
      &batches);

  EXPECT_TRUE(status.isOk()) << status;
}

struct LastReport final : ReportSink {
  void report(int, double value) override { last = value; }
  double last = 0;
};

TEST(ReportInstructionTest, PublishesAScalarUnderItsName) {
  Harness harness(1, 1, 1, 1);
  uint32_t value = harness.value({}, {}, {}, program::DType::I64);
  auto &report = harness.add<program::ReportT>();
  report.value = value;
  report.metric = "valid";
  LastReport reports;

  Status status = harness.run(
      [&](int32_t, Executor &executor) { Harness::set(executor, value, {6}); },
      [&](int32_t, Executor &executor) {
        EXPECT_THAT(executor.getMetrics(), ElementsAre("valid"));
      },
      nullptr, &reports);

  EXPECT_TRUE(status.isOk()) << status;
  EXPECT_EQ(reports.last, 6);
}

TEST(LaunchKernelInstructionTest, RefusesAKernelThatTheProgramDoesNotCarry) {
  Harness harness(1, 1, 1, 1);
  auto &launch = harness.add<program::LaunchKernelT>();
  launch.kernel = 4;

  Status status = harness.run(nothing, nothing);

  EXPECT_THAT(status.str(), HasSubstr("kernel 4 of 0"));
}

} // namespace
} // namespace dtc::rt
