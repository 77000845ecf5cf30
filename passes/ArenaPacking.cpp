//===- ArenaPacking.cpp - Offsets for blocks with lifetimes ---------------===//
//
// Packing blocks with fixed lifetimes into the least memory is NP-hard, but the
// blocks of a training step are kind: most are live through the whole loop.
// Placing in a good order reaches the lower bound nearly always, so a few
// orders are tried and the bound says how good the result is.
//
//===----------------------------------------------------------------------===//

#include "passes/ArenaPacking.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

namespace mlir::dtc {
namespace {

/// The most bytes live at once, and the first tick at which they are.
std::pair<int64_t, int64_t> findPeak(ArrayRef<MemoryBlock> blocks,
                                     bool aligned) {
  std::map<int64_t, int64_t> changes;
  for (const MemoryBlock &block : blocks) {
    int64_t bytes = aligned ? alignBytes(block.bytes) : block.bytes;
    changes[block.begin] += bytes;
    changes[block.end + 1] -= bytes;
  }
  int64_t live = 0, peak = 0, peakTick = 0;
  for (auto [tick, change] : changes) {
    live += change;
    if (live > peak) {
      peak = live;
      peakTick = tick;
    }
  }
  return {peak, peakTick};
}

/// Offset for `block` between those that are placed and meet it: the lowest gap
/// that fits or the tightest one, else above all.
int64_t findOffset(const MemoryBlock &block,
                   ArrayRef<const MemoryBlock *> placed, bool tightest) {
  int64_t needed = alignBytes(block.bytes);
  int64_t top = 0, bestOffset = -1, bestGap = 0;
  for (const MemoryBlock *other : placed) { // by offset
    if (!other->meets(block))
      continue;
    int64_t gap = other->offset - top;
    if (gap >= needed && (bestOffset < 0 || gap < bestGap)) {
      bestOffset = top;
      bestGap = gap;
      if (!tightest)
        return bestOffset;
    }
    top = std::max(top, other->offset + alignBytes(other->bytes));
  }
  return bestOffset < 0 ? top : bestOffset;
}

/// Places the blocks in `order` and returns the bytes used.
int64_t place(MutableArrayRef<MemoryBlock> blocks, ArrayRef<size_t> order,
              bool tightest) {
  SmallVector<const MemoryBlock *> placed;
  int64_t used = 0;
  for (size_t index : order) {
    MemoryBlock &block = blocks[index];
    block.offset = findOffset(block, placed, tightest);
    used = std::max(used, block.offset + alignBytes(block.bytes));
    auto above = llvm::upper_bound(
        placed, &block, [](const MemoryBlock *a, const MemoryBlock *b) {
          return a->offset < b->offset;
        });
    placed.insert(above, &block);
  }
  return used;
}

} // namespace

ArenaSize packArena(MutableArrayRef<MemoryBlock> blocks) {
  ArenaSize size;
  std::tie(size.peakLiveBytes, size.peakTick) = findPeak(blocks, false);
  int64_t bound = findPeak(blocks, true).first;
  size.lowerBoundBytes = alignBytes(bound, kArenaAlignment);

  auto life = [](const MemoryBlock &block) {
    return block.end - block.begin + 1;
  };
  using Key = std::function<std::pair<double, double>(const MemoryBlock &)>;
  const Key keys[] = {[&](const MemoryBlock &b) {
                        return std::pair<double, double>(life(b), b.bytes);
                      },
                      [](const MemoryBlock &b) {
                        return std::pair<double, double>(b.bytes, -b.begin);
                      },
                      [&](const MemoryBlock &b) {
                        return std::pair<double, double>(
                            double(b.bytes) * life(b), b.bytes);
                      },
                      [](const MemoryBlock &b) {
                        return std::pair<double, double>(-b.begin, b.bytes);
                      },
                      [](const MemoryBlock &b) {
                        return std::pair<double, double>(b.end, b.bytes);
                      }};

  int64_t best = -1;
  SmallVector<int64_t> offsets(blocks.size());
  for (const Key &key : keys)
    for (bool tightest : {false, true}) {
      if (best == bound)
        break;
      SmallVector<size_t> order(blocks.size());
      std::iota(order.begin(), order.end(), 0);
      llvm::sort(order, [&](size_t a, size_t b) {
        auto first = key(blocks[a]), second = key(blocks[b]);
        return first == second ? a < b : first > second;
      });
      int64_t used = place(blocks, order, tightest);
      if (best >= 0 && used >= best)
        continue;
      best = used;
      for (auto [offset, block] : llvm::zip_equal(offsets, blocks))
        offset = block.offset;
    }
  for (auto [offset, block] : llvm::zip_equal(offsets, blocks))
    block.offset = offset;
  size.arenaBytes = alignBytes(std::max<int64_t>(best, 0), kArenaAlignment);
  return size;
}

} // namespace mlir::dtc
