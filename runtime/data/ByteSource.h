//===- ByteSource.h - Bytes that a reader may not trust -------------------===//
//
// Data files are read by position and never mapped: a file that shrinks while
// it is read is then an error and not a signal. Memory serves as a source too,
// for what was inflated and for tests.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_DATA_BYTESOURCE_H
#define DTC_RUNTIME_DATA_BYTESOURCE_H

#include "runtime/base/Status.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace dtc::rt {

/// A run of bytes of known length with a name for messages. Safe to read from
/// several threads.
class ByteSource {
public:
  virtual ~ByteSource() = default;

  /// The file's path, as the user gave it.
  const std::string &name() const { return sourceName; }
  int64_t byteSize() const { return size; }

  /// Copies bytes [offset, offset + byteCount).
  ///
  /// Errors:  kInvalidArgument with name and offset if that is not inside, if
  ///          the file shrank, or if the system refuses.
  Status read(int64_t offset, void *destination, int64_t byteCount) const;

protected:
  ByteSource(std::string name, int64_t byteSize)
      : sourceName(std::move(name)), size(byteSize) {}

  /// Does the reading; the range is inside what the size was.
  virtual Status readInside(int64_t offset, void *destination,
                            int64_t byteCount) const = 0;

private:
  std::string sourceName;
  int64_t size;
};

/// Opens a file for reading by position.
///
/// Errors:  kInvalidArgument (DTC-FILE-UNREADABLE) with the path and the
///          system's words; a folder is refused as such.
Result<std::shared_ptr<const ByteSource>> openFile(const std::string &path);

/// Makes a source of bytes in memory.
std::shared_ptr<const ByteSource> makeMemorySource(std::string name,
                                                   std::vector<uint8_t> bytes);

/// Starts the error of a damaged file: `name: byte offset: `.
Status damagedAt(const ByteSource &source, int64_t offset);

} // namespace dtc::rt

#endif // DTC_RUNTIME_DATA_BYTESOURCE_H
