//===- HostTensor.cpp - Values of the interpreter -------------------------===//
//
// What a place holds of a tensor follows from the type alone, before and after
// `partition`: both encodings keep the global shape and the layout.
//
//===----------------------------------------------------------------------===//

#include "ir/interpreter/HostTensor.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::dtc {

HostTensor::HostTensor(ArrayRef<int64_t> shape, double fill)
    : shape(shape.begin(), shape.end()),
      elements(mlir::dtc::getElementCount(shape), fill) {}

SmallVector<Extent> PlaceContext::getExtents(Type type) const {
  LayoutAttr layout = getLayout(type);
  ArrayRef<int64_t> globalShape = getGlobalShape(type);
  SmallVector<Extent> extents;
  for (auto [dim, globalSize] : llvm::enumerate(globalShape))
    extents.push_back(layout ? getExtent(globalSize, dim, layout, coordinates)
                             : Extent{0, globalSize});
  return extents;
}

int64_t PlaceContext::getCoordinate(LayoutAttr layout, StringRef axis) const {
  if (!layout)
    return 0;
  for (auto [i, meshAxis] : llvm::enumerate(layout.getAxes()))
    if (meshAxis.name == axis && i < coordinates.size())
      return coordinates[i];
  return 0;
}

SmallVector<int64_t> getPlaceShape(Type type) {
  ArrayRef<int64_t> globalShape = getGlobalShape(type);
  if (LayoutAttr layout = getLayout(type))
    return getLocalShape(globalShape, layout);
  return SmallVector<int64_t>(globalShape);
}

HostTensor makeHostTensor(Type type) { return HostTensor(getPlaceShape(type)); }

std::string formatNumber(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.12g", value);
  return text;
}

int64_t getElementCount(ArrayRef<int64_t> shape) {
  int64_t elementCount = 1;
  for (int64_t size : shape)
    elementCount *= size;
  return elementCount;
}

int64_t linearize(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t linear = 0;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    linear = linear * shape[dim] + index[dim];
  return linear;
}

bool isElement(ArrayRef<int64_t> index, ArrayRef<Extent> extents) {
  for (size_t dim = 0; dim < extents.size(); ++dim)
    if (index[dim] >= extents[dim].length)
      return false;
  return true;
}

} // namespace mlir::dtc
