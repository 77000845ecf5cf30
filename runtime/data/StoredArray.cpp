//===- StoredArray.cpp - An array as it lies in a file --------------------===//
//
// Conversion runs over chunks on the stack: a step reads samples without
// allocating. Thirteen stored types times six results are two templates.
//
//===----------------------------------------------------------------------===//

#include "runtime/data/StoredArray.h"

#include <algorithm>
#include <limits>
#include <ostream>
#include <type_traits>

namespace dtc::rt {

int64_t byteSize(StoredType type) {
  switch (type) {
  case StoredType::kBool:
  case StoredType::kU8:
  case StoredType::kI8:
    return 1;
  case StoredType::kU16:
  case StoredType::kI16:
  case StoredType::kF16:
  case StoredType::kBF16:
    return 2;
  case StoredType::kU32:
  case StoredType::kI32:
  case StoredType::kF32:
    return 4;
  case StoredType::kU64:
  case StoredType::kI64:
  case StoredType::kF64:
    return 8;
  }
  return 0;
}

bool isFloat(StoredType type) {
  return type == StoredType::kF16 || type == StoredType::kBF16 ||
         type == StoredType::kF32 || type == StoredType::kF64;
}

const char *name(StoredType type) {
  static constexpr const char *kNames[] = {"bool", "u8",  "i8",  "u16", "i16",
                                           "u32",  "i32", "u64", "i64", "f16",
                                           "bf16", "f32", "f64"};
  return kNames[static_cast<int>(type)];
}

std::ostream &operator<<(std::ostream &stream, StoredType type) {
  return stream << name(type);
}

std::string shapeText(const std::vector<int64_t> &shape) {
  if (shape.empty())
    return "()";
  std::string text;
  for (int64_t size : shape)
    text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

std::optional<int64_t> elementProduct(const std::vector<int64_t> &shape) {
  int64_t product = 1;
  bool isZero = false;
  for (int64_t size : shape) {
    if (size < 0)
      return std::nullopt;
    isZero |= size == 0;
  }
  if (isZero)
    return 0;
  for (int64_t size : shape)
    if (__builtin_mul_overflow(product, size, &product))
      return std::nullopt;
  return product;
}

static constexpr int64_t kChunkBytes = 16384;

namespace {

struct Conversion {
  const StoredArray &array;
  /// Index of the first element, for messages.
  int64_t first;
  int64_t elementCount;
  double scale;
  double shift;
};

// bf16 and f16 share a representation, so each is a type of its own here.
struct Half {
  uint16_t bits;
};
struct Brain {
  uint16_t bits;
};

} // namespace

template <typename T>
static T loadStored(const unsigned char *bytes, bool isSwapped) {
  unsigned char local[sizeof(T)];
  std::memcpy(local, bytes, sizeof(T));
  if (isSwapped)
    std::reverse(local, local + sizeof(T));
  T value;
  std::memcpy(&value, local, sizeof(T));
  return value;
}

template <typename T>
static double widen(T value) {
  if constexpr (std::is_same_v<T, Half>)
    return floatFromF16(value.bits);
  else if constexpr (std::is_same_v<T, Brain>)
    return floatFromBf16(value.bits);
  else
    return static_cast<double>(value);
}

template <typename T>
static void convertToFloats(const Conversion &job, const unsigned char *bytes,
                            DType dtype, unsigned char *destination) {
  int64_t resultBytes = byteSize(dtype);
  for (int64_t i = 0; i < job.elementCount; ++i) {
    T value = loadStored<T>(bytes + i * sizeof(T), job.array.isSwapped);
    double scaled = widen(value) * job.scale + job.shift;
    if (dtype == DType::kF32) {
      float narrow = static_cast<float>(scaled);
      std::memcpy(destination + i * sizeof(narrow), &narrow, sizeof(narrow));
    } else {
      storeElement(destination + i * resultBytes, dtype, scaled);
    }
  }
}

template <typename T, typename Integer>
static Status convertToIntegers(const Conversion &job,
                                const unsigned char *bytes,
                                unsigned char *destination) {
  constexpr int64_t kLow = std::numeric_limits<Integer>::min();
  constexpr int64_t kHigh = std::numeric_limits<Integer>::max();
  for (int64_t i = 0; i < job.elementCount; ++i) {
    T value = loadStored<T>(bytes + i * sizeof(T), job.array.isSwapped);
    bool fits;
    if constexpr (std::is_signed_v<T>)
      fits = value >= kLow && value <= kHigh;
    else
      fits = value <= static_cast<uint64_t>(kHigh);
    if (!fits)
      return Status::invalidArgument(ErrorCode::kDataValueRange)
             << job.array.source->name() << ": element " << job.first + i
             << " is " << +value << ", expected " << kLow << " to " << kHigh;
    auto stored = static_cast<Integer>(value);
    std::memcpy(destination + i * sizeof(stored), &stored, sizeof(stored));
  }
  return Status::ok();
}

template <typename T>
static Status convert(const Conversion &job, const unsigned char *bytes,
                      DType dtype, unsigned char *destination) {
  if (isFloat(dtype)) {
    convertToFloats<T>(job, bytes, dtype, destination);
    return Status::ok();
  }
  if constexpr (std::is_integral_v<T>)
    return dtype == DType::kI32
               ? convertToIntegers<T, int32_t>(job, bytes, destination)
               : convertToIntegers<T, int64_t>(job, bytes, destination);
  return Status::internal() << "floats were checked before";
}

static Status convertStored(const Conversion &job, const unsigned char *bytes,
                            DType dtype, unsigned char *destination) {
  switch (job.array.type) {
  case StoredType::kBool: // Any other byte than 0 is true, as in numpy.
  case StoredType::kU8:
    return convert<uint8_t>(job, bytes, dtype, destination);
  case StoredType::kI8:
    return convert<int8_t>(job, bytes, dtype, destination);
  case StoredType::kU16:
    return convert<uint16_t>(job, bytes, dtype, destination);
  case StoredType::kI16:
    return convert<int16_t>(job, bytes, dtype, destination);
  case StoredType::kU32:
    return convert<uint32_t>(job, bytes, dtype, destination);
  case StoredType::kI32:
    return convert<int32_t>(job, bytes, dtype, destination);
  case StoredType::kU64:
    return convert<uint64_t>(job, bytes, dtype, destination);
  case StoredType::kI64:
    return convert<int64_t>(job, bytes, dtype, destination);
  case StoredType::kF16:
    return convert<Half>(job, bytes, dtype, destination);
  case StoredType::kBF16:
    return convert<Brain>(job, bytes, dtype, destination);
  case StoredType::kF32:
    return convert<float>(job, bytes, dtype, destination);
  case StoredType::kF64:
    return convert<double>(job, bytes, dtype, destination);
  }
  return Status::internal() << "unknown stored type";
}

Status StoredArray::read(int64_t first, int64_t elementCount, DType dtype,
                         void *destination, double scale, double shift) const {
  if (!rt::isFloat(dtype)) {
    if (rt::isFloat(type))
      return Status::invalidArgument(ErrorCode::kDataFileUnsupported)
             << source->name() << ": holds " << type << ", asked for as "
             << dtype << "; store integers";
    if (scale != 1 || shift != 0)
      return Status::invalidArgument()
             << source->name() << ": scale " << scale << " and shift " << shift
             << " of " << dtype << ", expected 1 and 0 for integers";
  }
  if (first < 0 || elementCount < 0 || first > this->elementCount() ||
      elementCount > this->elementCount() - first)
    return Status::invalidArgument()
           << source->name() << ": elements " << first << " to "
           << first + elementCount << " asked for, it holds "
           << this->elementCount();

  int64_t storedBytes = rt::byteSize(type);
  int64_t chunkElements = kChunkBytes / storedBytes;
  unsigned char chunk[kChunkBytes];
  auto *target = static_cast<unsigned char *>(destination);
  for (int64_t done = 0; done < elementCount; done += chunkElements) {
    int64_t elements = std::min(chunkElements, elementCount - done);
    DTC_RETURN_IF_ERROR(source->read(byteOffset + (first + done) * storedBytes,
                                     chunk, elements * storedBytes));
    if (type == StoredType::kBool)
      for (int64_t i = 0; i < elements; ++i)
        chunk[i] = chunk[i] != 0;
    DTC_RETURN_IF_ERROR(
        convertStored({*this, first + done, elements, scale, shift}, chunk,
                      dtype, target + done * rt::byteSize(dtype)));
  }
  return Status::ok();
}

} // namespace dtc::rt
