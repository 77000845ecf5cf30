//===- DType.cpp - Element types and their conversions --------------------===//
//
// The 16-bit conversions are written on the bits so that they are the same on
// every machine, with or without hardware support.
//
//===----------------------------------------------------------------------===//

#include "runtime/base/DType.h"

#include <limits>
#include <ostream>

namespace dtc::rt {

static constexpr DType kAllDTypes[] = {DType::kI32, DType::kI64,  DType::kF32,
                                       DType::kF64, DType::kBF16, DType::kF16};

const char *name(DType dtype) {
  switch (dtype) {
  case DType::kI32:
    return "i32";
  case DType::kI64:
    return "i64";
  case DType::kF32:
    return "f32";
  case DType::kF64:
    return "f64";
  case DType::kBF16:
    return "bf16";
  case DType::kF16:
    return "f16";
  }
  return "unknown";
}

std::optional<DType> parseDType(std::string_view text) {
  for (DType dtype : kAllDTypes)
    if (text == name(dtype))
      return dtype;
  return std::nullopt;
}

std::ostream &operator<<(std::ostream &stream, DType dtype) {
  return stream << name(dtype);
}

float floatFromF16(uint16_t bits) {
  uint32_t exponent = (bits >> 10) & 0x1f;
  uint32_t fraction = bits & 0x3ff;
  uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  uint32_t wide;
  if (exponent == 0) {
    // 0.5 + fraction * 2^-24 is exact, and so is taking the 0.5 away.
    wide = 0x3f000000 | fraction;
    float shifted;
    std::memcpy(&shifted, &wide, sizeof(shifted));
    shifted -= 0.5f;
    std::memcpy(&wide, &shifted, sizeof(wide));
  } else if (exponent == 0x1f) {
    wide = 0x7f800000 | fraction << 13;
  } else {
    wide = ((exponent + 112) << 23) | fraction << 13;
  }
  wide |= sign;
  float value;
  std::memcpy(&value, &wide, sizeof(value));
  return value;
}

uint16_t f16FromFloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  uint16_t sign = (bits >> 16) & 0x8000;
  bits &= 0x7fffffff;
  if (bits > 0x7f800000)
    return sign | 0x7e00;
  if (bits >= 0x477ff000) // 65520 and above round to infinity.
    return sign | 0x7c00;
  if (bits < 0x38800000) { // Below 2^-14 the result is a multiple of 2^-24.
    float magnitude;
    std::memcpy(&magnitude, &bits, sizeof(magnitude));
    // Adding 0.5 puts the unit 2^-24 on the last bit of the sum, whose own
    // rounding is to nearest even.
    float shifted = magnitude + 0.5f;
    uint32_t sum;
    std::memcpy(&sum, &shifted, sizeof(sum));
    return sign | static_cast<uint16_t>(sum - 0x3f000000);
  }
  uint32_t rounded = bits + 0xfff + ((bits >> 13) & 1);
  return sign | static_cast<uint16_t>((rounded - 0x38000000) >> 13);
}

float roundToOdd(double value) {
  float nearest = static_cast<float>(value);
  double back = nearest;
  if (back == value || std::isnan(value) || std::isinf(nearest))
    return nearest;
  // `nearest` is one of the two neighbours of `value`; take the odd one.
  uint32_t bits;
  std::memcpy(&bits, &nearest, sizeof(bits));
  if (bits & 1)
    return nearest;
  return std::nextafterf(
      nearest, back < value ? std::numeric_limits<float>::infinity()
                            : -std::numeric_limits<float>::infinity());
}

template <typename Integer>
static void storeInteger(void *destination, double value) {
  // Both bounds are powers of two, so they are exact as f64.
  constexpr double kLow =
      static_cast<double>(std::numeric_limits<Integer>::min());
  constexpr double kEnd = -kLow;
  Integer stored = 0;
  double rounded = std::nearbyint(value);
  if (rounded >= kEnd)
    stored = std::numeric_limits<Integer>::max();
  else if (rounded < kLow)
    stored = std::numeric_limits<Integer>::min();
  else if (!std::isnan(rounded))
    stored = static_cast<Integer>(rounded);
  std::memcpy(destination, &stored, sizeof(stored));
}

void storeElement(void *destination, DType dtype, double value) {
  switch (dtype) {
  case DType::kI32:
    return storeInteger<int32_t>(destination, value);
  case DType::kI64:
    return storeInteger<int64_t>(destination, value);
  case DType::kF64:
    std::memcpy(destination, &value, sizeof(value));
    return;
  case DType::kF32: {
    float narrow = static_cast<float>(value);
    std::memcpy(destination, &narrow, sizeof(narrow));
    return;
  }
  case DType::kBF16:
  case DType::kF16: {
    float odd = roundToOdd(value);
    uint16_t bits =
        dtype == DType::kBF16 ? bf16FromFloat(odd) : f16FromFloat(odd);
    std::memcpy(destination, &bits, sizeof(bits));
    return;
  }
  }
}

template <typename T>
static T loadAs(const void *source) {
  T value;
  std::memcpy(&value, source, sizeof(value));
  return value;
}

double loadElement(const void *source, DType dtype) {
  switch (dtype) {
  case DType::kI32:
    return loadAs<int32_t>(source);
  case DType::kI64:
    return static_cast<double>(loadAs<int64_t>(source));
  case DType::kF32:
    return loadAs<float>(source);
  case DType::kF64:
    return loadAs<double>(source);
  case DType::kBF16:
    return floatFromBf16(loadAs<uint16_t>(source));
  case DType::kF16:
    return floatFromF16(loadAs<uint16_t>(source));
  }
  return 0;
}

} // namespace dtc::rt
