//===- ArenaPackingTest.cpp - Offsets for blocks with lifetimes -----------===//
//
// No overlap in bytes and time, the bound is one, and easy cases reach it.
//
//===----------------------------------------------------------------------===//

#include "passes/ArenaPacking.h"

#include "gtest/gtest.h"

#include <vector>

namespace mlir::dtc {
namespace {

bool overlap(const MemoryBlock &a, const MemoryBlock &b) {
  return a.meets(b) && a.offset < b.offset + b.bytes &&
         b.offset < a.offset + a.bytes;
}

TEST(ArenaPackingTest, BlocksThatFollowEachOtherShareBytes) {
  std::vector<MemoryBlock> blocks{{100, 0, 1}, {80, 2, 3}, {128, 4, 5}};

  ArenaSize size = packArena(blocks);

  EXPECT_EQ(size.arenaBytes, 256); // 128, up to the arena's alignment
  EXPECT_EQ(size.lowerBoundBytes, 256);
  EXPECT_EQ(size.peakLiveBytes, 128);
  EXPECT_EQ(size.peakTick, 4);
}

TEST(ArenaPackingTest, BlocksThatMeetInOneTickDoNotShare) {
  std::vector<MemoryBlock> blocks{{64, 0, 2}, {64, 2, 4}};

  packArena(blocks);

  EXPECT_FALSE(overlap(blocks[0], blocks[1]));
}

TEST(ArenaPackingTest, NothingIsAnEmptyArena) {
  ArenaSize size = packArena({});

  EXPECT_EQ(size.arenaBytes, 0);
  EXPECT_EQ(size.lowerBoundBytes, 0);
}

TEST(ArenaPackingTest, RandomBlocksNeverOverlapAndStayNearTheBound) {
  uint32_t state = 7;
  auto draw = [&](uint32_t limit) {
    state = state * 1664525 + 1013904223;
    return static_cast<int64_t>((state >> 8) % limit);
  };
  for (int round = 0; round < 40; ++round) {
    std::vector<MemoryBlock> blocks;
    for (int i = 0; i < 60; ++i) {
      int64_t begin = draw(100);
      blocks.push_back({1 + draw(5000), begin, begin + draw(30)});
    }

    ArenaSize size = packArena(blocks);

    for (size_t i = 0; i < blocks.size(); ++i) {
      EXPECT_EQ(blocks[i].offset % kBlockAlignment, 0);
      EXPECT_LE(blocks[i].offset + blocks[i].bytes, size.arenaBytes);
      for (size_t j = 0; j < i; ++j)
        EXPECT_FALSE(overlap(blocks[i], blocks[j]));
    }
    EXPECT_GE(size.arenaBytes, size.lowerBoundBytes);
    EXPECT_LE(size.arenaBytes, size.lowerBoundBytes * 5 / 4);
  }
}

} // namespace
} // namespace mlir::dtc
