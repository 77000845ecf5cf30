//===- LocalSlice.cpp - Take this coordinate's block of a value -----------===//
//
// Pads of a block that does not fill are zero. Where plan-memory made the
// block a view of the whole, the program has a View instead.
//
//===----------------------------------------------------------------------===//

#include "runtime/instructions/Instructions.h"

#include <cstring>

namespace dtc::rt {
namespace {

class LocalSliceInstruction final : public Instruction {
public:
  ValueRef input, result;
  int64_t outer = 1, whole = 1, inner = 1, block = 1;
  uint32_t dim = 0;
  Mesh mesh;
  const program::Layout *from = nullptr;
  const program::Layout *to = nullptr;
  Coordinates coordinates{};

  explicit LocalSliceInstruction(uint32_t operation, const Mesh &mesh)
      : Instruction(operation), mesh(mesh) {}

  Status execute(ExecuteContext &context) override {
    Coordinates here = coordinates;
    here[kMb] = context.microBatch;
    int64_t global =
        static_cast<int64_t>(input.value->global_shape()->Get(dim));
    Extent held = mesh.extent(*from, global, static_cast<int32_t>(dim), here);
    Extent wanted = mesh.extent(*to, global, static_cast<int32_t>(dim), here);
    int64_t bytes = byteSize(input.dtype) * inner;
    const std::byte *source = input.at(context.arena, context.microBatch);
    std::byte *target = result.at(context.arena, context.microBatch);
    for (int64_t row = 0; row < outer; ++row) {
      std::byte *line = target + row * block * bytes;
      if (wanted.length)
        std::memcpy(line,
                    source + (row * whole + wanted.start - held.start) * bytes,
                    static_cast<size_t>(wanted.length * bytes));
      std::memset(line + wanted.length * bytes, 0,
                  static_cast<size_t>((block - wanted.length) * bytes));
    }
    return Status::ok();
  }
};

} // namespace

Result<std::unique_ptr<Instruction>>
makeLocalSlice(const program::LocalSlice &table, PrepareContext &context) {
  auto made = std::make_unique<LocalSliceInstruction>(table.id(), context.mesh);
  DTC_ASSIGN_OR_RETURN(made->input, context.value(table.input()));
  DTC_ASSIGN_OR_RETURN(made->result, context.value(table.result()));
  const auto *shape = made->input.value->local_shape();
  if (table.axis() >= kMeshAxisCount || !shape ||
      table.dim() >= shape->size() ||
      made->result.value->local_shape()->size() != shape->size())
    return Status::invalidProgram()
           << "local_slice of dimension " << table.dim();
  made->dim = table.dim();
  for (uint32_t d = 0; d < shape->size(); ++d)
    (d < made->dim    ? made->outer
     : d == made->dim ? made->whole
                      : made->inner) *= static_cast<int64_t>(shape->Get(d));
  made->block =
      static_cast<int64_t>(made->result.value->local_shape()->Get(made->dim));
  if (made->outer * made->block * made->inner != made->result.elementCount ||
      made->input.dtype != made->result.dtype)
    return Status::invalidProgram() << "local_slice changes another dimension";
  made->from = &context.layout(made->input);
  made->to = &context.layout(made->result);
  made->coordinates = context.coordinates;
  return made;
}

} // namespace dtc::rt
