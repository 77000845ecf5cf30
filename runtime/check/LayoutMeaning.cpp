//===- LayoutMeaning.cpp - Instructions that lay a value anew -------------===//
//
// The value stays; on the axes that the instruction names its state changes, in
// one way each, and on no other axis.
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Meaning.h"

namespace dtc::rt::check {
namespace {

Status holds(const Content &content, int axis, const std::string &expected) {
  return Status::invalidProgram()
         << content.name << " holds " << content.layout.on(axis).str()
         << " on axis \"" << axisName(axis) << "\", expected " << expected;
}

Status checkElements(uint64_t said, int64_t expected) {
  if (said == static_cast<uint64_t>(expected))
    return Status::ok();
  return Status::invalidProgram()
         << "it says " << said << " elements, expected " << expected;
}

/// Zeros summed are zero; the maximum and or of anything are not known.
void joinPads(ValueLayout &layout) {
  for (PadKind &pad : layout.pads)
    if (pad != PadKind::None && pad != PadKind::Zero)
      pad = PadKind::Any;
}

} // namespace

Meaning::One Meaning::allReduce(const program::AllReduce &table,
                                Content content) const {
  for (uint8_t axis : *table.axes()) {
    AxisLayout &state = content.layout.on(axis);
    if (!state.isPartial() || state.reduction != table.kind())
      return holds(content, axis, AxisLayout::partial(table.kind()).str());
    state = axis == kPp ? AxisLayout::on(state.stages)
                        : AxisLayout::replicated();
  }
  joinPads(content.layout);
  DTC_RETURN_IF_ERROR(
      checkElements(table.elements(), elementCount(content.local)));
  return content;
}

Meaning::One Meaning::reduceScatter(const program::ReduceScatter &table,
                                    Content content) const {
  int axis = table.axis();
  AxisLayout &state = content.layout.on(axis);
  if (!state.isPartial() || state.reduction != ReductionKind::Sum ||
      axis == kPp)
    return holds(content, axis, "P(sum) on dp or tp");
  if (content.global.empty() || !content.layout.isInnermost(axis, 0))
    return Status::invalidProgram()
           << content.name << " lies as " << content.layout.str()
           << ": axis \"" << axisName(axis)
           << "\" is not the innermost of dimension 0";
  state = AxisLayout::split(0);
  Pads pads = content.layout.pads;
  if (pads[0] == PadKind::None)
    pads[0] = PadKind::Zero; // The instruction clears what it appends.
  joinPads(content.layout);
  setPads(mesh, content.layout, content.global, pads);
  setShapes(content);
  DTC_RETURN_IF_ERROR(checkElements(
      table.elements(), elementCount(content.local) * mesh.parts(axis)));
  return content;
}

Meaning::One Meaning::allGather(const program::AllGather &table,
                                Content content) const {
  int axis = table.axis();
  int64_t dim = table.dim();
  AxisLayout &state = content.layout.on(axis);
  if (!state.isSplit(dim) || !content.layout.isInnermost(axis, dim))
    return holds(content, axis,
                 "S(" + std::to_string(dim) + "), the innermost of it");
  DTC_RETURN_IF_ERROR(
      checkElements(table.elements(), elementCount(content.local)));
  state = AxisLayout::replicated();
  Pads pads = content.layout.pads;
  setPads(mesh, content.layout, content.global, pads);
  setShapes(content);
  return content;
}

Meaning::One Meaning::toPartial(const program::ToPartial &table,
                                const Content &input,
                                int64_t microBatch) const {
  ValueLayout said = layoutOf(table.result());
  Content content = input;
  for (uint8_t axis : *table.axes()) {
    AxisLayout &state = content.layout.on(axis);
    if (!state.isReplicated() && !state.isOn())
      return holds(content, axis, axis == kPp ? "On" : "R");
    ReductionKind kind = said.on(axis).reduction;
    if (!said.on(axis).isPartial() || kind == ReductionKind::Max)
      return Status::invalidProgram()
             << "the result holds " << said.on(axis).str() << " on axis \""
             << axisName(axis)
             << "\", expected P(sum) or P(or), of which zero is the identity";
    state = AxisLayout::partial(kind, state.stages);
  }
  joinPads(content.layout);
  content.fill.reset();
  if (content.layout.variesOverTime())
    content.microBatch = microBatch;
  return content;
}

/// R becomes S(dim): the coordinate's own block.
Meaning::One Meaning::takeBlock(const Content &input, int axis, int64_t dim,
                                PadKind pad, int64_t microBatch) const {
  Content content = input;
  AxisLayout &state = content.layout.on(axis);
  if (!state.isReplicated())
    return holds(content, axis, "R");
  if (dim >= static_cast<int64_t>(content.global.size()) ||
      !content.layout.isInnermost(axis, dim))
    return Status::invalidProgram()
           << "axis \"" << axisName(axis) << "\" can't split dimension " << dim
           << " of " << content.name << ", which lies as "
           << content.layout.str();
  state = AxisLayout::split(dim);
  Pads pads = content.layout.pads;
  pads[static_cast<size_t>(dim)] = pad;
  setPads(mesh, content.layout, content.global, pads);
  setShapes(content);
  if (content.layout.variesOverTime())
    content.microBatch = microBatch;
  return content;
}

Meaning::One Meaning::localSlice(const program::LocalSlice &table,
                                 const Content &input,
                                 int64_t microBatch) const {
  DTC_ASSIGN_OR_RETURN(Content content,
                       takeBlock(input, table.axis(), table.dim(),
                                 PadKind::Zero, microBatch));
  content.fill.reset();
  return content;
}

Meaning::One Meaning::view(const program::View &table, const ContentPtr &input,
                           int64_t microBatch) const {
  if (table.op() >= 0) {
    auto op = static_cast<uint32_t>(table.op());
    if (graph.op(op).kind()->str() != "reshape")
      return Status::invalidProgram()
             << "it names graph op " << graph.op(op).kind()->str()
             << ", expected reshape: nothing runs in a view";
    OpUse use{{op}, {input}, {}, {table.result()}};
    DTC_ASSIGN_OR_RETURN(std::vector<Content> made, applyOp(use, microBatch));
    if (elementCount(made[0].local) != elementCount(input->local))
      return Status::invalidProgram()
             << "the reshape has " << elementCount(made[0].local)
             << " elements on a rank, its input "
             << elementCount(input->local);
    return made[0];
  }
  // A micro-batch's rows lie side by side in the rows of the step.
  ValueLayout said = layoutOf(table.result());
  if (!said.on(kMb).isSplit(0) || input->global.empty())
    return Status::invalidProgram()
           << "the result lies as " << said.str()
           << ", expected the rows of a micro-batch, S(0) on axis \"mb\"";
  PadKind pad = input->fill ? PadKind::Fill : input->layout.pads[0];
  if (pad == PadKind::Fill && input->fill && *input->fill == 0 &&
      said.pads[0] == PadKind::Zero)
    pad = PadKind::Zero;
  DTC_ASSIGN_OR_RETURN(Content content,
                       takeBlock(*input, kMb, 0, pad, microBatch));
  int64_t start = plan.address(table.result(), microBatch) -
                  plan.address(table.input(), microBatch);
  if (start != microBatch * content.byteCount())
    return Status::invalidProgram()
           << "the rows of micro-batch " << microBatch << " are taken from byte "
           << start << " of " << content.name << ", expected from "
           << microBatch * content.byteCount();
  return content;
}

Status Meaning::send(const program::Send &table, const Content &content) const {
  for (int axis = 0; axis < kMeshAxisCount; ++axis)
    if (content.layout.on(axis).isPartial())
      return holds(content, axis,
                   "R or S: a partial value is reduced before it is sent");
  if (content.kind != Content::Kind::Value)
    return checkComplete(content, content.name);
  return checkElements(table.elements(), elementCount(content.local));
}

Meaning::One Meaning::receive(const program::Recv &table,
                              Content content) const {
  content.layout.on(kPp) = AxisLayout::on(uint64_t(1) << plan.index());
  DTC_RETURN_IF_ERROR(
      checkElements(table.elements(), elementCount(content.local)));
  return content;
}

} // namespace dtc::rt::check
