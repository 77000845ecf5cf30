//===- Meaning.cpp - Batches, accumulators, buckets, variables ------------===//
//
// And the comparison of what a value is with what the program says of it.
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Meaning.h"

#include "runtime/program/Program.h"

#include <algorithm>

namespace dtc::rt::check {

int64_t elementBytes(program::DType dtype) { return byteSize(toDType(dtype)); }

int64_t Content::byteCount() const {
  return elementCount(local) * elementBytes(dtype);
}

std::string Content::str() const {
  std::string text = name;
  if (kind == Kind::Zeros)
    text += " cleared";
  if (kind == Kind::Accumulator)
    text += " not yet summed";
  if (kind == Kind::Variable)
    text = "variable " + name;
  if (microBatch >= 0)
    text += " of micro-batch " + std::to_string(microBatch);
  return text;
}

ValueLayout Meaning::layoutOf(uint32_t id) const {
  const program::Value &value = plan.value(id);
  size_t rank = value.global_shape() ? value.global_shape()->size() : 0;
  return ValueLayout::read(*program.layouts()->Get(value.layout()), rank);
}

void Meaning::setShapes(Content &content) const {
  content.local = localShape(mesh, content.layout, content.global);
}

Content Meaning::declared(uint32_t id, int64_t microBatch) const {
  const program::Value &value = plan.value(id);
  Content content;
  content.isExact = false;
  content.name = value.name()->str();
  for (uint32_t logical : *value.logicals())
    content.logicals.push_back(graph.canonical(logical));
  content.dtype = value.dtype();
  content.global = toShape(value.global_shape());
  content.local = toShape(value.local_shape());
  content.layout = layoutOf(id);
  if (content.layout.variesOverTime())
    content.microBatch = microBatch;
  return content;
}

/// Terms as a program declares them: the contribution that a value is, of a
/// bucket those of its members, of a sum what it joins.
TermNames Meaning::declaredTerms(const Content &content) const {
  TermNames terms;
  for (uint32_t logical : content.logicals) {
    const flatbuffers::String *name = graph.value(logical).contributes();
    for (uint32_t i = 0; name && i < program.terms()->size(); ++i)
      if (program.terms()->Get(i)->str() == name->str())
        terms.insert(i);
  }
  return terms;
}

Status Meaning::checkDeclared(const Content &content, uint32_t id) const {
  const program::Value &value = plan.value(id);
  Content said = declared(id, content.microBatch);
  auto differs = [&](const auto &is, const auto &expected) {
    return Status::invalidProgram() << "value " << said.name << " is " << is
                                    << ", the program says " << expected;
  };
  if (content.logicals != said.logicals)
    return differs(content.name, said.logicals.empty()
                                     ? std::string("no value of the graph")
                                     : graph.name(said.logicals[0]) +
                                           (said.logicals.size() > 1 ? "+..."
                                                                     : ""));
  if (content.dtype != said.dtype)
    return differs(program::EnumNameDType(content.dtype),
                   program::EnumNameDType(said.dtype));
  if (content.global != said.global)
    return differs(shapeText(content.global), shapeText(said.global));
  for (int axis = 0; axis < kMeshAxisCount; ++axis)
    if (content.layout.on(axis) != said.layout.on(axis))
      return Status::invalidProgram()
             << "value " << said.name << " holds "
             << content.layout.on(axis).str() << " on axis \""
             << axisName(axis) << "\", the program says "
             << said.layout.on(axis).str();
  if (content.local != said.local)
    return differs(shapeText(content.local) + " on a rank",
                   shapeText(said.local));
  for (size_t dim = 0; dim < said.global.size(); ++dim) {
    PadKind is = content.layout.pads[dim], claim = said.layout.pads[dim];
    // To forget what pads hold is no lie, to claim more is.
    bool fits = is == claim || (claim == PadKind::Any && is != PadKind::None) ||
                (content.fill && *content.fill == 0 && is == PadKind::Fill &&
                 claim == PadKind::Zero);
    if (!fits)
      return Status::invalidProgram()
             << "value " << said.name << " has pads "
             << program::EnumNamePadKind(is) << " in dimension " << dim
             << ", the program says " << program::EnumNamePadKind(claim);
  }
  for (uint32_t logical : content.logicals) {
    Degree degree = graph.degree(logical);
    Degree claim{value.degree_scale(), value.degree_count()};
    if (!(degree == claim))
      return differs("of degree " + degree.str() + " in (scale, 1/N)",
                     claim.str());
  }
  TermNames claim;
  if (value.terms())
    claim.insert(value.terms()->begin(), value.terms()->end());
  // A contribution says its own name; another sum, what it joins.
  TermNames own = declaredTerms(content);
  bool fits = own.empty() ? claim == content.terms ||
                                (!content.stageTerms.empty() &&
                                 claim == content.stageTerms)
                          : claim == own ||
                                (!content.terms.empty() &&
                                 claim == content.terms);
  if (content.isExact && !fits)
    return differs("a sum of " + graph.termsText(own.empty() ? content.terms
                                                             : own),
                   graph.termsText(claim));
  return Status::ok();
}

//===-- Batches and accumulators --------------------------------------------===//

Meaning::One Meaning::readBatch(const program::ReadBatch &table) const {
  const program::Input &input = *program.data()->inputs()->Get(table.input());
  std::optional<uint32_t> logical = graph.inputOf(input.name()->str());
  if (!logical)
    return Status::invalidProgram() << "model input " << input.name()->str()
                                    << " is no input of the step graph";
  Content content = declared(table.result(), -1);
  content.isExact = true;
  content.logicals = {*logical};
  content.name = input.name()->str();
  content.dtype = input.dtype();
  content.global = toShape(graph.value(*logical).shape());
  content.fill = input.fill();
  Shape sample = toShape(input.shape());
  if (content.global.empty() ||
      Shape(content.global.begin() + 1, content.global.end()) != sample)
    return Status::invalidProgram()
           << "a sample of " << content.name << " is " << shapeText(sample)
           << ", the step graph's input is " << shapeText(content.global);
  for (int axis = 0; axis < kMeshAxisCount; ++axis) {
    const AxisLayout &state = content.layout.on(axis);
    bool isLegal = axis == kPp   ? state.isOn()
                   : axis == kMb ? state.isReplicated()
                                 : state.isReplicated() || state.isSplit(0);
    if (!isLegal)
      return Status::invalidProgram()
             << "it reads " << content.name << " as " << state.str()
             << " on axis \"" << axisName(axis) << "\", expected "
             << (axis == kPp ? "On" : axis == kMb ? "R" : "R or S(0)");
  }
  setPads(mesh, content.layout, content.global,
          Pads(content.global.size(), PadKind::Fill));
  setShapes(content);
  return content;
}

Meaning::One Meaning::clear(uint32_t accumulator) const {
  Content content = declared(accumulator, -1);
  content.isExact = true;
  content.kind = Content::Kind::Zeros;
  content.added.assign(static_cast<size_t>(mesh.parts(kMb)), false);
  if (content.layout.variesOverTime())
    return Status::invalidProgram()
           << "accumulator " << content.name << " holds "
           << content.layout.on(kMb).str() << " on axis \"mb\", expected R";
  return content;
}

Meaning::One Meaning::accumulate(const Content &value,
                                 const Content &accumulator,
                                 int64_t microBatch) const {
  const AxisLayout &state = value.layout.on(kMb);
  if (!state.isPartial() || state.reduction != ReductionKind::Sum)
    return Status::invalidProgram()
           << value.name << " holds " << state.str()
           << " on axis \"mb\", expected P(sum)";
  Content content = value;
  content.layout.on(kMb) = AxisLayout::replicated();
  content.microBatch = -1;
  if (!value.isExact)
    return content;
  bool isCleared = accumulator.kind == Content::Kind::Zeros;
  if (!isCleared && accumulator.kind != Content::Kind::Accumulator)
    return Status::invalidProgram()
           << "it adds to " << accumulator.str()
           << ", expected a cleared accumulator";
  bool isSame = isCleared ? accumulator.local == content.local &&
                                accumulator.dtype == content.dtype
                          : accumulator.logicals == content.logicals &&
                                accumulator.layout.axes == content.layout.axes &&
                                accumulator.terms == content.terms;
  if (!isSame)
    return Status::invalidProgram() << "it adds " << value.str() << " to "
                                    << accumulator.str();
  content.added = accumulator.added;
  auto m = static_cast<size_t>(microBatch);
  if (m >= content.added.size() || content.added[m])
    return Status::invalidProgram()
           << "micro-batch " << microBatch << " of " << value.name
           << " is added twice on axis \"mb\"";
  content.added[m] = true;
  bool isFull = std::find(content.added.begin(), content.added.end(), false) ==
                content.added.end();
  content.kind = isFull ? Content::Kind::Value : Content::Kind::Accumulator;
  if (!isCleared) // A pad that is zero in each addend is zero in the sum.
    for (size_t dim = 0; dim < content.layout.pads.size(); ++dim)
      if (accumulator.layout.pads[dim] != content.layout.pads[dim])
        content.layout.pads[dim] = PadKind::Any;
  return content;
}

//===-- Buckets -------------------------------------------------------------===//

Meaning::One Meaning::pack(const program::PackBucket &table,
                           const Contents &members) const {
  Content bucket = declared(table.result(), -1);
  bucket.logicals.clear();
  bucket.dtype = members[0]->dtype;
  int64_t length = 0;
  for (const ContentPtr &member : members) {
    std::string label = member->name;
    if (member->logicals.size() == 1) {
      const auto *name = graph.value(member->logicals[0]).contributes();
      if (name && name->size())
        label = "the gradient of " + name->str();
    }
    if (member->kind != Content::Kind::Value)
      return checkComplete(*member, label);
    for (int axis = 0; axis < kMeshAxisCount; ++axis) {
      const AxisLayout &state = member->layout.on(axis);
      const AxisLayout &first = members[0]->layout.on(axis);
      AxisLayout packed = state.isSplit() ? AxisLayout::opaque() : state;
      bool isAlike = state.isSplit() ? first.isSplit() : state == first;
      if (axis == kMb ? !state.isReplicated() : !isAlike)
        return Status::invalidProgram()
               << label << " holds " << state.str() << " on axis \""
               << axisName(axis) << "\", expected "
               << (axis == kMb ? "R" : first.str());
      bucket.layout.on(axis) = packed;
    }
    for (size_t dim = 0; dim < member->layout.pads.size(); ++dim)
      if (PadKind pad = member->layout.pads[dim];
          pad != PadKind::None && pad != PadKind::Zero)
        return Status::invalidProgram()
               << label << " has pads " << program::EnumNamePadKind(pad)
               << " in dimension " << dim << ", expected Zero in a bucket";
    if (member->dtype != bucket.dtype)
      return Status::invalidProgram() << label << " has another element type";
    bucket.logicals.insert(bucket.logicals.end(), member->logicals.begin(),
                           member->logicals.end());
    bucket.terms.insert(member->terms.begin(), member->terms.end());
    bucket.members.push_back({member->layout, elementCount(member->local)});
    length += bucket.members.back().elements;
  }
  bucket.isExact = members[0]->isExact;
  bucket.global = {length};
  bucket.layout.pads = {PadKind::None};
  setShapes(bucket);
  return bucket;
}

Result<std::vector<Content>>
Meaning::unpack(const program::UnpackBucket &table,
                const Content &bucket) const {
  std::vector<Content> results;
  if (bucket.isExact &&
      (!bucket.isPacked() || bucket.members.size() != table.results()->size()))
    return Status::invalidProgram()
           << bucket.name << " packs " << bucket.members.size()
           << " members, it takes " << table.results()->size();
  for (uint32_t k = 0; k < table.results()->size(); ++k) {
    uint32_t id = table.results()->Get(k);
    if (!bucket.isExact) {
      results.push_back(declared(id, -1));
      continue;
    }
    Content member = bucket;
    member.members.clear();
    member.logicals = {bucket.logicals[k]};
    member.name = graph.name(member.logicals[0]);
    member.global = toShape(graph.value(member.logicals[0]).shape());
    for (int axis = 0; axis < kMeshAxisCount; ++axis) {
      const AxisLayout &state = bucket.layout.on(axis);
      if (state.isSplit())
        return Status::invalidProgram()
               << bucket.name << " holds " << state.str() << " on axis \""
               << axisName(axis) << "\", expected R: a shard has no members";
      if (state.kind == AxisKind::Opaque)
        member.layout.on(axis) = bucket.members[k].layout.on(axis);
    }
    setPads(mesh, member.layout, member.global,
            Pads(member.global.size(), PadKind::Zero));
    setShapes(member);
    if (elementCount(member.local) != bucket.members[k].elements)
      return Status::invalidProgram()
             << member.name << " has " << elementCount(member.local)
             << " elements on a rank, the bucket "
             << bucket.members[k].elements;
    results.push_back(std::move(member));
  }
  return results;
}

//===-- Variables and reports -----------------------------------------------===//

Content Meaning::ofVariable(uint32_t index) const {
  const program::Variable &variable = *program.variables()->Get(index);
  int32_t id = variable.values()->Get(plan.index());
  Content content = declared(static_cast<uint32_t>(id), -1);
  content.isExact = true;
  content.kind = Content::Kind::Variable;
  content.name = variable.name()->str();
  content.variable = static_cast<int32_t>(index);
  content.logicals.clear();
  auto add = [&](const std::string &name) {
    if (std::optional<uint32_t> read = graph.readOf(name))
      content.logicals.push_back(*read);
  };
  if (!variable.members() || variable.members()->size() == 0) {
    add(content.name);
  } else {
    for (const program::Member *member : *variable.members()) {
      add(member->name()->str());
      Shape global = toShape(member->global_shape());
      ValueLayout layout = ValueLayout::read(
          *program.layouts()->Get(member->layout()), global.size());
      content.members.push_back(
          {layout, elementCount(localShape(mesh, layout, global))});
    }
  }
  // Variables are zero in pads: so filled at the start, and so stored.
  setPads(mesh, content.layout, content.global,
          Pads(content.global.size(), PadKind::Zero));
  setShapes(content);
  return content;
}

Status Meaning::store(const program::Store &table,
                      const Content &content) const {
  const program::Variable &variable =
      *program.variables()->Get(table.variable());
  std::string name = variable.name()->str();
  DTC_RETURN_IF_ERROR(checkComplete(content, content.name));
  if (variable.values()->Get(plan.index()) < 0)
    return Status::invalidProgram()
           << "variable " << name << " is not on this stage";
  std::vector<uint32_t> expected;
  auto add = [&](const std::string &stored) -> Status {
    std::optional<uint32_t> value = graph.storeOf(stored);
    if (!value)
      return Status::invalidProgram()
             << "the step graph stores nothing in variable " << stored;
    expected.push_back(*value);
    return Status::ok();
  };
  if (!variable.members() || variable.members()->size() == 0)
    DTC_RETURN_IF_ERROR(add(name));
  else
    for (const program::Member *member : *variable.members())
      DTC_RETURN_IF_ERROR(add(member->name()->str()));
  if (content.logicals != expected)
    return Status::invalidProgram()
           << "variable " << name << " gets " << content.name
           << ", the graph stores " << graph.name(expected[0])
           << (expected.size() > 1 ? " and others" : "");
  Content before = ofVariable(table.variable());
  for (int axis = 0; axis < kMeshAxisCount; ++axis)
    if (content.layout.on(axis) != before.layout.on(axis))
      return Status::invalidProgram()
             << content.name << " holds " << content.layout.on(axis).str()
             << " on axis \"" << axisName(axis) << "\", variable " << name
             << " lies as " << before.layout.on(axis).str();
  bool fits = content.local == before.local && content.dtype == before.dtype &&
              content.members.size() == before.members.size();
  if (!fits && content.isExact)
    return Status::invalidProgram()
           << "variable " << name << " is " << shapeText(before.local)
           << " on a rank, it gets " << shapeText(content.local);
  for (PadKind pad : content.layout.pads)
    if (pad != PadKind::None && pad != PadKind::Zero)
      return Status::invalidProgram()
             << content.name << " has pads " << program::EnumNamePadKind(pad)
             << ", expected Zero in variable " << name;
  return Status::ok();
}

Status Meaning::report(const program::Report &table,
                       const Content &content) const {
  std::string metric = table.metric()->str();
  std::optional<uint32_t> expected = graph.reportOf(metric);
  if (!expected || content.logicals != std::vector<uint32_t>{*expected})
    return Status::invalidProgram()
           << "metric " << metric << " is " << content.name
           << ", the step graph reports "
           << (expected ? graph.name(*expected) : "no such metric");
  DTC_RETURN_IF_ERROR(checkComplete(content, content.name));
  for (int axis = 0; axis < kMeshAxisCount; ++axis) {
    const AxisLayout &state = content.layout.on(axis);
    if (!state.isReplicated() && !state.isOn())
      return Status::invalidProgram()
             << content.name << " holds " << state.str() << " on axis \""
             << axisName(axis) << "\", expected R in a report";
  }
  if (elementCount(content.local) != 1)
    return Status::invalidProgram() << content.name << " is "
                                    << shapeText(content.local)
                                    << ", expected a scalar in a report";
  return Status::ok();
}

//===-- Every instruction ---------------------------------------------------===//

Result<std::vector<Content>>
Meaning::evaluate(const PlannedInstruction &instruction, int64_t microBatch,
                  const Contents &reads) const {
  auto one = [](One made) -> Result<std::vector<Content>> {
    if (!made.isOk())
      return made.takeStatus();
    return std::vector<Content>{std::move(*made)};
  };
  auto none = [](Status status) -> Result<std::vector<Content>> {
    if (!status.isOk())
      return status;
    return std::vector<Content>();
  };
  const program::Instruction &table = *instruction.table;
  // Sums over time are read whole, but by what makes them.
  if (instruction.kind != InstructionKind::Accumulate)
    for (const ContentPtr &read : reads)
      if (read->kind == Content::Kind::Accumulator ||
          read->kind == Content::Kind::Zeros)
        return checkComplete(*read, read->name);
  switch (instruction.kind) {
  case InstructionKind::LaunchKernel:
    return launchKernel(instruction, microBatch, reads);
  case InstructionKind::MatMul:
    return matMul(instruction, microBatch, reads);
  case InstructionKind::AllReduce:
    return one(allReduce(*table.kind_as_AllReduce(), *reads[0]));
  case InstructionKind::ReduceScatter:
    return one(reduceScatter(*table.kind_as_ReduceScatter(), *reads[0]));
  case InstructionKind::AllGather:
    return one(allGather(*table.kind_as_AllGather(), *reads[0]));
  case InstructionKind::Send:
    return none(send(*table.kind_as_Send(), *reads[0]));
  case InstructionKind::Recv:
    return one(receive(*table.kind_as_Recv(), *reads[0]));
  case InstructionKind::ReadBatch:
    return one(readBatch(*table.kind_as_ReadBatch()));
  case InstructionKind::Clear:
    return one(clear(table.kind_as_Clear()->accumulator()));
  case InstructionKind::Accumulate:
    return one(accumulate(*reads[0], *reads[1], microBatch));
  case InstructionKind::ToPartial:
    return one(toPartial(*table.kind_as_ToPartial(), *reads[0], microBatch));
  case InstructionKind::LocalSlice:
    return one(localSlice(*table.kind_as_LocalSlice(), *reads[0], microBatch));
  case InstructionKind::View:
    return one(view(*table.kind_as_View(), reads[0], microBatch));
  case InstructionKind::Copy:
    return std::vector<Content>{*reads[0]};
  case InstructionKind::PackBucket:
    return one(pack(*table.kind_as_PackBucket(), reads));
  case InstructionKind::UnpackBucket:
    return unpack(*table.kind_as_UnpackBucket(), *reads[0]);
  case InstructionKind::Store:
    return none(store(*table.kind_as_Store(), *reads[0]));
  case InstructionKind::Report:
    return none(report(*table.kind_as_Report(), *reads[0]));
  default: // Read and Wait make no content here: the walk knows variables.
    return std::vector<Content>();
  }
}

} // namespace dtc::rt::check
