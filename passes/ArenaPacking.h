//===- ArenaPacking.h - Offsets for blocks with lifetimes ------*- C++ -*-===//
//
// The packing behind dtc-plan-memory, apart from the IR.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_ARENAPACKING_H
#define DTC_PASSES_ARENAPACKING_H

#include "mlir/Support/LLVM.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace mlir::dtc {

/// Each block starts at a multiple of this many bytes.
inline constexpr int64_t kBlockAlignment = 64;
/// The arena's bytes are a multiple of this.
inline constexpr int64_t kArenaAlignment = 256;

/// Bytes that are live from tick `begin` to tick `end`, both included.
struct MemoryBlock {
  int64_t bytes = 0;
  int64_t begin = 0;
  int64_t end = 0;
  int64_t offset = 0; ///< set by packing

  bool meets(const MemoryBlock &other) const {
    return begin <= other.end && other.begin <= end;
  }
};

/// What a packing came to.
struct ArenaSize {
  int64_t arenaBytes = 0;
  /// No packing of the same blocks is smaller: the most that is live at once,
  /// each block rounded up to the alignment.
  int64_t lowerBoundBytes = 0;
  /// The most that is live at once, without rounding, and when.
  int64_t peakLiveBytes = 0;
  int64_t peakTick = 0;
};

/// Sets the offsets, so that blocks that meet in time do not overlap.
///
/// Several orders are tried (by size, by size times lifetime, by lifetime, by
/// start), each block into the lowest gap that fits or into the tightest; the
/// smallest arena is kept. Where it misses the bound, the best order is improved
/// by placing what reaches highest earlier. Ends early at the bound.
ArenaSize packArena(MutableArrayRef<MemoryBlock> blocks);

/// `bytes` up to the next multiple of `alignment`.
inline int64_t alignBytes(int64_t bytes, int64_t alignment = kBlockAlignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

} // namespace mlir::dtc

#endif // DTC_PASSES_ARENAPACKING_H
