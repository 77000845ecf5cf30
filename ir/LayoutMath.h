//===- LayoutMath.h - Local shapes, extents, changes of layout -*- C++ -*-===//
//
// Everything that follows from a global shape and a layout by arithmetic: block
// sizes, a coordinate's rows, which dimensions have pads, which stages hold a
// value.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_LAYOUTMATH_H
#define DTC_IR_LAYOUTMATH_H

#include "ir/DtcDialect.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace mlir::dtc {

/// Coordinates on the mesh, one an axis of the layout, in mesh order.
using Coordinates = SmallVector<int64_t, 4>;

/// Rows [start, start + length) of a dimension that a coordinate holds; length
/// may be 0. Counted in elements of the global dimension.
struct Extent {
  int64_t start = 0;
  int64_t length = 0;
};

/// Layout of a tensor type with a #dtc.layout or #dtc.local encoding; null
/// where the type has none.
LayoutAttr getLayout(Type type);
LayoutAttr getLayout(Value value);

/// Global shape, also of a type that #dtc.local made local.
ArrayRef<int64_t> getGlobalShape(Type type);

/// The padded block of one coordinate: sizes nest in mesh order,
/// b1 = ceil(n / k1), b2 = ceil(b1 / k2).
SmallVector<int64_t> getLocalShape(ArrayRef<int64_t> globalShape,
                                   LayoutAttr layout);

/// What `coordinates` hold of dimension `dim`:
///   start = sum of coordinate * block over the axes that split it,
///   length = max(0, min(start + block, ends of the enclosing blocks, n) - start).
Extent getExtent(int64_t globalSize, int64_t dim, LayoutAttr layout,
                 ArrayRef<int64_t> coordinates);

/// True where some coordinate's block of `dim` is not full.
bool hasPads(int64_t globalSize, int64_t dim, LayoutAttr layout);

/// `layout` with the pads that its splits of `globalShape` have; kinds from
/// `kinds` (one a dimension; None where a pad exists is an internal error and
/// becomes Any).
LayoutAttr withPads(LayoutAttr layout, ArrayRef<int64_t> globalShape,
                    ArrayRef<PadKind> kinds);

/// Pad kind of each dimension of a type with a layout.
PadVector getPads(Type type);

/// Mesh of a plan: axes pp, dp, tp, mb with R on all but `pp`, which is
/// On{stages}.
LayoutAttr makeLayout(PlanAttr plan, uint64_t stages);

/// Stages that hold a value: the set of On or of P on axis `pp`.
uint64_t getStages(LayoutAttr layout);

/// The same global tensor under `layout`, as a global type.
RankedTensorType withLayout(RankedTensorType type, LayoutAttr layout);

/// One rank's part: padded local shape and #dtc.local encoding.
RankedTensorType toLocalType(RankedTensorType type);

/// Bytes of one element and of the (local) shape of a type.
int64_t getElementBytes(Type elementType);
int64_t getTensorBytes(RankedTensorType type);

} // namespace mlir::dtc

#endif // DTC_IR_LAYOUTMATH_H
