//===- Mesh.cpp - All places of a simulated mesh --------------------------===//
//
// How a global tensor is cut into parts and joined again, straight from the
// meaning of a layout. Nothing here knows of collectives, so it can judge them.
//
//===----------------------------------------------------------------------===//

#include "ir/interpreter/Mesh.h"

#include "ir/DtcOps.h"

#include <cmath>
#include <cstring>

namespace mlir::dtc {

//===-- Places
//--------------------------------------------------------------===//

static LayoutAttr findLayout(Operation *root) {
  LayoutAttr found;
  root->walk([&](Operation *op) {
    SmallVector<Type> types(op->getResultTypes());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::append_range(types, block.getArgumentTypes());
    if (auto variable = dyn_cast<VariableOp>(op))
      types.push_back(variable.getType());
    for (Type type : types)
      if (LayoutAttr layout =
              isa<RankedTensorType>(type) ? getLayout(type) : LayoutAttr()) {
        found = layout;
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return found;
}

Mesh Mesh::find(Operation *root) {
  Mesh mesh;
  if (LayoutAttr layout = findLayout(root))
    mesh.axes.assign(layout.getAxes().begin(), layout.getAxes().end());
  SmallVector<int64_t> sizes;
  for (const MeshAxis &axis : mesh.axes)
    sizes.push_back(axis.size);
  forEachIndex(sizes, [&](ArrayRef<int64_t> index, int64_t) {
    mesh.places.push_back(Coordinates(index));
  });
  mesh.strides.assign(sizes.size(), 1);
  for (int64_t i = static_cast<int64_t>(sizes.size()) - 2; i >= 0; --i)
    mesh.strides[i] = mesh.strides[i + 1] * sizes[i + 1];
  if (!mesh.axes.empty() && mesh.axes.back().name == kAxisMb)
    mesh.microBatches = mesh.axes.back().size;
  return mesh;
}

size_t Mesh::withCoordinate(size_t place, size_t axis,
                            int64_t coordinate) const {
  return place + (coordinate - places[place][axis]) * strides[axis];
}

std::optional<size_t> Mesh::getAxis(StringRef name) const {
  for (auto [i, axis] : llvm::enumerate(axes))
    if (axis.name == name)
      return i;
  return std::nullopt;
}

std::string Mesh::describe(const Coordinates &coordinates) const {
  if (axes.empty())
    return "the only place";
  std::string text;
  for (auto [axis, coordinate] : llvm::zip_equal(axes, coordinates))
    text += (text.empty() ? "" : ", ") + axis.name.str() + "=" +
            std::to_string(coordinate);
  return text;
}

bool isHeldAt(Type type, const Coordinates &coordinates) {
  LayoutAttr layout = getLayout(type);
  if (!layout)
    return true;
  for (auto [axis, coordinate] : llvm::zip(layout.getAxes(), coordinates))
    if (axis.state.stages && !(axis.state.stages >> coordinate & 1))
      return false;
  return true;
}

int64_t getFirstHolder(const MeshAxis &axis) {
  return axis.state.stages ? llvm::countr_zero(axis.state.stages) : 0;
}

static bool isReplica(const MeshAxis &axis) {
  return axis.state.isReplicated() || axis.state.isOn();
}

//===-- Parts
//---------------------------------------------------------------===//

static SmallVector<Extent> getExtentsAt(Type type,
                                        const Coordinates &coordinates) {
  PlaceContext context;
  context.coordinates = coordinates;
  return context.getExtents(type);
}

/// True where a pad is in no dimension whose pads are zero but in one whose
/// pads are the input's fill value.
static bool isFillPad(LayoutAttr layout, ArrayRef<int64_t> index,
                      ArrayRef<Extent> extents) {
  bool isFill = false;
  for (size_t dim = 0; dim < extents.size(); ++dim) {
    if (index[dim] < extents[dim].length)
      continue;
    if (layout.padOf(dim) == PadKind::Zero)
      return false;
    isFill |= layout.padOf(dim) == PadKind::Fill;
  }
  return isFill;
}

HostTensor distribute(const HostTensor &global, Type type,
                      const Coordinates &coordinates) {
  LayoutAttr layout = getLayout(type);
  if (!layout)
    return global;
  HostTensor part(getPlaceShape(type));
  part.fill = global.fill;
  SmallVector<Extent> extents = getExtentsAt(type, coordinates);
  forEachIndex(part.shape, [&](ArrayRef<int64_t> index, int64_t linear) {
    if (!isElement(index, extents)) {
      part[linear] = isFillPad(layout, index, extents) ? global.fill : 0;
      return;
    }
    SmallVector<int64_t> at(index);
    for (size_t dim = 0; dim < at.size(); ++dim)
      at[dim] += extents[dim].start;
    part[linear] = global[linearize(at, global.shape)];
  });
  return part;
}

/// A made-up addend of element `linear` for one combination of coordinates of
/// the partial axes: a multiple of 1/16 up to 8.
static double makeAddend(int64_t combination, int64_t linear) {
  uint64_t bits = static_cast<uint64_t>(combination * 1000003 + linear) *
                  0x9e3779b97f4a7c15u;
  return (static_cast<double>(bits >> 56) - 128) / 16;
}

HostTensor distributeAddends(const HostTensor &global, Type type,
                             const Coordinates &coordinates) {
  HostTensor part = distribute(global, type, coordinates);
  LayoutAttr layout = getLayout(type);
  int64_t combinations = 1, own = 0;
  ReductionKind kind = ReductionKind::Sum;
  for (auto [i, axis] :
       llvm::enumerate(layout ? layout.getAxes() : ArrayRef<MeshAxis>())) {
    if (!axis.state.isPartial() || axis.name == kAxisPp)
      continue;
    own = own * axis.size + coordinates[i];
    combinations *= axis.size;
    kind = axis.state.reduction;
  }
  if (combinations == 1)
    return part;
  SmallVector<Extent> extents = getExtentsAt(type, coordinates);
  forEachIndex(part.shape, [&](ArrayRef<int64_t> index, int64_t linear) {
    if (!isElement(index, extents))
      return;
    if (kind == ReductionKind::Or)
      part[linear] = own == 0 ? part[linear] : 0;
    else if (kind == ReductionKind::Max)
      part[linear] -= own == 0 ? 0 : std::fabs(makeAddend(own, linear));
    else if (own > 0)
      part[linear] = makeAddend(own, linear);
    else
      for (int64_t other = 1; other < combinations; ++other)
        part[linear] -= makeAddend(other, linear);
  });
  return part;
}

static double reduce(ReductionKind kind, double a, double b) {
  if (kind == ReductionKind::Sum)
    return a + b;
  if (kind == ReductionKind::Max)
    return std::isnan(a) || a > b ? a : b;
  return static_cast<double>(static_cast<int64_t>(a) | static_cast<int64_t>(b));
}

/// The one reduction over the joined axes; none where no axis is partial.
static FailureOr<std::optional<ReductionKind>>
getReduction(Operation *op, LayoutAttr layout, ArrayRef<bool> joined) {
  std::optional<ReductionKind> kind;
  for (auto [axis, isJoined] : llvm::zip_equal(layout.getAxes(), joined)) {
    if (!isJoined)
      continue;
    if (axis.state.isOpaque() && axis.size > 1)
      return op->emitOpError("a value in ")
             << layout << " is opaque over axis " << axis.name
             << " and is whole only as the members of its bucket";
    if (!axis.state.isPartial())
      continue;
    if (kind && *kind != axis.state.reduction)
      return op->emitOpError("a value in ")
             << layout << " is partial in two kinds, of which the order counts";
    kind = axis.state.reduction;
  }
  return kind;
}

FailureOr<HostTensor> assemble(Operation *op, Type type,
                               ArrayRef<Coordinates> places,
                               ArrayRef<const HostTensor *> parts,
                               ArrayRef<bool> joined) {
  LayoutAttr layout = getLayout(type);
  if (!layout)
    return *parts.front();
  FailureOr<std::optional<ReductionKind>> kind =
      getReduction(op, layout, joined);
  if (failed(kind))
    return failure();

  HostTensor global(getGlobalShape(type));
  std::vector<bool> isSeen(global.elements.size(), false);
  for (auto [place, partOrNull] : llvm::zip_equal(places, parts)) {
    bool isAnotherReplica = false;
    for (auto [i, axis] : llvm::enumerate(layout.getAxes()))
      isAnotherReplica |=
          joined[i] && isReplica(axis) && place[i] != getFirstHolder(axis);
    if (!partOrNull || isAnotherReplica)
      continue;
    const HostTensor &part = *partOrNull;
    global.fill = part.fill;
    SmallVector<Extent> extents = getExtentsAt(type, place);
    forEachIndex(part.shape, [&](ArrayRef<int64_t> index, int64_t linear) {
      if (!isElement(index, extents))
        return;
      SmallVector<int64_t> at(index);
      for (size_t dim = 0; dim < at.size(); ++dim)
        at[dim] += extents[dim].start;
      int64_t to = linearize(at, global.shape);
      global[to] = isSeen[to] ? reduce(kind->value_or(ReductionKind::Sum),
                                       global[to], part[linear])
                              : part[linear];
      isSeen[to] = true;
    });
  }
  return global;
}

FailureOr<HostTensor> assembleAll(Operation *op, Type type, const Mesh &mesh,
                                  const Parts &parts) {
  SmallVector<const HostTensor *> held;
  for (const std::optional<HostTensor> &part : parts)
    held.push_back(part ? &*part : nullptr);
  if (llvm::all_of(held, [](const HostTensor *part) { return !part; }))
    return op->emitOpError("no place holds its value");
  if (!getLayout(type))
    return *held.front();
  SmallVector<bool> joined(mesh.getAxes().size(), true);
  return assemble(op, type, mesh.getPlaces(), held, joined);
}

//===-- Replicas
//------------------------------------------------------------===//

static bool haveEqualBits(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b));
}

LogicalResult checkReplicas(Operation *op, StringRef what, Type type,
                            const Mesh &mesh, const Parts &parts) {
  LayoutAttr layout = getLayout(type);
  if (!layout)
    return success();
  for (auto [i, axis] : llvm::enumerate(layout.getAxes())) {
    if (!isReplica(axis) || axis.size == 1)
      continue;
    for (size_t place = 0; place < parts.size(); ++place) {
      size_t first = mesh.withCoordinate(place, i, getFirstHolder(axis));
      if (first == place || !parts[place] || !parts[first])
        continue;
      const HostTensor &one = *parts[first], &other = *parts[place];
      SmallVector<Extent> extents = getExtentsAt(type, mesh.getPlace(place));
      std::optional<int64_t> differs;
      forEachIndex(one.shape, [&](ArrayRef<int64_t> index, int64_t linear) {
        if (!differs && isElement(index, extents) &&
            !haveEqualBits(one[linear], other[linear]))
          differs = linear;
      });
      if (differs)
        return op->emitOpError()
               << what << " is " << axis.state.str() << " on axis " << axis.name
               << ", but element " << *differs << " is "
               << formatNumber(one[*differs]) << " at "
               << mesh.describe(mesh.getPlace(first)) << " and "
               << formatNumber(other[*differs]) << " at "
               << mesh.describe(mesh.getPlace(place));
    }
  }
  return success();
}

} // namespace mlir::dtc
