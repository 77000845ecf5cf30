//===- Variables.cpp - Initial values of a rank's variables
//----------------===//
//
// Walks the elements that a rank holds by their global index. Formulas of the
// random numbers: runtime/docs/random-key.md.
//
//===----------------------------------------------------------------------===//

#include "runtime/executor/Variables.h"

#include "runtime/base/RandomKey.h"
#include "runtime/data/Dataset.h"
#include "runtime/data/SafetensorsReader.h"

#include <cstring>

namespace dtc::rt {
namespace {

std::vector<int64_t> toShape(const flatbuffers::Vector<uint64_t> *shape) {
  std::vector<int64_t> result;
  if (shape)
    for (uint64_t size : *shape)
      result.push_back(static_cast<int64_t>(size));
  return result;
}

int64_t product(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

/// Padded block of each dimension under a layout.
std::vector<int64_t> blockShape(const Mesh &mesh, const program::Layout &layout,
                                const std::vector<int64_t> &globalShape) {
  std::vector<int64_t> block = globalShape;
  for (int axis = 0; axis < kMeshAxisCount; ++axis) {
    const program::AxisState &state = *layout.axes()->Get(axis);
    if (state.kind() == program::AxisKind::Split && state.dim() >= 0 &&
        static_cast<size_t>(state.dim()) < block.size())
      block[state.dim()] =
          (block[state.dim()] + mesh.parts(axis) - 1) / mesh.parts(axis);
  }
  return block;
}

/// The elements of one file, read whole once.
Result<std::vector<double>> readFile(const VariablePart &part) {
  std::string path = part.init->path() ? part.init->path()->str() : "";
  std::string tensor = part.init->tensor() ? part.init->tensor()->str() : "";
  auto open = [&]() -> Result<StoredArray> {
    if (tensor.empty())
      return openArray(path);
    DTC_ASSIGN_OR_RETURN(std::shared_ptr<const ByteSource> source,
                         openFile(path));
    DTC_ASSIGN_OR_RETURN(SafetensorsReader reader,
                         SafetensorsReader::open(source));
    return reader.find(tensor);
  };
  DTC_ASSIGN_OR_RETURN(StoredArray array, open());
  if (array.shape != part.globalShape)
    return Status::invalidArgument()
           << path << ": " << (tensor.empty() ? "its array" : tensor) << " is "
           << shapeText(array.shape) << ", " << part.name << " is "
           << shapeText(part.globalShape);
  std::vector<double> elements(static_cast<size_t>(product(part.globalShape)));
  DTC_RETURN_IF_ERROR(array.read(0, static_cast<int64_t>(elements.size()),
                                 DType::kF64, elements.data()));
  return elements;
}

/// Value of each global index of a part.
Result<std::function<double(int64_t)>> makeGenerator(const VariablePart &part,
                                                     uint64_t seed) {
  using Generator = std::function<double(int64_t)>;
  double a = part.init->a(), b = part.init->b();
  RandomKey key(seed, part.name);
  switch (part.init->kind()) {
  case program::InitializerKind::Zeros:
    return Generator([](int64_t) { return 0.0; });
  case program::InitializerKind::Ones:
    return Generator([](int64_t) { return 1.0; });
  case program::InitializerKind::Constant:
    return Generator([a](int64_t) { return a; });
  case program::InitializerKind::Normal:
    return Generator([a, b, key](int64_t index) {
      return a + b * key.normal(kInitialStep, static_cast<uint64_t>(index));
    });
  case program::InitializerKind::Uniform:
    return Generator([a, b, key](int64_t index) {
      return a + (b - a) * double(key.uniform(kInitialStep,
                                              static_cast<uint64_t>(index)));
    });
  case program::InitializerKind::File: {
    DTC_ASSIGN_OR_RETURN(std::vector<double> elements, readFile(part));
    auto shared = std::make_shared<std::vector<double>>(std::move(elements));
    return Generator([shared](int64_t index) {
      return (*shared)[static_cast<size_t>(index)];
    });
  }
  }
  return Status::invalidProgram()
         << "initialiser of unknown kind " << int(part.init->kind());
}

} // namespace

std::vector<VariablePart> getParts(const PrepareContext &context,
                                   const program::Variable &variable,
                                   const ValueRef &value) {
  std::vector<VariablePart> parts;
  if (!variable.members()) {
    parts.push_back({variable.name()->str(), variable.init(),
                     toShape(value.value->global_shape()),
                     &context.layout(value), 0, false});
    return parts;
  }
  for (const program::Member *member : *variable.members())
    parts.push_back({member->name()->str(), member->init(),
                     toShape(member->global_shape()),
                     context.program.layouts()->Get(member->layout()),
                     static_cast<int64_t>(member->offset()), true});
  return parts;
}

void forEachElement(
    const PrepareContext &context, const ValueRef &value,
    const VariablePart &part,
    const std::function<void(int64_t local, int64_t global)> &visit) {
  std::vector<int64_t> block =
      blockShape(context.mesh, *part.layout, part.globalShape);
  std::vector<Extent> extents;
  for (size_t dim = 0; dim < block.size(); ++dim)
    extents.push_back(context.mesh.extent(*part.layout, part.globalShape[dim],
                                          static_cast<int32_t>(dim),
                                          context.coordinates));
  // A bucket is a shard of what is packed; a plain variable's own layout has
  // the split already.
  Extent held{0, product(block)};
  if (part.isPacked)
    held = context.mesh.extent(
        context.layout(value),
        static_cast<int64_t>(value.value->global_shape()->Get(0)), 0,
        context.coordinates);
  int64_t count = product(block);
  for (int64_t packed = 0; packed < count; ++packed) {
    int64_t local = part.first + packed - held.start;
    if (local < 0 || local >= held.length)
      continue;
    int64_t rest = packed, global = 0, stride = 1;
    bool valid = true;
    for (size_t dim = block.size(); dim-- > 0;) {
      int64_t index = rest % block[dim];
      rest /= block[dim];
      valid &= index < extents[dim].length;
      global += (extents[dim].start + index) * stride;
      stride *= part.globalShape[dim];
    }
    if (valid)
      visit(local, global);
  }
}

Status forEachPart(
    const PrepareContext &context,
    const std::function<Status(const ValueRef &value, const VariablePart &part)>
        &visit) {
  auto stage = static_cast<uint32_t>(context.coordinates[kPp]);
  for (const program::Variable *variable : *context.program.variables()) {
    int32_t id = variable->values()->Get(stage);
    if (id < 0)
      continue;
    DTC_ASSIGN_OR_RETURN(ValueRef ref,
                         context.value(static_cast<uint32_t>(id)));
    for (const VariablePart &part : getParts(context, *variable, ref))
      DTC_RETURN_IF_ERROR(visit(ref, part));
  }
  return Status::ok();
}

Status fillVariables(const PrepareContext &context, std::byte *arena) {
  // Before the first part of a bucket, so that no part is cleared again.
  DTC_RETURN_IF_ERROR(
      forEachPart(context, [&](const ValueRef &ref, const VariablePart &part) {
        if (part.first == 0)
          std::memset(ref.at(arena, 0), 0, static_cast<size_t>(ref.placeBytes));
        return Status::ok();
      }));
  return forEachPart(
      context, [&](const ValueRef &ref, const VariablePart &part) -> Status {
        auto generator = makeGenerator(part, context.program.seed());
        if (!generator.isOk())
          return generator.takeStatus().at("variable " + part.name);
        std::byte *target = ref.at(arena, 0);
        int64_t bytes = byteSize(ref.dtype);
        forEachElement(context, ref, part, [&](int64_t local, int64_t global) {
          storeElement(target + local * bytes, ref.dtype, (*generator)(global));
        });
        return Status::ok();
      });
}

} // namespace dtc::rt
