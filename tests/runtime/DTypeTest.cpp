//===- DTypeTest.cpp - Element types and their conversions ----------------===//
//
// All 65536 patterns of the 16-bit types are walked; rounding is held at ties
// and just beside them.
//
//===----------------------------------------------------------------------===//

#include "runtime/base/DType.h"

#include <gtest/gtest.h>

#include <limits>

namespace dtc::rt {
namespace {

uint16_t stored16(DType dtype, double value) {
  uint16_t bits;
  storeElement(&bits, dtype, value);
  return bits;
}

TEST(DTypeTest, NamesRoundTrip) {
  for (DType dtype : {DType::kI32, DType::kI64, DType::kF32, DType::kF64,
                      DType::kBF16, DType::kF16})
    EXPECT_EQ(parseDType(name(dtype)), dtype);
  EXPECT_FALSE(parseDType("f8").has_value());
}

TEST(DTypeTest, EverySixteenBitPatternRoundTrips) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float half = floatFromF16(static_cast<uint16_t>(bits));
    float brain = floatFromBf16(static_cast<uint16_t>(bits));
    if (std::isnan(half))
      EXPECT_TRUE(std::isnan(floatFromF16(f16FromFloat(half))));
    else
      ASSERT_EQ(f16FromFloat(half), bits);
    if (std::isnan(brain))
      EXPECT_TRUE(std::isnan(floatFromBf16(bf16FromFloat(brain))));
    else
      ASSERT_EQ(bf16FromFloat(brain), bits);
  }
}

TEST(DTypeTest, F16KnownValues) {
  EXPECT_EQ(floatFromF16(0x3c00), 1.0f);
  EXPECT_EQ(floatFromF16(0x7bff), 65504.0f);
  EXPECT_EQ(floatFromF16(0x0001), 0x1p-24f);
  EXPECT_EQ(floatFromF16(0x8400), -0x1p-14f);
  EXPECT_EQ(f16FromFloat(65519.9f), 0x7bff);
  EXPECT_EQ(f16FromFloat(65520.0f), 0x7c00);
  EXPECT_EQ(f16FromFloat(-1e9f), 0xfc00);
}

// Between every two finite neighbours: the middle goes to the even one, any
// step off the middle to the nearer one.
TEST(DTypeTest, F16RoundsToNearestEven) {
  for (uint32_t low = 0; low < 0x7bff; ++low) {
    float below = floatFromF16(static_cast<uint16_t>(low));
    float above = floatFromF16(static_cast<uint16_t>(low + 1));
    float middle = (below + above) / 2;
    ASSERT_EQ(f16FromFloat(middle), low + (low & 1));
    ASSERT_EQ(f16FromFloat(std::nextafterf(middle, 0)), low);
    ASSERT_EQ(f16FromFloat(std::nextafterf(middle, 1e9f)), low + 1);
  }
}

TEST(DTypeTest, Bf16RoundsToNearestEven) {
  EXPECT_EQ(bf16FromFloat(1 + 0x1p-8f), 0x3f80);
  EXPECT_EQ(bf16FromFloat(1 + 0x3p-8f), 0x3f82);
  EXPECT_EQ(bf16FromFloat(std::nextafterf(1 + 0x1p-8f, 2)), 0x3f81);
  EXPECT_EQ(bf16FromFloat(std::numeric_limits<float>::max()), 0x7f80);
}

// 1 + 2^-8 + 2^-40 lies just above a tie of bf16, but rounds to the tie in
// f32: two roundings give 1, one gives the next number.
TEST(DTypeTest, StoresRoundOnce) {
  EXPECT_EQ(stored16(DType::kBF16, 1 + 0x1p-8 + 0x1p-40), 0x3f81);
  EXPECT_EQ(stored16(DType::kBF16, 1 + 0x3p-8 - 0x1p-40), 0x3f81);
  EXPECT_EQ(stored16(DType::kF16, 1 + 0x1p-11 + 0x1p-50), 0x3c01);
  EXPECT_EQ(stored16(DType::kF16, -(1 + 0x3p-11 - 0x1p-50)), 0xbc01);
  EXPECT_EQ(stored16(DType::kF16, 0x1p-25 + 0x1p-70), 0x0001);
}

TEST(DTypeTest, IntegersAreRoundedAndClamped) {
  auto store32 = [](double value) {
    int32_t stored;
    storeElement(&stored, DType::kI32, value);
    return stored;
  };

  EXPECT_EQ(store32(2.5), 2);
  EXPECT_EQ(store32(-3.5), -4);
  EXPECT_EQ(store32(3e9), std::numeric_limits<int32_t>::max());
  EXPECT_EQ(store32(-3e9), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(store32(std::nan("")), 0);
  int64_t wide;
  storeElement(&wide, DType::kI64, 1e30);
  EXPECT_EQ(wide, std::numeric_limits<int64_t>::max());
}

TEST(DTypeTest, LoadsWhatWasStored) {
  for (DType dtype : {DType::kI32, DType::kI64, DType::kF32, DType::kF64,
                      DType::kBF16, DType::kF16}) {
    unsigned char bytes[8];
    storeElement(bytes, dtype, -96);
    EXPECT_EQ(loadElement(bytes, dtype), -96) << dtype;
  }
}

} // namespace
} // namespace dtc::rt
