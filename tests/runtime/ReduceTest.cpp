//===- ReduceTest.cpp - Join the elements of several ranks ----------------===//
//
// What an order of sums does not show: 16-bit types, NaN, wrapping.
//
//===----------------------------------------------------------------------===//

#include "runtime/comm/Reduce.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace dtc::rt {
namespace {

TEST(ReduceTest, SixteenBitTypesAreSummedInF32) {
  // In bf16 each addend would vanish against 256.
  uint16_t large = bf16FromFloat(256), small = bf16FromFloat(1);
  const void *pointers[] = {&large, &small, &small, &small, &small};
  uint16_t sum;

  reduceElements({pointers, 5}, 0, &sum, 1, DType::kBF16, ReductionKind::kSum);

  EXPECT_EQ(floatFromBf16(sum), 260);
  uint16_t half = f16FromFloat(2048), one = f16FromFloat(1);
  const void *halves[] = {&half, &one, &one};
  reduceElements({halves, 3}, 0, &sum, 1, DType::kF16, ReductionKind::kSum);
  EXPECT_EQ(floatFromF16(sum), 2050);
}

TEST(ReduceTest, MaximumKeepsANan) {
  float a[] = {1, NAN, 3, -0.5f}, b[] = {NAN, 2, 4, -INFINITY};
  const void *pointers[] = {a, b};
  float out[4];

  reduceElements({pointers, 2}, 0, out, 4, DType::kF32, ReductionKind::kMax);

  EXPECT_TRUE(std::isnan(out[0]));
  EXPECT_TRUE(std::isnan(out[1]));
  EXPECT_EQ(out[2], 4);
  EXPECT_EQ(out[3], -0.5f);
}

TEST(ReduceTest, IntegersWrapAndCombine) {
  int64_t a[] = {std::numeric_limits<int64_t>::max(), 0b0101}, b[] = {1, 0b11};
  const void *pointers[] = {a, b};
  int64_t out[2];

  reduceElements({pointers, 2}, 0, out, 2, DType::kI64, ReductionKind::kSum);
  EXPECT_EQ(out[0], std::numeric_limits<int64_t>::min());
  reduceElements({pointers, 2}, 1, out, 1, DType::kI64, ReductionKind::kOr);
  EXPECT_EQ(out[0], 0b0111);
}

} // namespace
} // namespace dtc::rt
