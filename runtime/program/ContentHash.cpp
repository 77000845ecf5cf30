//===- ContentHash.cpp - One number for a whole program -------------------===//
//
// The two fields are skipped by their addresses, so nothing is copied.
//
//===----------------------------------------------------------------------===//

#include "runtime/program/ContentHash.h"

#include "runtime/schema/program_generated.h"

#include <algorithm>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace dtc::rt {

ContentHash hashProgram(const std::vector<uint8_t> &bytes) {
  const auto *root = reinterpret_cast<const flatbuffers::Table *>(
      program::GetSizePrefixedProgram(bytes.data()));
  const uint8_t *fields[2] = {
      root->GetAddressOf(program::Program::VT_CONTENT_HASH_LOW),
      root->GetAddressOf(program::Program::VT_CONTENT_HASH_HIGH)};
  std::sort(fields, fields + 2);
  constexpr uint8_t kZero[8] = {};

  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  const uint8_t *at = bytes.data();
  for (const uint8_t *field : fields) {
    if (!field) // Absent: a default of zero.
      continue;
    XXH3_128bits_update(&state, at, static_cast<size_t>(field - at));
    XXH3_128bits_update(&state, kZero, sizeof(kZero));
    at = field + sizeof(kZero);
  }
  XXH3_128bits_update(&state, at,
                      static_cast<size_t>(bytes.data() + bytes.size() - at));
  XXH128_hash_t hash = XXH3_128bits_digest(&state);
  return {hash.low64, hash.high64};
}

} // namespace dtc::rt
