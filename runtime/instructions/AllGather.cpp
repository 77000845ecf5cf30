//===- AllGather.cpp - Make a split value whole along one axis ------------===//
//
// Shards of dimension 0 land where they belong. Of another dimension they are
// gathered into a workspace and put in place row by row, cropped of their
// pads.
//
//===----------------------------------------------------------------------===//

#include "runtime/instructions/Instructions.h"

#include <algorithm>
#include <cstring>

namespace dtc::rt {
namespace {

class AllGatherInstruction final : public Instruction {
public:
  explicit AllGatherInstruction(uint32_t operation)
      : Instruction(operation, Work::kCommunication) {}
  ValueRef input, result;
  std::vector<int> axes;
  GroupHandle group;
  int64_t dim = 0, parts = 1, workspace = -1;
  int64_t outer = 1, block = 1, whole = 1, inner = 1;

  /// From shards one after another to rows of the whole.
  void interleave(const std::byte *shards, std::byte *destination) const {
    int64_t bytes = byteSize(input.dtype) * inner;
    for (int64_t row = 0; row < outer; ++row)
      for (int64_t part = 0; part < parts; ++part) {
        int64_t first = part * block;
        int64_t length = std::min(block, whole - first);
        if (length > 0)
          std::memcpy(destination + (row * whole + first) * bytes,
                      shards + (part * outer + row) * block * bytes,
                      static_cast<size_t>(length * bytes));
      }
  }

  Status prepare(PrepareContext &context) override {
    DTC_ASSIGN_OR_RETURN(group, context.group(axes, input));
    return Status::ok();
  }

  Status execute(ExecuteContext &context) override {
    std::byte *destination = result.at(context.arena, context.microBatch);
    std::byte *target = workspace < 0 ? destination : context.arena + workspace;
    DTC_RETURN_IF_ERROR(context.communicator->allGather(
        group, input.at(context.arena, context.microBatch), target,
        input.elementCount, input.dtype));
    if (workspace >= 0)
      interleave(target, destination);
    return Status::ok();
  }
};

} // namespace

Result<std::unique_ptr<Instruction>>
makeAllGather(const program::AllGather &table, PrepareContext &context) {
  auto made = std::make_unique<AllGatherInstruction>(table.id());
  DTC_ASSIGN_OR_RETURN(made->input, context.value(table.input()));
  DTC_ASSIGN_OR_RETURN(made->result, context.value(table.result()));
  if (table.axis() >= kMb || !made->input.value->local_shape() ||
      table.dim() >= made->input.value->local_shape()->size() ||
      made->result.value->local_shape()->size() !=
          made->input.value->local_shape()->size())
    return Status::invalidProgram() << "all_gather of dimension " << table.dim()
                                    << " over axis " << int(table.axis());
  made->axes = {table.axis()};
  made->dim = table.dim();
  made->parts = context.mesh.parts(table.axis());
  const auto &from = *made->input.value->local_shape();
  const auto &to = *made->result.value->local_shape();
  for (uint32_t dim = 0; dim < from.size(); ++dim) {
    if (dim != made->dim && from[dim] != to[dim])
      return Status::invalidProgram() << "all_gather changes dimension " << dim;
    int64_t size = static_cast<int64_t>(from[dim]);
    (dim < made->dim    ? made->outer
     : dim == made->dim ? made->block
                        : made->inner) *= size;
  }
  made->whole = static_cast<int64_t>(to[made->dim]);
  int64_t gathered = made->input.byteCount() * made->parts;
  bool direct = made->outer == 1 && made->result.placeBytes >= gathered;
  if (!direct) {
    made->workspace = table.workspace_offset();
    auto arena = static_cast<int64_t>(context.stage.arena_bytes());
    if (made->workspace < 0 || gathered > arena ||
        made->workspace > arena - gathered)
      return Status::invalidProgram()
             << "all_gather needs a workspace of " << gathered << " bytes at "
             << made->workspace << " of an arena of "
             << context.stage.arena_bytes();
  }
  if (made->whole > made->block * made->parts ||
      made->input.dtype != made->result.dtype ||
      table.elements() != static_cast<uint64_t>(made->input.elementCount))
    return Status::invalidProgram()
           << "all_gather of " << table.elements() << " elements, "
           << made->parts << " blocks of " << made->block << " for "
           << made->whole;
  return made;
}

} // namespace dtc::rt
