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
  double fill = 0.0; ///< of a model input: what its pads of kind `fill` hold

  HostTensor() = default;
  HostTensor(ArrayRef<int64_t> shape, double fill = 0.0);
  int64_t getElementCount() const {
    return static_cast<int64_t>(elements.size());
  }
  double &operator[](int64_t linear) { return elements[linear]; }
  double operator[](int64_t linear) const { return elements[linear]; }
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

/// Padded shape of one place's part of `type`.
SmallVector<int64_t> getPlaceShape(Type type);

/// One place's part of `type`, every element 0.
HostTensor makeHostTensor(Type type);

/// A number as messages show it: `10`, `0.125`, `nan`.
std::string formatNumber(double value);

/// Elements of a shape; 1 for a scalar.
int64_t getElementCount(ArrayRef<int64_t> shape);

/// Row-major position of `index` in `shape`.
int64_t linearize(ArrayRef<int64_t> index, ArrayRef<int64_t> shape);

/// True where an index of a place's part is an element and not a pad.
bool isElement(ArrayRef<int64_t> index, ArrayRef<Extent> extents);

/// Calls `visit(index, linear)` for each index of `shape`, in row-major order.
template <typename Visit>
void forEachIndex(ArrayRef<int64_t> shape, Visit visit) {
  SmallVector<int64_t> index(shape.size(), 0);
  int64_t elementCount = getElementCount(shape);
  for (int64_t linear = 0; linear < elementCount; ++linear) {
    visit(ArrayRef<int64_t>(index), linear);
    for (int64_t dim = static_cast<int64_t>(shape.size()) - 1; dim >= 0;
         --dim) {
      if (++index[dim] < shape[dim])
        break;
      index[dim] = 0;
    }
  }
}

} // namespace mlir::dtc

#endif // DTC_IR_INTERPRETER_HOSTTENSOR_H
