//===- CollectiveInterpreterTest.cpp - Changes of layout in numbers -------===//
//
// What each rank holds before and after, worked out by hand, on 2 to 4 places.
// Sizes don't divide, axes nest and pads are dirty wherever that can matter.
//
//===----------------------------------------------------------------------===//

#include "tests/ir/InterpreterRun.h"

#include <gmock/gmock.h>

namespace mlir::dtc::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Numbers = std::vector<double>;

/// f(%x) = one op, from a value in layout `from` to layout `to`.
std::string makeChange(const std::string &op, const std::string &attributes,
                       const std::string &shape, const std::string &from,
                       const std::string &to) {
  std::string a = "tensor<" + shape + ", #dtc.layout<" + from + ">>";
  std::string b = "tensor<" + shape + ", #dtc.layout<" + to + ">>";
  return "func.func @f(%x: " + a + ") -> " + b + " {\n  %0 = dtc." + op +
         " %x " + attributes + " : " + a + " -> " + b + "\n  return %0 : " + b +
         "\n}\n";
}

TEST(CollectiveInterpreterTest, AllGatherJoinsInRankOrderAndCropsPads) {
  InterpreterRun run(
      makeChange("all_gather", "over \"tp\"", "5xf32",
                 "pp=1:On{0}, dp=1:R, tp=2:S(0), mb=1:R, pad(0:any)",
                 "pp=1:On{0}, dp=1:R, tp=2:R, mb=1:R"));

  ASSERT_TRUE(succeeded(run.step({{1, 2, 3, 4, 5}}))) << run.messages;

  EXPECT_THAT(run.part(0), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(run.part(1), ElementsAre(1, 2, 3, 4, 5));
}

TEST(CollectiveInterpreterTest, AllGatherOfTheInnerAxisGivesTheOuterBlock) {
  // dp blocks of 5: 0-3 and 4 with two pads... b1 = 3, b2 = 2: rows 01|2, 34|-.
  InterpreterRun run(
      makeChange("all_gather", "over \"tp\"", "5xf32",
                 "pp=1:On{0}, dp=2:S(0), tp=2:S(0), mb=1:R, pad(0:zero)",
                 "pp=1:On{0}, dp=2:S(0), tp=2:R, mb=1:R, pad(0:zero)"));

  ASSERT_TRUE(succeeded(run.step({{1, 2, 3, 4, 5}}))) << run.messages;

  EXPECT_THAT(run.part(0), ElementsAre(1, 2, 3));
  EXPECT_THAT(run.part(1), ElementsAre(1, 2, 3));
  EXPECT_THAT(run.part(2), ElementsAre(4, 5, 0));
  EXPECT_THAT(run.part(3), ElementsAre(4, 5, 0));
}

TEST(CollectiveInterpreterTest, ReduceScatterKeepsEachItsBlockOfTheSum) {
  InterpreterRun run(
      makeChange("reduce_scatter", "over \"dp\"", "5xf32",
                 "pp=1:On{0}, dp=3:P(sum), tp=1:R, mb=1:R",
                 "pp=1:On{0}, dp=3:S(0), tp=1:R, mb=1:R, pad(0:zero)"));

  ASSERT_TRUE(succeeded(run.step({{1, 2, 3, 4, 5}}))) << run.messages;

  EXPECT_THAT(run.part(0), ElementsAre(1, 2));
  EXPECT_THAT(run.part(1), ElementsAre(3, 4));
  EXPECT_THAT(run.part(2), ElementsAre(5, 0));
}

TEST(CollectiveInterpreterTest, AllReduceGivesEveryRankTheSum) {
  InterpreterRun run(makeChange("all_reduce sum", "over [\"dp\", \"tp\"]",
                                "2xf32",
                                "pp=1:On{0}, dp=2:P(sum), tp=2:P(sum), mb=1:R",
                                "pp=1:On{0}, dp=2:R, tp=2:R, mb=1:R"));

  ASSERT_TRUE(succeeded(run.step({{3, -2}}))) << run.messages;

  for (size_t rank = 0; rank < 4; ++rank)
    EXPECT_THAT(run.part(rank), ElementsAre(3, -2));
}

TEST(CollectiveInterpreterTest, AccumulateSumsOverMicroBatches) {
  InterpreterRun run(makeChange("accumulate", "", "2xf32",
                                "pp=1:On{0}, dp=1:R, tp=1:R, mb=3:P(sum)",
                                "pp=1:On{0}, dp=1:R, tp=1:R, mb=3:R"));

  ASSERT_TRUE(succeeded(run.step({{3, -2}}))) << run.messages;

  EXPECT_THAT(run.part(2), ElementsAre(3, -2));
}

TEST(CollectiveInterpreterTest, SendRecvMovesAValueToTheOtherStageOnly) {
  InterpreterRun run(
      makeChange("send_recv",
                 "{source = 0 : i64, destination = 1 : i64, channel = 0 : i64}",
                 "2xf32", "pp=2:On{0}, dp=1:R, tp=1:R, mb=1:R",
                 "pp=2:On{1}, dp=1:R, tp=1:R, mb=1:R"));

  ASSERT_TRUE(succeeded(run.step({{3, -2}}))) << run.messages;

  EXPECT_TRUE(run.part(0).empty());
  EXPECT_THAT(run.part(1), ElementsAre(3, -2));
}

TEST(CollectiveInterpreterTest, ToPartialKeepsTheValueOnTheFirstCoordinate) {
  InterpreterRun run(makeChange("to_partial", "{axes = [\"tp\"]}", "2xf32",
                                "pp=1:On{0}, dp=1:R, tp=3:R, mb=1:R",
                                "pp=1:On{0}, dp=1:R, tp=3:P(sum), mb=1:R"));

  ASSERT_TRUE(succeeded(run.step({{3, -2}}))) << run.messages;

  EXPECT_THAT(run.part(0), ElementsAre(3, -2));
  EXPECT_THAT(run.part(1), ElementsAre(0, 0));
  EXPECT_THAT(run.part(2), ElementsAre(0, 0));
}

TEST(CollectiveInterpreterTest, LocalSliceTakesAMicroBatchOfTheRanksRows) {
  // 7 rows: dp blocks of 4, micro-batches of 2 within them; row 7 is a pad.
  InterpreterRun run(
      makeChange("local_slice", "{axis = \"mb\"}", "7xf32",
                 "pp=1:On{0}, dp=2:S(0), tp=1:R, mb=2:R, pad(0:zero)",
                 "pp=1:On{0}, dp=2:S(0), tp=1:R, mb=2:S(0), pad(0:zero)"));

  ASSERT_TRUE(succeeded(run.step({{1, 2, 3, 4, 5, 6, 7}}))) << run.messages;

  EXPECT_THAT(run.part(0), ElementsAre(1, 2));
  EXPECT_THAT(run.part(1), ElementsAre(3, 4));
  EXPECT_THAT(run.part(2), ElementsAre(5, 6));
  EXPECT_THAT(run.part(3), ElementsAre(7, 0));
}

TEST(CollectiveInterpreterTest, RelayoutReducesOnlyTheAxesThatChange) {
  InterpreterRun run(makeChange("relayout", "", "2xf32",
                                "pp=1:On{0}, dp=2:P(sum), tp=1:R, mb=2:P(sum)",
                                "pp=1:On{0}, dp=2:P(sum), tp=1:R, mb=2:R"));

  ASSERT_TRUE(succeeded(run.step({{3, -2}}))) << run.messages;

  EXPECT_THAT(run.result(), ElementsAre(3, -2));
  EXPECT_EQ(run.part(0), run.part(1)); // micro-batches
  EXPECT_NE(run.part(0), run.part(2)); // dp still holds addends
}

TEST(CollectiveInterpreterTest, RelayoutMovesASplitToAnotherDimension) {
  InterpreterRun run(makeChange("relayout", "", "2x3xf32",
                                "pp=1:On{0}, dp=1:R, tp=2:S(0), mb=1:R",
                                "pp=1:On{0}, dp=1:R, tp=2:S(1), mb=1:R, "
                                "pad(1:zero)"));

  ASSERT_TRUE(succeeded(run.step({{1, 2, 3, 4, 5, 6}}))) << run.messages;

  EXPECT_THAT(run.part(0), ElementsAre(1, 2, 4, 5));
  EXPECT_THAT(run.part(1), ElementsAre(3, 0, 6, 0));
}

} // namespace
} // namespace mlir::dtc::test
