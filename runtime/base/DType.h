//===- DType.h - Element types and their conversions ----------------------===//
//
// bf16 and f16 have no C++ type here: they live as 16 bits in memory and are
// widened to f32 to compute. Rounding is to nearest, ties to even, everywhere;
// a second rounding on the way from f64 is avoided, since two backends that
// round once and twice differ in the last bit of an initial weight.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_BASE_DTYPE_H
#define DTC_RUNTIME_BASE_DTYPE_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <iosfwd>
#include <optional>
#include <string_view>

namespace dtc::rt {

/// Element type of a buffer.
enum class DType : uint8_t { kI32, kI64, kF32, kF64, kBF16, kF16 };

/// Returns the size of one element in bytes.
constexpr int64_t byteSize(DType dtype) {
  switch (dtype) {
  case DType::kI64:
  case DType::kF64:
    return 8;
  case DType::kI32:
  case DType::kF32:
    return 4;
  case DType::kBF16:
  case DType::kF16:
    return 2;
  }
  return 0;
}

/// Tells floating-point types from integers.
constexpr bool isFloat(DType dtype) {
  return dtype != DType::kI32 && dtype != DType::kI64;
}

/// Returns the name used in models, programs and messages: i32, bf16, ...
const char *name(DType dtype);

/// Finds the type of that name; none if there is no such type.
std::optional<DType> parseDType(std::string_view text);

/// Prints the name.
std::ostream &operator<<(std::ostream &stream, DType dtype);

/// Widens a bf16; exact.
inline float floatFromBf16(uint16_t bits) {
  uint32_t wide = static_cast<uint32_t>(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof(value));
  return value;
}

/// Rounds to bf16, to nearest even; a NaN stays a quiet NaN.
inline uint16_t bf16FromFloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  uint32_t quiet = (bits >> 16) | 0x40;
  return static_cast<uint16_t>((bits & 0x7fffffff) > 0x7f800000 ? quiet
                                                                : rounded);
}

/// Widens an f16; exact.
float floatFromF16(uint16_t bits);

/// Rounds to f16, to nearest even; overflow gives infinity.
uint16_t f16FromFloat(float value);

/// Narrows so that a further rounding to bf16 or f16 equals one rounding of
/// `value`: the last bit is set when anything was cut off ("round to odd").
float roundToOdd(double value);

/// Stores `value` as `dtype`, rounded once. Integers are rounded to nearest
/// even and clamped to their range; a NaN becomes 0 there.
void storeElement(void *destination, DType dtype, double value);

/// Loads one element; i64 beyond 2^53 is rounded.
double loadElement(const void *source, DType dtype);

} // namespace dtc::rt

#endif // DTC_RUNTIME_BASE_DTYPE_H
