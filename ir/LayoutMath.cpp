//===- LayoutMath.cpp - Local shapes, extents, changes of layout ----------===//
//
// Blocks nest by ceil, not by ceil of the product of the sizes: only so is the
// block of an outer axis a whole number of blocks of the inner one, which a
// gather over the inner axis needs.
//
//===----------------------------------------------------------------------===//

#include "ir/LayoutMath.h"

#include "llvm/Support/MathExtras.h"

namespace mlir::dtc {

LayoutAttr getLayout(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.getEncoding())
    return {};
  if (auto local = dyn_cast<LocalAttr>(tensor.getEncoding()))
    return local.getLayout();
  return dyn_cast<LayoutAttr>(tensor.getEncoding());
}

LayoutAttr getLayout(Value value) { return getLayout(value.getType()); }

ArrayRef<int64_t> getGlobalShape(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  if (auto local = dyn_cast_or_null<LocalAttr>(tensor.getEncoding()))
    return local.getGlobalShape();
  return tensor.getShape();
}

SmallVector<int64_t> getLocalShape(ArrayRef<int64_t> globalShape,
                                   LayoutAttr layout) {
  SmallVector<int64_t> shape(globalShape);
  for (const MeshAxis &axis : layout.getAxes())
    if (axis.state.isSplit())
      shape[axis.state.dim] =
          llvm::divideCeil(shape[axis.state.dim], axis.size);
  return shape;
}

Extent getExtent(int64_t globalSize, int64_t dim, LayoutAttr layout,
                 ArrayRef<int64_t> coordinates) {
  int64_t block = globalSize, start = 0, end = globalSize;
  for (auto [axis, coordinate] : llvm::zip(layout.getAxes(), coordinates)) {
    if (!axis.state.isSplit(dim))
      continue;
    block = llvm::divideCeil(block, axis.size);
    start += coordinate * block;
    end = std::min(end, start + block);
  }
  return {start, std::max<int64_t>(0, end - start)};
}

bool hasPads(int64_t globalSize, int64_t dim, LayoutAttr layout) {
  int64_t block = globalSize;
  for (const MeshAxis &axis : layout.getAxes()) {
    if (!axis.state.isSplit(dim))
      continue;
    if (block % axis.size != 0)
      return true;
    block /= axis.size;
  }
  return false;
}

LayoutAttr withPads(LayoutAttr layout, ArrayRef<int64_t> globalShape,
                    ArrayRef<PadKind> kinds) {
  SmallVector<DimPad> pads;
  for (auto [dim, size] : llvm::enumerate(globalShape)) {
    if (!hasPads(size, dim, layout))
      continue;
    PadKind kind = dim < kinds.size() ? kinds[dim] : PadKind::None;
    if (kind == PadKind::None)
      kind = PadKind::Any;
    pads.push_back({static_cast<int64_t>(dim), kind});
  }
  return layout.withPads(pads);
}

PadVector getPads(Type type) {
  PadVector kinds;
  LayoutAttr layout = getLayout(type);
  for (size_t dim = 0, rank = getGlobalShape(type).size(); dim < rank; ++dim)
    kinds.push_back(layout ? layout.padOf(dim) : PadKind::None);
  return kinds;
}

LayoutAttr makeLayout(PlanAttr plan, uint64_t stages) {
  MLIRContext *context = plan.getContext();
  auto axis = [&](StringRef name, int64_t size, AxisState state) {
    return MeshAxis{StringAttr::get(context, name), size, state};
  };
  AxisState whole = AxisState::replicated();
  return LayoutAttr::get(context,
                         {axis(kAxisPp, plan.getPp(), AxisState::on(stages)),
                          axis(kAxisDp, plan.getDp(), whole),
                          axis(kAxisTp, plan.getTp(), whole),
                          axis(kAxisMb, plan.getMicroBatches(), whole)},
                         {});
}

uint64_t getStages(LayoutAttr layout) {
  return layout.hasAxis(kAxisPp) ? layout.on(kAxisPp).stages : 1;
}

RankedTensorType withLayout(RankedTensorType type, LayoutAttr layout) {
  return RankedTensorType::get(getGlobalShape(type), type.getElementType(),
                               layout);
}

RankedTensorType toLocalType(RankedTensorType type) {
  LayoutAttr layout = getLayout(type);
  if (!layout)
    return type;
  ArrayRef<int64_t> global = getGlobalShape(type);
  return RankedTensorType::get(
      getLocalShape(global, layout), type.getElementType(),
      LocalAttr::get(type.getContext(), global, layout));
}

int64_t getElementBytes(Type elementType) {
  return llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8);
}

int64_t getTensorBytes(RankedTensorType type) {
  return type.getNumElements() * getElementBytes(type.getElementType());
}

} // namespace mlir::dtc
