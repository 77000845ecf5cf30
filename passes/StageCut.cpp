//===- StageCut.cpp - The balanced cut of a list of costs -----------------===//
//
// The least maximum alone leaves ties that look careless (3 + 3 + 1 in place of
// 3 + 2 + 2), and both objectives at once have no optimal substructure. So: the
// least maximum first, then the least sum of squares among cuts that keep it.
// Two dynamic programs over (prefix, parts).
//
//===----------------------------------------------------------------------===//

#include "passes/StageCut.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <vector>

namespace mlir::dtc {
namespace {

// Squares of FLOP counts exceed 64 bits; a double orders them well enough, and
// the same on every machine.
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Cutter {
public:
  Cutter(ArrayRef<int64_t> costs, int64_t partCount)
      : count(static_cast<int64_t>(costs.size())), partCount(partCount),
        prefix(1, 0) {
    for (int64_t cost : costs)
      prefix.push_back(prefix.back() +
                       static_cast<double>(std::max<int64_t>(cost, 1)));
  }

  /// Fills the table with `combine(best of the prefix, cost of the part)` and
  /// returns the value of the whole; parts dearer than `limit` are not allowed.
  template <typename Combine>
  double solve(double limit, Combine combine) {
    size_t width = static_cast<size_t>(count) + 1;
    best.assign(static_cast<size_t>(partCount) + 1,
                std::vector<double>(width, kInfinity));
    from.assign(best.size(), std::vector<int64_t>(width, 0));
    best[0][0] = 0;
    for (int64_t part = 1; part <= partCount; ++part)
      for (int64_t end = part; end <= count; ++end)
        for (int64_t start = part - 1; start < end; ++start) {
          double cost = prefix[end] - prefix[start];
          double value = combine(best[part - 1][start], cost);
          if (cost <= limit && value < best[part][end]) {
            best[part][end] = value;
            from[part][end] = start;
          }
        }
    return best[partCount][count];
  }

  SmallVector<int64_t> getParts() const {
    SmallVector<int64_t> parts(static_cast<size_t>(count), 0);
    int64_t end = count;
    for (int64_t part = partCount; part >= 1; --part) {
      int64_t start = from[part][end];
      std::fill(parts.begin() + start, parts.begin() + end, part - 1);
      end = start;
    }
    return parts;
  }

private:
  int64_t count;
  int64_t partCount;
  std::vector<double> prefix;
  std::vector<std::vector<double>> best;
  std::vector<std::vector<int64_t>> from;
};

} // namespace

SmallVector<int64_t> cutBalanced(ArrayRef<int64_t> costs, int64_t partCount) {
  assert(static_cast<int64_t>(costs.size()) >= partCount &&
         "the caller refuses more parts than costs");
  Cutter cutter(costs, partCount);
  double least = cutter.solve(
      kInfinity, [](double a, double b) { return std::max(a, b); });
  cutter.solve(least, [](double a, double b) { return a + b * b; });
  return cutter.getParts();
}

} // namespace mlir::dtc
