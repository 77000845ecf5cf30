//===- ArenaPacking.cpp - Offsets for blocks with lifetimes ---------------===//
//
// Packing blocks with fixed lifetimes into the least memory is NP-hard, but the
// blocks of a training step are kind: most are live through the whole loop.
// Placing in a good order reaches the lower bound nearly always, so a few
// orders are tried, the best one is improved where it misses the bound, and the
// bound says how good the result is.
//
//===----------------------------------------------------------------------===//

#include "passes/ArenaPacking.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <random>

namespace mlir::dtc {
namespace {

/// Most orders tried beyond the known ones, and the work they may take, in
/// pairs of blocks, so that a large model compiles no slower for it.
constexpr int64_t kMostRepairs = 400;
constexpr int64_t kRepairWork = 20'000'000;

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

/// A packing and the order that it came from.
struct Packing {
  SmallVector<size_t> order;
  bool tightest = false;
  int64_t usedBytes = -1;
  SmallVector<int64_t> offsets;

  int64_t arenaBytes() const {
    return alignBytes(std::max<int64_t>(usedBytes, 0), kArenaAlignment);
  }
};

/// Packs in `order` and keeps the result in `best` where it is no larger.
/// Returns whether it was kept.
bool tryOrder(MutableArrayRef<MemoryBlock> blocks, ArrayRef<size_t> order,
              bool tightest, Packing &best) {
  int64_t used = place(blocks, order, tightest);
  if (best.usedBytes >= 0 && used > best.usedBytes)
    return false;
  best = {SmallVector<size_t>(order), tightest, used, {}};
  for (const MemoryBlock &block : blocks)
    best.offsets.push_back(block.offset);
  return true;
}

/// By lifetime, by size, by both, from the last to start, from the last to end;
/// then the same with those first that are live at the peak. These all meet, so
/// they fill the arena from below without a gap, and the others go between.
Packing packInKnownOrders(MutableArrayRef<MemoryBlock> blocks, int64_t peakTick,
                          int64_t goal) {
  using Key = std::array<double, 3>;
  auto life = [](const MemoryBlock &b) { return double(b.end - b.begin + 1); };
  auto makeKeys = [&](const MemoryBlock &b, double first) {
    auto bytes = double(b.bytes);
    return std::array<Key, 5>{
        Key{first, life(b), bytes}, Key{first, bytes, -double(b.begin)},
        Key{first, bytes * life(b), bytes}, Key{first, -double(b.begin), bytes},
        Key{first, double(b.end), bytes}};
  };
  Packing best;
  for (bool peakFirst : {false, true})
    for (size_t number = 0; number < 5; ++number) {
      SmallVector<Key> keys;
      for (const MemoryBlock &block : blocks) {
        bool first =
            peakFirst && block.begin <= peakTick && peakTick <= block.end;
        keys.push_back(makeKeys(block, first)[number]);
      }
      SmallVector<size_t> order(blocks.size());
      std::iota(order.begin(), order.end(), 0);
      llvm::sort(order, [&](size_t a, size_t b) {
        return keys[a] == keys[b] ? a < b : keys[a] > keys[b];
      });
      for (bool tightest : {false, true}) {
        tryOrder(blocks, order, tightest, best);
        if (best.arenaBytes() <= goal)
          return best;
      }
    }
  return best;
}

/// Looks for a better order: the block that reaches highest is placed earlier,
/// where it finds a lower gap, and what is no worse is kept. Draws are the same
/// in every compilation.
void improve(MutableArrayRef<MemoryBlock> blocks, int64_t goal, Packing &best) {
  auto count = static_cast<int64_t>(blocks.size());
  std::minstd_rand draw; // its sequence is the standard's
  int64_t rounds = std::min(kMostRepairs, kRepairWork / (count * count + 1));
  for (int64_t round = 0; round < rounds && best.arenaBytes() > goal; ++round) {
    SmallVector<size_t> order = best.order;
    auto *highest = llvm::max_element(order, [&](size_t a, size_t b) {
      return best.offsets[a] + blocks[a].bytes <
             best.offsets[b] + blocks[b].bytes;
    });
    auto *earlier = order.begin() + draw() % (highest - order.begin() + 1);
    // One that is first already stays on top whatever follows it.
    if (highest == order.begin())
      highest = order.begin() + draw() % order.size();
    if (highest < earlier)
      std::swap(highest, earlier);
    std::rotate(earlier, highest, highest + 1);
    tryOrder(blocks, order, best.tightest, best);
  }
}

} // namespace

ArenaSize packArena(MutableArrayRef<MemoryBlock> blocks) {
  ArenaSize size;
  std::tie(size.peakLiveBytes, size.peakTick) = findPeak(blocks, false);
  auto [bound, boundTick] = findPeak(blocks, true);
  size.lowerBoundBytes = alignBytes(bound, kArenaAlignment);
  if (blocks.empty())
    return size;

  Packing best = packInKnownOrders(blocks, boundTick, size.lowerBoundBytes);
  improve(blocks, size.lowerBoundBytes, best);
  for (auto [offset, block] : llvm::zip_equal(best.offsets, blocks))
    block.offset = offset;
  size.arenaBytes = best.arenaBytes();
  return size;
}

} // namespace mlir::dtc
