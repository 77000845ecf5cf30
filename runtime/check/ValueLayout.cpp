//===- ValueLayout.cpp - How a value lies, as the checker reckons it ------===//
//
// Plain arithmetic of layouts.md 1, written from the page and not from the
// compiler's code.
//
//===----------------------------------------------------------------------===//

#include "runtime/check/ValueLayout.h"

namespace dtc::rt::check {

static std::string stagesText(uint64_t stages) {
  std::string text = "{";
  for (int stage = 0; stage < 64; ++stage)
    if (stages >> stage & 1)
      text += (text.size() > 1 ? "," : "") + std::to_string(stage);
  return text + "}";
}

std::string AxisLayout::str() const {
  static const char *const kReductions[] = {"sum", "max", "or"};
  switch (kind) {
  case AxisKind::Replicated:
    return "R";
  case AxisKind::Split:
    return "S(" + std::to_string(dim) + ")";
  case AxisKind::Partial:
    return std::string("P(") + kReductions[static_cast<int>(reduction)] + ")" +
           (stages ? stagesText(stages) : "");
  case AxisKind::Opaque:
    return "X";
  case AxisKind::On:
    return "On" + stagesText(stages);
  }
  return "?";
}

const char *axisName(int axis) {
  static const char *const kNames[] = {"pp", "dp", "tp", "mb"};
  return kNames[axis];
}

ValueLayout ValueLayout::read(const program::Layout &layout, size_t rank) {
  ValueLayout result;
  for (int axis = 0; axis < kMeshAxisCount; ++axis) {
    const program::AxisState &state = *layout.axes()->Get(axis);
    result.axes[axis] = {state.kind(), state.reduction(), state.dim(),
                         axis == kPp ? state.stages() : 0};
  }
  result.pads.assign(rank, PadKind::None);
  if (layout.pads())
    for (size_t dim = 0; dim < std::min<size_t>(rank, layout.pads()->size());
         ++dim)
      result.pads[dim] = static_cast<PadKind>(layout.pads()->Get(dim));
  return result;
}

bool ValueLayout::isInnermost(int axis, int64_t dim) const {
  for (int other = axis + 1; other < kMeshAxisCount; ++other)
    if (axes[other].isSplit(dim))
      return false;
  return true;
}

std::string ValueLayout::str() const {
  std::string text;
  for (int axis = 0; axis < kMeshAxisCount; ++axis)
    text += std::string(axis ? ", " : "") + axisName(axis) + " " +
            axes[axis].str();
  for (size_t dim = 0; dim < pads.size(); ++dim)
    if (pads[dim] != PadKind::None)
      text += ", pad " + std::to_string(dim) + " " +
              program::EnumNamePadKind(pads[dim]);
  return text;
}

std::string shapeText(const Shape &shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  for (int64_t size : shape)
    text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

Shape toShape(const flatbuffers::Vector<uint64_t> *sizes) {
  Shape shape;
  if (sizes)
    for (uint64_t size : *sizes)
      shape.push_back(static_cast<int64_t>(size));
  return shape;
}

int64_t elementCount(const Shape &shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

Shape localShape(const Mesh &mesh, const ValueLayout &layout,
                 const Shape &global) {
  Shape local = global;
  for (int axis = 0; axis < kMeshAxisCount; ++axis)
    if (const AxisLayout &state = layout.on(axis);
        state.isSplit() && static_cast<size_t>(state.dim) < local.size()) {
      int64_t &size = local[static_cast<size_t>(state.dim)];
      size = (size + mesh.parts(axis) - 1) / mesh.parts(axis);
    }
  return local;
}

bool hasPads(const Mesh &mesh, const ValueLayout &layout, int64_t globalSize,
             int64_t dim) {
  int64_t block = globalSize, parts = 1;
  for (int axis = 0; axis < kMeshAxisCount; ++axis)
    if (layout.on(axis).isSplit(dim)) {
      block = (block + mesh.parts(axis) - 1) / mesh.parts(axis);
      parts *= mesh.parts(axis);
    }
  return block * parts != globalSize;
}

void setPads(const Mesh &mesh, ValueLayout &layout, const Shape &global,
             const Pads &kinds) {
  layout.pads.assign(global.size(), PadKind::None);
  for (size_t dim = 0; dim < global.size(); ++dim)
    if (hasPads(mesh, layout, global[dim], static_cast<int64_t>(dim))) {
      PadKind kind = dim < kinds.size() ? kinds[dim] : PadKind::Any;
      layout.pads[dim] = kind == PadKind::None ? PadKind::Any : kind;
    }
}

} // namespace dtc::rt::check
