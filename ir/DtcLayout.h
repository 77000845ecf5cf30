//===- DtcLayout.h - Plain values that layouts are made of ----*- C++ -*-===//
//
// The state of a value on one mesh axis is small and compared everywhere, so it
// is a plain struct. LayoutAttr is an array of them with names and sizes.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_DTCLAYOUT_H
#define DTC_IR_DTCLAYOUT_H

#include "ir/DtcEnums.h.inc"

#include "mlir/IR/BuiltinAttributes.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <string>

namespace mlir::dtc {

enum class AxisKind : uint8_t {
  Replicated, ///< the same bits on every coordinate
  Split,      ///< a block of one dimension
  Partial,    ///< one addend; the value is the reduction over the axis
  Opaque,     ///< coordinates hold different elements (buckets of split parts)
  On          ///< over `pp`: replicated on a set of stages, absent elsewhere
};

/// How a value lies over one mesh axis.
struct AxisState {
  AxisKind kind = AxisKind::Replicated;
  ReductionKind reduction = ReductionKind::Sum; ///< Partial only
  int32_t dim = -1;                             ///< Split only
  uint64_t stages = 0; ///< On and Partial over `pp`: bit k is stage k

  static AxisState replicated() { return {}; }
  static AxisState split(int64_t dim);
  static AxisState partial(ReductionKind kind, uint64_t stages = 0);
  static AxisState opaque();
  static AxisState on(uint64_t stages);

  bool isReplicated() const { return kind == AxisKind::Replicated; }
  bool isSplit() const { return kind == AxisKind::Split; }
  bool isSplit(int64_t d) const { return isSplit() && dim == d; }
  bool isPartial() const { return kind == AxisKind::Partial; }
  bool isOpaque() const { return kind == AxisKind::Opaque; }
  bool isOn() const { return kind == AxisKind::On; }
  bool operator==(const AxisState &other) const;
  bool operator!=(const AxisState &other) const { return !(*this == other); }

  /// As in a layout: `R`, `S(0)`, `P(sum)`, `P(sum){0,1}`, `X`, `On{0}`.
  std::string str() const;
};

/// One axis of a layout.
struct MeshAxis {
  StringAttr name;
  int64_t size = 1;
  AxisState state;
  bool operator==(const MeshAxis &other) const;
};

/// What the pad elements of a dimension hold.
enum class PadKind : uint8_t { None, Zero, Any, Fill };

/// A dimension that has pads, and what they hold.
struct DimPad {
  int64_t dim = 0;
  PadKind kind = PadKind::Zero;
  bool operator==(const DimPad &other) const;
};

/// Pad kind of each dimension of one tensor.
using PadVector = SmallVector<PadKind, 4>;

llvm::hash_code hash_value(const AxisState &state);
llvm::hash_code hash_value(const MeshAxis &axis);
llvm::hash_code hash_value(const DimPad &pad);

/// As in a layout: `zero`, `any`, `fill`; `none` where there are no pads.
StringRef stringifyPadKind(PadKind kind);

/// Names of the mesh axes, in mesh order.
inline constexpr llvm::StringLiteral kAxisPp = "pp";
inline constexpr llvm::StringLiteral kAxisDp = "dp";
inline constexpr llvm::StringLiteral kAxisTp = "tp";
inline constexpr llvm::StringLiteral kAxisMb = "mb";

/// One legal way for an op to run over one mesh axis: what each operand holds
/// there, and what each result then holds.
struct AxisRule {
  SmallVector<AxisState, 4> operands;
  SmallVector<AxisState, 2> results;
};

/// What an op makes of pads. `mustBeZero` names an operand whose pads have to
/// be masked to zero first (a contraction over a padded dimension), in dimension
/// `dim`; labels cannot be masked, theirs must be `fill`, which `mustBeFill`
/// says.
struct PadRule {
  SmallVector<PadVector, 2> results;
  int mustBeZero = -1;
  int mustBeFill = -1;
  int64_t dim = 0;
};

/// Degree of a value in the loss scale and in 1/N.
struct Degree {
  int8_t scale = 0;
  int8_t count = 0;
  bool operator==(const Degree &o) const {
    return scale == o.scale && count == o.count;
  }
  bool operator!=(const Degree &o) const { return !(*this == o); }
};

} // namespace mlir::dtc

#endif // DTC_IR_DTCLAYOUT_H
