//===- HostTensor.h - Values of the interpreter ----------------*- C++ -*-===//
//
// A tensor of doubles and the place (mesh coordinates, step, seed) at which an
// op is evaluated. Integers are held exactly up to 2^53.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_INTERPRETER_HOSTTENSOR_H
#define DTC_IR_INTERPRETER_HOSTTENSOR_H

#include "ir/LayoutMath.h"

#include "mlir/IR/Operation.h"

#include <vector>

namespace mlir::dtc {

/// Row-major elements of one place's part of a tensor (padded local shape).
struct HostTensor {
  SmallVector<int64_t, 4> shape;
  std::vector<double> elements;

  HostTensor() = default;
  HostTensor(ArrayRef<int64_t> shape, double fill = 0.0);
  int64_t getElementCount() const {
    return static_cast<int64_t>(elements.size());
  }
};

/// Where an op is evaluated: one rank (and, before tasks are outlined, one
/// micro-batch) of the mesh.
class PlaceContext {
public:
  Operation *op = nullptr;
  Coordinates coordinates; ///< mesh order; empty for types without a layout
  uint64_t seed = 0;
  int64_t step = 0; ///< steps since the start of the run, from 0

  /// Valid part of each dimension of `type` here; the whole where the type has
  /// no layout.
  SmallVector<Extent> getExtents(Type type) const;

  /// Coordinate on `axis`, 0 where there is no such axis.
  int64_t getCoordinate(LayoutAttr layout, StringRef axis) const;
};

} // namespace mlir::dtc

#endif // DTC_IR_INTERPRETER_HOSTTENSOR_H
