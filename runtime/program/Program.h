//===- Program.h - A compiled program, loaded and believed ----------------===//
//
// Bytes come from outside. After load() every offset, id, enum and size that
// the executor uses has been looked at once, so the step itself checks nothing.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_PROGRAM_PROGRAM_H
#define DTC_RUNTIME_PROGRAM_PROGRAM_H

#include "runtime/base/DType.h"
#include "runtime/base/Status.h"
#include "runtime/schema/program_generated.h"

#include <memory>
#include <string>
#include <vector>

namespace dtc::rt {

/// Version of the schema that this runtime reads.
inline constexpr uint32_t kFormatMajor = 1;
inline constexpr uint32_t kFormatMinor = 0;

/// A program and the bytes it lies in.
class Program {
public:
  /// Reads a file. Errors start with its path.
  static Result<std::unique_ptr<Program>> read(const std::string &path);

  /// Takes the bytes of a size-prefixed program.
  ///
  /// Errors:  kInvalidProgram with what was expected and found: length,
  ///          identifier, version, content hash, an id out of range.
  static Result<std::unique_ptr<Program>> load(std::vector<uint8_t> bytes);

  const program::Program &table() const { return *root; }
  const program::Program *operator->() const { return root; }
  const std::vector<uint8_t> &data() const { return bytes; }

  /// The content hash as 32 hexadecimal digits.
  std::string hashText() const;

private:
  std::vector<uint8_t> bytes;
  const program::Program *root = nullptr;
};

/// Element type of a schema enum; programs are checked before.
DType toDType(program::DType dtype);

/// Elements of a value's padded local shape.
int64_t localElementCount(const program::Value &value);

} // namespace dtc::rt

#endif // DTC_RUNTIME_PROGRAM_PROGRAM_H
