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

// The blocks of a narrow MLP under dp 2, tp 3 and two micro-batches, which no
// order by lifetime, size, start or end alone packs without a gap.
TEST(ArenaPackingTest, BlocksThatMeetAtThePeakFillTheArena) {
  std::vector<MemoryBlock> blocks{
      {2548, 0, 224},   {2548, 0, 224},   {2548, 0, 224},  {52, 0, 224},
      {52, 0, 224},     {52, 0, 224},     {1196, 0, 224},  {1196, 0, 224},
      {1196, 0, 224},   {92, 0, 224},     {92, 0, 224},    {92, 0, 224},
      {368, 0, 224},    {368, 0, 224},    {368, 0, 224},   {16, 0, 224},
      {16, 0, 224},     {16, 0, 224},     {4, 0, 224},     {4, 0, 224},
      {4, 0, 224},      {4704, 0, 79},    {96, 1, 79},     {92, 3, 79},
      {8, 7, 111},      {4, 9, 89},       {16, 10, 160},   {368, 11, 154},
      {92, 12, 148},    {1196, 13, 142},  {52, 14, 136},   {2548, 15, 130},
      {624, 16, 79},    {624, 16, 79},    {1104, 16, 79},  {192, 16, 79},
      {48, 16, 79},     {48, 16, 79},     {8, 6, 7},       {624, 24, 25},
      {1104, 28, 32},   {192, 34, 35},    {48, 37, 38},    {48, 40, 41},
      {48, 45, 48},     {4, 48, 49},      {16, 62, 63},    {1104, 64, 69},
      {368, 67, 68},    {1104, 69, 73},   {92, 69, 70},    {624, 71, 76},
      {1196, 73, 74},   {624, 76, 78},    {52, 76, 77},    {2548, 78, 79},
      {4, 105, 114},    {4, 106, 114},    {4, 107, 114},   {4, 108, 114},
      {4, 109, 114},    {4, 110, 114},    {4, 111, 114},   {4, 114, 168},
      {4, 116, 126},    {4, 117, 123},    {4, 118, 123},   {4, 119, 123},
      {4, 120, 123},    {4, 121, 123},    {4, 125, 164},   {4, 126, 160},
      {4, 127, 166},    {4, 168, 169},    {4, 168, 172},   {4, 168, 171},
      {4704, 174, 214}, {96, 175, 214},   {92, 177, 214},  {8, 181, 221},
      {4, 183, 219},    {8, 184, 222},    {8, 180, 181},   {624, 193, 194},
      {624, 194, 195},  {1104, 195, 200}, {192, 200, 208}, {48, 202, 213},
      {48, 204, 211},   {48, 208, 213},   {4, 211, 212},   {8, 213, 214}};

  ArenaSize size = packArena(blocks);

  EXPECT_EQ(size.lowerBoundBytes, 28928);
  EXPECT_EQ(size.arenaBytes, size.lowerBoundBytes);
  for (size_t i = 0; i < blocks.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      EXPECT_FALSE(overlap(blocks[i], blocks[j]));
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
