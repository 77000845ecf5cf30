//===- Mesh.cpp - Ranks, coordinates and blocks of a program's mesh -------===//
//
// Plain loops over at most four axes; nothing here runs per element.
//
//===----------------------------------------------------------------------===//

#include "runtime/program/Mesh.h"

#include <algorithm>

namespace dtc::rt {

Mesh::Mesh(const program::Program &program) {
  for (int axis = 0; axis < kMeshAxisCount; ++axis)
    sizes[axis] = program.axes()->Get(axis)->parts();
}

Coordinates Mesh::coordinates(int32_t rank) const {
  Coordinates result{};
  result[kTp] = rank % sizes[kTp];
  result[kDp] = rank / sizes[kTp] % sizes[kDp];
  result[kPp] = rank / (sizes[kTp] * sizes[kDp]);
  return result;
}

int32_t Mesh::rank(const Coordinates &coordinates) const {
  return static_cast<int32_t>(
      (coordinates[kPp] * sizes[kDp] + coordinates[kDp]) * sizes[kTp] +
      coordinates[kTp]);
}

std::vector<int32_t> Mesh::group(const Coordinates &coordinates,
                                 const std::vector<int> &axes,
                                 uint64_t stages) const {
  std::vector<Coordinates> members = {coordinates};
  for (int axis : axes) {
    std::vector<Coordinates> next;
    for (const Coordinates &member : members)
      for (int64_t part = 0; part < sizes[axis]; ++part) {
        if (axis == kPp && part < 64 && !(stages >> part & 1))
          continue;
        next.push_back(member);
        next.back()[axis] = part;
      }
    members = std::move(next);
  }
  std::vector<int32_t> ranks;
  for (const Coordinates &member : members)
    ranks.push_back(rank(member));
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

Extent Mesh::extent(const program::Layout &layout, int64_t globalSize,
                    int32_t dim, const Coordinates &coordinates) const {
  int64_t start = 0, end = globalSize, block = globalSize;
  for (int axis = 0; axis < kMeshAxisCount; ++axis) {
    const program::AxisState &state = *layout.axes()->Get(axis);
    if (state.kind() != program::AxisKind::Split || state.dim() != dim)
      continue;
    block = (block + sizes[axis] - 1) / sizes[axis];
    start += coordinates[axis] * block;
    end = std::min(end, start + block);
  }
  return {start, std::max<int64_t>(0, end - start)};
}

} // namespace dtc::rt
