//===- StoredArray.h - An array as it lies in a file ----------------------===//
//
// All formats end here: a type, a byte order, a shape and an offset. Values are
// converted while they are read, so no second copy of a data set is made.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_DATA_STOREDARRAY_H
#define DTC_RUNTIME_DATA_STOREDARRAY_H

#include "runtime/base/DType.h"
#include "runtime/data/ByteSource.h"

namespace dtc::rt {

/// Element types of data files; more than programs compute with.
enum class StoredType : uint8_t {
  kBool,
  kU8,
  kI8,
  kU16,
  kI16,
  kU32,
  kI32,
  kU64,
  kI64,
  kF16,
  kBF16,
  kF32,
  kF64
};

/// Returns the size of one element in bytes.
int64_t byteSize(StoredType type);
/// Tells floating-point types from integers and booleans.
bool isFloat(StoredType type);
/// Returns the name used in messages: u8, f32, ...
const char *name(StoredType type);
/// Prints the name.
std::ostream &operator<<(std::ostream &stream, StoredType type);

/// Prints a shape as 60000x28x28, that of a scalar as ().
std::string shapeText(const std::vector<int64_t> &shape);

/// Multiplies the sizes; none if a size is negative or the product does not
/// fit 63 bits.
std::optional<int64_t> elementProduct(const std::vector<int64_t> &shape);

/// An array in a file, row-major, checked to lie inside it.
struct StoredArray {
  std::shared_ptr<const ByteSource> source;
  int64_t byteOffset = 0;
  StoredType type = StoredType::kU8;
  /// True if the file's byte order is not the machine's.
  bool isSwapped = false;
  std::vector<int64_t> shape;

  int64_t elementCount() const { return *elementProduct(shape); }

  /// Reads elements [first, first + elementCount) as `dtype`, f32, f64, i32,
  /// i64, bf16 or f16. Floating-point results are value · scale + shift,
  /// computed in f64 and rounded once.
  ///
  /// Errors:  kInvalidArgument with the file and the element if an integer
  ///          does not fit, if a float is asked for as an integer, or if an
  ///          integer is to be scaled; those of ByteSource::read.
  Status read(int64_t first, int64_t elementCount, DType dtype,
              void *destination, double scale = 1, double shift = 0) const;
};

} // namespace dtc::rt

#endif // DTC_RUNTIME_DATA_STOREDARRAY_H
