//===- RandomKeyTest.cpp - Vectors of the frozen random key ---------------===//
//
// These numbers are those of runtime/docs/random-key.md, made by a model in
// another language. If one fails, the code is wrong and not the number.
//
//===----------------------------------------------------------------------===//

#include "runtime/base/RandomKey.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace dtc::rt {
namespace {

using Words4 = std::array<uint32_t, 4>;
using Words2 = std::array<uint32_t, 2>;

TEST(RandomKeyTest, PhiloxKnownAnswers) {
  constexpr uint32_t kOnes = 0xffffffff;

  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (Words4{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (Words4{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
}

TEST(RandomKeyTest, KeyOfSeedAndName) {
  EXPECT_EQ(RandomKey(0, "").words(), (Words2{0xfa77f14c, 0x5b21f68f}));
  EXPECT_EQ(RandomKey(0, "a").words(), (Words2{0xdb1b0d6e, 0x565e25cb}));
  EXPECT_EQ(RandomKey(7, "h.3.attn.qkv.weight").words(),
            (Words2{0x33be2a2a, 0x094a5c97}));
  EXPECT_EQ(RandomKey(1234567890123456789u, "层.0.dropout").words(),
            (Words2{0x7cee942c, 0x71448b05}));
}

struct Vector {
  uint64_t step, index;
  uint32_t word;
  double normal;
};

constexpr uint64_t kLastStep = ~uint64_t{0};

constexpr Vector kVectors[] = {
    {0, 0, 0x5c624cce, -0x1.890391afa3de5p-1},
    {0, 1, 0x57209a72, 0x1.342ed3fb0a496p+0},
    {0, 2, 0x35effaaa, -0x1.b094412defb21p+0},
    {0, 3, 0x74127149, 0x1.04c5f58e516a5p-1},
    {0, 4, 0x8d02c4d2, -0x1.c48d194a1f22cp-5},
    {0, 5, 0xbdf02964, -0x1.173837bcbabf6p+0},
    {0, (1ull << 34) + 2, 0xa999c0d8, 0x1.3fc15ec5c9d16p-2},
    {0, (1ull << 34) + 3, 0xce50156f, -0x1.b43d4c1376edap-1},
    {kLastStep, 0, 0xac73ac97, -0x1.5903386f783e4p-2},
    {kLastStep, 1, 0x4fd6efd7, 0x1.a52623952f5bbp-1},
    {kLastStep, 2, 0x2b9931ed, -0x1.a08a8a6fc4666p-4},
    {kLastStep, 3, 0xbdcbfcc0, -0x1.e0fa772aa9b78p+0},
    {kLastStep, 4, 0x0f58cefd, 0x1.27b25bb97190bp+1},
    {kLastStep, 5, 0xf6a3fcb0, -0x1.14960204f0bc1p-1},
};

TEST(RandomKeyTest, WordsAndNormalsBitForBit) {
  RandomKey key(7, "h.3.attn.qkv.weight");

  for (const Vector &vector : kVectors) {
    EXPECT_EQ(key.word(vector.step, vector.index), vector.word);
    EXPECT_EQ(key.normal(vector.step, vector.index), vector.normal);
  }
}

TEST(RandomKeyTest, UniformIsExactAndBelowOne) {
  EXPECT_EQ(uniformFromWord(0), 0.0f);
  EXPECT_EQ(uniformFromWord(0x5c624cce), 0.360874891f);
  EXPECT_EQ(uniformFromWord(0xffffffff), 1 - 0x1p-24f);
}

TEST(RandomKeyTest, DropoutMask) {
  RandomKey key(5, "drop");
  std::string kept;

  for (uint64_t i = 0; i < 32; ++i)
    kept += key.keeps(3, i, 0.5f) ? '1' : '0';

  EXPECT_EQ(kept, "00001111101000011000110101110010");
  EXPECT_TRUE(key.keeps(3, 0, 0.0f));
  EXPECT_FALSE(key.keeps(3, 0, 1.0f));
}

TEST(RandomKeyTest, FillEqualsSinglesFromAnyStart) {
  RandomKey key(1, "w");

  for (uint64_t start = 0; start < 5; ++start)
    for (int64_t count = 0; count < 11; ++count) {
      std::vector<double> filled(count + 1, 99);
      key.fillNormal(2, start, count, filled.data());
      for (int64_t i = 0; i < count; ++i)
        ASSERT_EQ(filled[i], key.normal(2, start + i));
      ASSERT_EQ(filled[count], 99);
    }
}

// The edges of the logarithm and of every eighth of the circle.
TEST(RandomKeyTest, NormalAgreesWithTheLibraryEverywhere) {
  for (uint32_t eighth = 0; eighth < 8; ++eighth)
    for (int32_t off : {-1, 0, 1, 12345}) {
      uint32_t angle = (eighth << 29) + static_cast<uint32_t>(off);
      for (uint32_t first : {0u, 1u, 0x7fffffffu, 0xb504f333u, 0xffffffffu}) {
        double radius = std::sqrt(-2 * std::log((first + 1.0) * 0x1p-32));
        double turn = 2 * M_PI * (angle * 0x1p-32);
        NormalPair pair = normalPair(first, angle);
        EXPECT_NEAR(pair.even, radius * std::cos(turn), 1e-14);
        EXPECT_NEAR(pair.odd, radius * std::sin(turn), 1e-14);
      }
    }
}

TEST(RandomKeyTest, NormalHasMeanZeroAndVarianceOne) {
  constexpr int64_t kCount = 100000;
  std::vector<double> values(kCount);
  RandomKey(11, "moments").fillNormal(0, 0, kCount, values.data());

  double sum = 0, squares = 0;
  for (double value : values) {
    sum += value;
    squares += value * value;
  }

  // Four deviations of each estimate.
  EXPECT_NEAR(sum / kCount, 0, 4 / std::sqrt(kCount));
  EXPECT_NEAR(squares / kCount, 1, 4 * std::sqrt(2.0 / kCount));
}

} // namespace
} // namespace dtc::rt
