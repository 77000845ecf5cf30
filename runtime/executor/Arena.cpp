//===- Arena.cpp - One block of memory for all of a rank's values
//----------===//
//
// Mapped from the system, so that it is page-aligned, zero, and given back.
//
//===----------------------------------------------------------------------===//

#include "runtime/executor/Arena.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <sys/mman.h>

namespace dtc::rt {

void Arena::Release::operator()(std::byte *memory) const {
  munmap(memory, static_cast<size_t>(bytes));
}

Result<Arena> Arena::allocate(int64_t bytes) {
  // A mapping of no bytes is refused by the system.
  int64_t mapped = std::max<int64_t>(bytes, 1);
  void *memory =
      mmap(nullptr, static_cast<size_t>(mapped), PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return Status::outOfMemory()
           << "an arena of " << bytes << " bytes: " << std::strerror(errno);
  Arena arena;
  arena.memory = {static_cast<std::byte *>(memory), Release{mapped}};
  arena.bytes = bytes;
  return arena;
}

} // namespace dtc::rt
