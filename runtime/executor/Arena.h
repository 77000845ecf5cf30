//===- Arena.h - One block of memory for all of a rank's values
//------------===//
//
// The compiler decided every offset, so a rank asks for memory once.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_EXECUTOR_ARENA_H
#define DTC_RUNTIME_EXECUTOR_ARENA_H

#include "runtime/base/Status.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace dtc::rt {

/// Zeroed, page-aligned memory.
class Arena {
public:
  /// Errors:  kOutOfMemory with the bytes asked for.
  static Result<Arena> allocate(int64_t bytes);

  std::byte *data() const { return memory.get(); }
  int64_t byteSize() const { return bytes; }

private:
  struct Release {
    Release() : bytes(0) {}
    explicit Release(int64_t bytes) : bytes(bytes) {}
    int64_t bytes;
    void operator()(std::byte *memory) const;
  };
  std::unique_ptr<std::byte, Release> memory;
  int64_t bytes = 0;
};

} // namespace dtc::rt

#endif // DTC_RUNTIME_EXECUTOR_ARENA_H
