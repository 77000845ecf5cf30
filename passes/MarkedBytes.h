//===- MarkedBytes.h - Bytes that know who wrote them last ----*- C++ -*-===//
//
// The memory on which ArenaCheck runs a schedule.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_MARKEDBYTES_H
#define DTC_PASSES_MARKEDBYTES_H

#include "mlir/Support/LLVM.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <map>

namespace mlir::dtc {

/// Bytes [begin, end).
struct ByteRange {
  int64_t begin = 0;
  int64_t end = 0;
};

/// Marks of a range, one after another: who wrote, and where it ends.
using Marks = SmallVector<std::pair<int64_t, int64_t>, 2>;

/// The bytes of an arena, as ranges with the mark of their last write.
class MarkedBytes {
public:
  void write(ByteRange range, int64_t mark) {
    split(range.begin);
    split(range.end);
    marks.erase(marks.lower_bound(range.begin), marks.lower_bound(range.end));
    if (range.begin < range.end)
      marks[range.begin] = {range.end, mark};
  }

  /// Marks of the range, each with its end; bytes that nobody wrote have -1.
  Marks read(ByteRange range) const {
    Marks found;
    int64_t at = range.begin;
    auto next = marks.upper_bound(at);
    if (next != marks.begin() && std::prev(next)->second.first > at)
      --next;
    while (at < range.end) {
      bool isGap = next == marks.end() || next->first > at;
      int64_t end = isGap ? (next == marks.end() ? range.end : next->first)
                          : next->second.first;
      at = std::min(end, range.end);
      found.push_back({isGap ? -1 : next->second.second, at});
      if (!isGap)
        ++next;
    }
    return found;
  }

private:
  /// Makes `at` the start of a range, where it lies inside one.
  void split(int64_t at) {
    auto next = marks.upper_bound(at);
    if (next == marks.begin())
      return;
    auto inside = std::prev(next);
    if (inside->first == at || inside->second.first <= at)
      return;
    marks[at] = inside->second;
    inside->second.first = at;
  }

  std::map<int64_t, std::pair<int64_t, int64_t>> marks; ///< begin: end, mark
};

} // namespace mlir::dtc

#endif // DTC_PASSES_MARKEDBYTES_H
