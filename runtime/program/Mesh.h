//===- Mesh.h - Ranks, coordinates and blocks of a program's mesh ---------===//
//
// The arithmetic by which one program serves every rank: a rank's coordinates,
// the ranks of a group, and which rows of a dimension a coordinate holds.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_PROGRAM_MESH_H
#define DTC_RUNTIME_PROGRAM_MESH_H

#include "runtime/schema/program_generated.h"

#include <array>
#include <cstdint>
#include <vector>

namespace dtc::rt {

/// Axes in mesh order. A rank's number is that of its coordinates on the first
/// three, pp slowest; `mb` is time.
enum MeshAxisIndex { kPp, kDp, kTp, kMb };
inline constexpr int kMeshAxisCount = 4;

/// Every stage, as a set of bits.
inline constexpr uint64_t kAllStages = ~uint64_t(0);

/// One coordinate an axis, in mesh order.
using Coordinates = std::array<int64_t, kMeshAxisCount>;

/// Rows [start, start + length) of a dimension; length may be 0.
struct Extent {
  int64_t start = 0;
  int64_t length = 0;
};

/// Sizes of the axes and what follows from them.
class Mesh {
public:
  explicit Mesh(const program::Program &program);

  int64_t parts(int axis) const { return sizes[axis]; }
  int32_t rankCount() const {
    return static_cast<int32_t>(sizes[kPp] * sizes[kDp] * sizes[kTp]);
  }
  /// Coordinates of a rank, 0 on `mb`.
  Coordinates coordinates(int32_t rank) const;
  int32_t rank(const Coordinates &coordinates) const;

  /// The ranks that differ from `coordinates` on `axes` only, ascending; over
  /// pp those of `stages`, where bit k is stage k.
  std::vector<int32_t> group(const Coordinates &coordinates,
                             const std::vector<int> &axes,
                             uint64_t stages = kAllStages) const;

  /// What a coordinate holds of dimension `dim`. Blocks of axes that split the
  /// same dimension nest in mesh order: b1 = ceil(n / k1), b2 = ceil(b1 / k2).
  Extent extent(const program::Layout &layout, int64_t globalSize, int32_t dim,
                const Coordinates &coordinates) const;

private:
  Coordinates sizes;
};

} // namespace dtc::rt

#endif // DTC_RUNTIME_PROGRAM_MESH_H
