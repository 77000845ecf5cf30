//===- ContentHash.h - One number for a whole program ---------------------===//
//
// All ranks compare it before the first collective. XXH3-128 over the bytes
// with the hash's own two fields taken as zero. The emitter writes it by the
// same rule: docs/program.md.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_PROGRAM_CONTENTHASH_H
#define DTC_RUNTIME_PROGRAM_CONTENTHASH_H

#include <cstdint>
#include <vector>

namespace dtc::rt {

struct ContentHash {
  uint64_t low = 0;
  uint64_t high = 0;
};

/// Hash of a size-prefixed program. `bytes` is a verified buffer.
ContentHash hashProgram(const std::vector<uint8_t> &bytes);

} // namespace dtc::rt

#endif // DTC_RUNTIME_PROGRAM_CONTENTHASH_H
