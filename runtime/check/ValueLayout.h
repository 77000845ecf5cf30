//===- ValueLayout.h - How a value lies, as the checker reckons it --------===//
//
// The checker computes layouts itself, so it has its own form of them, apart
// from the program's tables: comparable, changeable, printable.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_CHECK_VALUELAYOUT_H
#define DTC_RUNTIME_CHECK_VALUELAYOUT_H

#include "runtime/program/Mesh.h"

#include <array>
#include <string>
#include <vector>

namespace dtc::rt::check {

using program::AxisKind;
using program::PadKind;
using program::ReductionKind;

/// State on one mesh axis. `stages` is used on pp only: On, and Partial there.
struct AxisLayout {
  AxisKind kind = AxisKind::Replicated;
  ReductionKind reduction = ReductionKind::Sum;
  int32_t dim = -1;
  uint64_t stages = 0;

  static AxisLayout replicated() { return {}; }
  static AxisLayout opaque() { return {AxisKind::Opaque, {}, -1, 0}; }
  static AxisLayout split(int64_t dim) {
    return {AxisKind::Split, {}, static_cast<int32_t>(dim), 0};
  }
  static AxisLayout partial(ReductionKind kind = ReductionKind::Sum,
                            uint64_t stages = 0) {
    return {AxisKind::Partial, kind, -1, stages};
  }
  static AxisLayout on(uint64_t stages) {
    return {AxisKind::On, {}, -1, stages};
  }

  bool isPartial() const { return kind == AxisKind::Partial; }
  bool isSplit() const { return kind == AxisKind::Split; }
  bool isSplit(int64_t of) const { return isSplit() && dim == of; }
  bool isReplicated() const { return kind == AxisKind::Replicated; }
  bool isOn() const { return kind == AxisKind::On; }
  /// R, S(1), P(sum), X, On{0,1}, P(or){0,1}.
  std::string str() const;

  bool operator==(const AxisLayout &other) const {
    return kind == other.kind &&
           (!isPartial() || reduction == other.reduction) &&
           (!isSplit() || dim == other.dim) && stages == other.stages;
  }
  bool operator!=(const AxisLayout &other) const { return !(*this == other); }
};

using Shape = std::vector<int64_t>;
using Pads = std::vector<PadKind>;

/// One state an axis, one pad kind a dimension (None: it has no pads).
struct ValueLayout {
  std::array<AxisLayout, kMeshAxisCount> axes;
  Pads pads;

  /// Layout of the tables for a value of `rank` dimensions.
  static ValueLayout read(const program::Layout &layout, size_t rank);

  AxisLayout &on(int axis) { return axes[axis]; }
  const AxisLayout &on(int axis) const { return axes[axis]; }
  bool variesOverTime() const { return !axes[kMb].isReplicated(); }
  /// True where no axis after `axis` splits `dim` too.
  bool isInnermost(int axis, int64_t dim) const;
  /// `pp On{0}, dp S(0), tp R, mb R`, and the pads where there are some.
  std::string str() const;
};

/// `pp`, `dp`, `tp` or `mb`.
const char *axisName(int axis);
std::string shapeText(const Shape &shape);
Shape toShape(const flatbuffers::Vector<uint64_t> *sizes);
int64_t elementCount(const Shape &shape);

/// Padded block of each dimension; block sizes nest in mesh order.
Shape localShape(const Mesh &mesh, const ValueLayout &layout,
                 const Shape &global);
/// True where some coordinate's block of `dim` is not full.
bool hasPads(const Mesh &mesh, const ValueLayout &layout, int64_t globalSize,
             int64_t dim);
/// Sets pads to `kinds` where there are pads and to None where there are none.
void setPads(const Mesh &mesh, ValueLayout &layout, const Shape &global,
             const Pads &kinds);

} // namespace dtc::rt::check

#endif // DTC_RUNTIME_CHECK_VALUELAYOUT_H
