//===- PhiloxTest.cpp - The page's vectors, for the interpreter -----------===//
//
// Numbers of runtime/docs/random-key.md. The runtime's own writing is held to
// the same ones.
//
//===----------------------------------------------------------------------===//

#include "ir/interpreter/Philox.h"

#include <gtest/gtest.h>

#include <string>

namespace mlir::dtc {
namespace {

using Words4 = std::array<uint32_t, 4>;
using Words2 = std::array<uint32_t, 2>;

TEST(PhiloxTest, GivesTheKnownAnswers) {
  constexpr uint32_t kOnes = ~0u;

  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
            (Words4{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (Words4{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
}

TEST(PhiloxTest, MakesKeysOfSeedAndName) {
  EXPECT_EQ(RandomStream(0, "").getKey(), (Words2{0xfa77f14c, 0x5b21f68f}));
  EXPECT_EQ(RandomStream(0, "a").getKey(), (Words2{0xdb1b0d6e, 0x565e25cb}));
  EXPECT_EQ(RandomStream(7, "h.3.attn.qkv.weight").getKey(),
            (Words2{0x33be2a2a, 0x094a5c97}));
  EXPECT_EQ(RandomStream(1234567890123456789u, "层.0.dropout").getKey(),
            (Words2{0x7cee942c, 0x71448b05}));
}

struct Vector {
  uint64_t step, index;
  uint32_t word;
  double normal;
};

constexpr uint64_t kLast = ~uint64_t{0};
constexpr Vector kVectors[] = {
    {0, 0, 0x5c624cce, -0x1.890391afa3de5p-1},
    {0, 1, 0x57209a72, 0x1.342ed3fb0a496p+0},
    {0, 2, 0x35effaaa, -0x1.b094412defb21p+0},
    {0, 3, 0x74127149, 0x1.04c5f58e516a5p-1},
    {0, 4, 0x8d02c4d2, -0x1.c48d194a1f22cp-5},
    {0, 5, 0xbdf02964, -0x1.173837bcbabf6p+0},
    {0, (1ull << 34) + 2, 0xa999c0d8, 0x1.3fc15ec5c9d16p-2},
    {0, (1ull << 34) + 3, 0xce50156f, -0x1.b43d4c1376edap-1},
    {kLast, 0, 0xac73ac97, -0x1.5903386f783e4p-2},
    {kLast, 1, 0x4fd6efd7, 0x1.a52623952f5bbp-1},
    {kLast, 2, 0x2b9931ed, -0x1.a08a8a6fc4666p-4},
    {kLast, 3, 0xbdcbfcc0, -0x1.e0fa772aa9b78p+0},
    {kLast, 4, 0x0f58cefd, 0x1.27b25bb97190bp+1},
    {kLast, 5, 0xf6a3fcb0, -0x1.14960204f0bc1p-1},
};

TEST(PhiloxTest, DrawsWordsAndNormalsBitForBit) {
  RandomStream stream(7, "h.3.attn.qkv.weight");

  for (const Vector &vector : kVectors) {
    EXPECT_EQ(stream.getWord(vector.step, vector.index), vector.word);
    EXPECT_EQ(stream.getNormal(vector.step, vector.index), vector.normal);
  }
}

TEST(PhiloxTest, DropsWhatThePageDrops) {
  RandomStream stream(5, "drop");
  std::string kept;

  for (uint64_t i = 0; i < 32; ++i)
    kept += stream.keeps(3, i, 0.5) ? '1' : '0';

  EXPECT_EQ(kept, "00001111101000011000110101110010");
}

} // namespace
} // namespace mlir::dtc
