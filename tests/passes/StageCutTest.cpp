//===- StageCutTest.cpp - The balanced cut of a list of costs -------------===//
//
// Held to a search over all cuts, and to what case P24 asks for.
//
//===----------------------------------------------------------------------===//

#include "passes/StageCut.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

namespace mlir::dtc {
namespace {

std::vector<int64_t> addParts(ArrayRef<int64_t> costs, ArrayRef<int64_t> parts,
                              int64_t partCount) {
  std::vector<int64_t> sums(static_cast<size_t>(partCount), 0);
  for (size_t i = 0; i < costs.size(); ++i)
    sums[static_cast<size_t>(parts[i])] += costs[i];
  return sums;
}

/// The least maximum of all cuts into non-empty contiguous parts.
int64_t searchLeastMaximum(ArrayRef<int64_t> costs, int64_t partCount) {
  if (partCount == 1) {
    int64_t sum = 0;
    for (int64_t cost : costs)
      sum += cost;
    return sum;
  }
  int64_t best = std::numeric_limits<int64_t>::max(), first = 0;
  for (size_t i = 1; i + static_cast<size_t>(partCount) - 1 <= costs.size();
       ++i) {
    first += costs[i - 1];
    best =
        std::min(best, std::max(first, searchLeastMaximum(costs.drop_front(i),
                                                          partCount - 1)));
  }
  return best;
}

TEST(StageCutTest, EqualCostsDifferByAtMostOne) {
  for (int64_t parts = 1; parts <= 7; ++parts) {
    std::vector<int64_t> costs(7, 10);

    std::vector<int64_t> sums =
        addParts(costs, cutBalanced(costs, parts), parts);

    auto [least, most] = std::minmax_element(sums.begin(), sums.end());
    EXPECT_LE(*most - *least, 10) << parts << " parts";
    EXPECT_GT(*least, 0) << parts << " parts";
  }
}

TEST(StageCutTest, FreeLayersCountAsOneEach) {
  std::vector<int64_t> costs(5, 0);

  EXPECT_EQ(cutBalanced(costs, 2), (SmallVector<int64_t>{0, 0, 1, 1, 1}));
}

TEST(StageCutTest, PartsAreInOrder) {
  std::vector<int64_t> costs{3, 1, 4, 1, 5, 9, 2, 6};

  SmallVector<int64_t> parts = cutBalanced(costs, 4);

  EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end()));
  EXPECT_EQ(parts.front(), 0);
  EXPECT_EQ(parts.back(), 3);
}

TEST(StageCutTest, DearestPartIsAsCheapAsInAnyCut) {
  uint32_t state = 12345;
  for (int round = 0; round < 50; ++round) {
    std::vector<int64_t> costs;
    for (int i = 0; i < 9; ++i) {
      state = state * 1664525 + 1013904223;
      costs.push_back(1 + state % 97);
    }
    for (int64_t parts : {2, 3, 5}) {
      std::vector<int64_t> sums =
          addParts(costs, cutBalanced(costs, parts), parts);

      EXPECT_EQ(*std::max_element(sums.begin(), sums.end()),
                searchLeastMaximum(costs, parts));
    }
  }
}

} // namespace
} // namespace mlir::dtc
