//===- KernelMeaning.cpp - Kernels as ops of the step graph ---------------===//
//
// A kernel names the graph ops that it computes. Each is held to the graph: its
// operands are the values that the graph says, they lie as its rules want, and
// sums that it reads are complete. On a bucket a kernel names one graph op a
// member, and they are held to the graph together. What a kernel's code does
// with its buffers is not looked at; that it gets the right ones, in the op's
// order, is.
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Meaning.h"

#include <algorithm>

namespace dtc::rt::check {
namespace {

/// Values of the graph that an operand has to be: one, or one a member.
std::vector<uint32_t> expectedLogicals(const GraphFacts &graph,
                                       const std::vector<uint32_t> &ops,
                                       uint32_t position) {
  std::vector<uint32_t> logicals;
  for (uint32_t op : ops)
    logicals.push_back(
        graph.canonical(graph.op(op).operands()->Get(position)));
  if (std::all_of(logicals.begin(), logicals.end(),
                  [&](uint32_t value) { return value == logicals[0]; }))
    logicals.resize(1); // The flag, say: one value for all members.
  return logicals;
}

/// A constant has none.
size_t operandCount(const program::GraphOp &op) {
  return op.operands() ? op.operands()->size() : 0;
}

std::string namesOf(const GraphFacts &graph,
                    const std::vector<uint32_t> &logicals) {
  std::string text;
  for (uint32_t logical : logicals)
    text += (text.empty() ? "" : "+") + graph.name(logical);
  return text.empty() ? "no value of the graph" : text;
}

AxisLayout withoutStages(AxisLayout state) {
  if (state.isOn())
    return AxisLayout::replicated();
  state.stages = 0;
  return state;
}

} // namespace

/// Sums keep the order of their terms to themselves, so their operands are
/// looked up one by one in joinTerms; all other operands have their position.
Status Meaning::checkIdentity(const OpUse &use) const {
  const program::GraphOp &op = graph.op(use.ops[0]);
  for (uint32_t other : use.ops)
    if (graph.op(other).kind()->str() != op.kind()->str() ||
        operandCount(graph.op(other)) != operandCount(op))
      return Status::invalidProgram()
             << "one kernel on a bucket names " << op.kind()->str() << " "
             << op.name()->str() << " and " << graph.op(other).kind()->str()
             << " " << graph.op(other).name()->str();
  if (joinsTerms(op))
    return Status::ok();
  size_t count = operandCount(op);
  if (use.operands.size() != count)
    return Status::invalidProgram()
           << op.kind()->str() << " " << op.name()->str() << " gets "
           << use.operands.size() << " operands, the graph says " << count;
  for (uint32_t i = 0; i < count; ++i) {
    std::vector<uint32_t> expected = expectedLogicals(graph, use.ops, i);
    if (use.operands[i]->logicals != expected)
      return Status::invalidProgram()
             << op.kind()->str() << " " << op.name()->str() << ": "
             << operandName(op, i) << " is "
             << namesOf(graph, use.operands[i]->logicals)
             << ", the graph says " << namesOf(graph, expected);
  }
  return Status::ok();
}

/// Union of the operands' terms; a sum takes each once.
Result<TermNames> Meaning::joinTerms(const OpUse &use) const {
  const program::GraphOp &op = graph.op(use.ops[0]);
  uint32_t result = graph.canonical(op.results()->Get(0));
  bool isSum = op.kind()->str() == "sum";
  std::string what = op.kind()->str() + " " + op.name()->str();
  TermNames joined;
  std::set<uint32_t> taken; // positions
  auto add = [&](uint32_t term, const std::string &operand) -> Status {
    if (joined.insert(term).second || !isSum)
      return Status::ok();
    return Status::invalidProgram()
           << what << ": term " << program.terms()->Get(term)->str()
           << " enters twice, again with " << operand;
  };
  for (size_t i = 0; i < use.operands.size(); ++i) {
    const Content &operand = *use.operands[i];
    if (operand.logicals.size() > 1 && !operand.global.empty())
      return Status::invalidProgram()
             << what << ": operand " << i << " is bucket " << operand.name
             << ", expected a value of the graph";
    for (uint32_t logical : operand.logicals) {
      if (logical == result) { // a part of this sum, made on another stage
        for (uint32_t term : operand.terms)
          DTC_RETURN_IF_ERROR(add(term, operand.name));
        continue;
      }
      uint32_t position = 0, count = op.operands()->size();
      while (position < count &&
             (graph.canonical(op.operands()->Get(position)) != logical ||
              taken.count(position)))
        ++position;
      if (position == count)
        return Status::invalidProgram()
               << what << ": operand " << i << " is " << graph.name(logical)
               << ", which the graph does not sum there (again)";
      taken.insert(position);
      if (op.terms()->Get(position)->terms())
        for (uint32_t term : *op.terms()->Get(position)->terms())
          DTC_RETURN_IF_ERROR(add(term, graph.name(logical)));
    }
  }
  return joined;
}

Status Meaning::checkComplete(const Content &content,
                              const std::string &label) const {
  if (content.kind == Content::Kind::Accumulator ||
      content.kind == Content::Kind::Zeros) {
    std::string missing;
    for (size_t m = 0; m < content.added.size(); ++m)
      if (!content.added[m])
        missing += (missing.empty() ? "" : ", ") + std::to_string(m);
    return Status::invalidProgram()
           << label << " is the sum of " << content.name
           << " without micro-batches " << missing << " on axis \"mb\"";
  }
  if (!content.isExact)
    return Status::ok();
  TermNames full;
  for (uint32_t logical : content.logicals)
    if (const TermNames *terms = graph.fullTerms(logical))
      full.insert(terms->begin(), terms->end());
  bool isComplete =
      std::includes(content.terms.begin(), content.terms.end(), full.begin(),
                    full.end());
  if (isComplete)
    return Status::ok();
  int32_t maker = -1;
  for (uint32_t logical : content.logicals)
    if (maker < 0 && graph.fullTerms(logical))
      maker = graph.maker(logical);
  const program::GraphOp &sum = graph.op(static_cast<uint32_t>(maker));
  return Status::invalidProgram()
         << label << ": " << sum.kind()->str() << " "
         << namesOf(graph, content.logicals) << " has terms "
         << graph.termsText(content.terms) << ", the graph "
         << graph.termsText(full)
         << "; what is missing is on other stages, over axis \"pp\", or was "
            "left out";
}

/// The value that labels hold in rows without a sample is the one ignored.
Status Meaning::checkIgnore(const OpUse &use) const {
  OpView view{&graph.op(use.ops[0]), {}, {}};
  std::vector<int64_t> ignore = view.integers("ignore");
  if (ignore.empty())
    return Status::ok();
  for (const ContentPtr &operand : use.operands)
    if (operand->fill && *operand->fill != static_cast<double>(ignore[0]) &&
        operand->dtype != program::DType::F32)
      return Status::invalidProgram()
             << operand->name << " holds " << *operand->fill
             << " in rows without a sample, the op ignores " << ignore[0];
  return Status::ok();
}

OpView Meaning::viewUse(const OpUse &use) const {
  OpView view = graph.view(use.ops[0]);
  const program::GraphOp &op = *view.table;
  bool joins = joinsTerms(op);
  if (joins)
    view.operands.assign(use.operands.size(), view.results[0]);
  Shape packed;
  for (size_t i = 0; i < use.operands.size(); ++i) {
    const Content &operand = *use.operands[i];
    bool isBucket =
        operand.isPacked() ||
        (!operand.isExact && operand.global.size() == 1 &&
         (operand.logicals.size() > 1 || operand.global != view.operands[i]));
    if (isBucket && !joins) {
      view.operands[i] = operand.global;
      packed = operand.global;
    }
    if (!joins)
      continue;
    std::string terms;
    for (uint32_t logical : operand.logicals)
      for (uint32_t position = 0; position < op.operands()->size(); ++position)
        if (graph.canonical(op.operands()->Get(position)) == logical &&
            op.terms()->Get(position)->terms())
          for (uint32_t term : *op.terms()->Get(position)->terms())
            terms += (terms.empty() ? "" : ", ") +
                     program.terms()->Get(term)->str();
    view.labels.push_back("the term of " + terms + " (" + operand.name + ")");
  }
  // Results that have a tensor's shape are buckets too.
  if (!packed.empty())
    for (Shape &result : view.results)
      if (!result.empty())
        result = packed;
  return view;
}

/// An op runs where its results are. Only what joins stages makes P over them.
Result<AxisLayout> Meaning::inferStages(const OpView &view, const OpUse &use,
                                        std::optional<AxisLayout> said) const {
  uint64_t common = ~uint64_t(0);
  std::optional<AxisLayout> partial;
  for (const ContentPtr &operand : use.operands) {
    AxisLayout state = operand->layout.on(kPp);
    if (state.isPartial())
      partial = state;
    common &= state.stages;
  }
  uint64_t here = uint64_t(1) << plan.index();
  if (use.operands.empty())
    common = said ? said->stages : here;
  AxisLayout result = said ? *said
                      : partial ? *partial
                                : AxisLayout::on(common);
  bool joins = joinsTerms(*view.table);
  if (!result.isPartial() || !joins) {
    // As on the other axes, but that On stands for R.
    std::vector<AxisLayout> states;
    for (const ContentPtr &operand : use.operands)
      states.push_back(withoutStages(operand->layout.on(kPp)));
    DTC_ASSIGN_OR_RETURN(std::vector<AxisLayout> inferred,
                         inferAxis(view, kPp, states));
    if (inferred[0] != withoutStages(result))
      return Status::invalidProgram()
             << "the result holds " << result.str()
             << " on axis \"pp\", expected " << inferred[0].str();
  }
  for (size_t i = 0; i < use.operands.size(); ++i) {
    AxisLayout state = use.operands[i]->layout.on(kPp);
    bool isLegal =
        joins && result.isPartial()
            ? (state.isOn() || state.reduction == result.reduction) &&
                  (state.stages & ~result.stages) == 0
            : (result.stages & ~state.stages) == 0;
    if (!isLegal)
      return Status::invalidProgram()
             << view.label(i) << " holds " << state.str()
             << " on axis \"pp\", the result " << result.str();
  }
  if (!(result.stages & here) ||
      (!result.isOn() && !result.isPartial()))
    return Status::invalidProgram()
           << "the result holds " << result.str()
           << " on axis \"pp\", expected a set with stage " << plan.index();
  if (result.isPartial() && joins) {
    ReductionKind kind = view.kind() == "or" ? ReductionKind::Or
                                             : ReductionKind::Sum;
    if (result.reduction != kind)
      return Status::invalidProgram()
             << "the result holds " << result.str()
             << " on axis \"pp\", expected " << AxisLayout::partial(kind).str();
  }
  return result;
}

Result<std::vector<Content>> Meaning::applyOp(const OpUse &use,
                                              int64_t microBatch) const {
  const program::GraphOp &op = graph.op(use.ops[0]);
  DTC_RETURN_IF_ERROR(checkIdentity(use));
  DTC_RETURN_IF_ERROR(checkIgnore(use));
  OpView view = viewUse(use);
  for (size_t i = 0; i < use.operands.size(); ++i)
    if (use.operands[i]->global != view.operands[i])
      return Status::invalidProgram()
             << view.label(i) << " is " << shapeText(use.operands[i]->global)
             << ", the graph says " << shapeText(view.operands[i]);
  bool joins = joinsTerms(op);
  uint32_t own = graph.canonical(op.results()->Get(0));
  for (size_t i = 0; i < use.operands.size(); ++i) {
    const Content &operand = *use.operands[i];
    bool isOwnPart = joins && operand.logicals == std::vector<uint32_t>{own} &&
                     operand.kind == Content::Kind::Value;
    if (!isOwnPart)
      DTC_RETURN_IF_ERROR(checkComplete(operand, view.label(i)));
  }

  std::vector<Content> results(view.results.size());
  for (int axis = 0; axis < kMeshAxisCount; ++axis) {
    if (axis == kPp)
      continue;
    std::vector<AxisLayout> states;
    for (const ContentPtr &operand : use.operands)
      states.push_back(operand->layout.on(axis));
    DTC_ASSIGN_OR_RETURN(std::vector<AxisLayout> inferred,
                         inferAxis(view, axis, states));
    for (size_t r = 0; r < results.size(); ++r)
      results[r].layout.on(axis) = inferred[r];
  }
  std::vector<Pads> operandPads;
  for (const ContentPtr &operand : use.operands) {
    operandPads.push_back(operand->layout.pads);
    bool fillsZero = operand->fill && *operand->fill == 0 &&
                     operand->dtype == program::DType::F32;
    for (PadKind &pad : operandPads.back())
      if (pad == PadKind::Fill && fillsZero)
        pad = PadKind::Zero;
  }
  DTC_ASSIGN_OR_RETURN(std::vector<Pads> pads,
                       findOpKind(view.kind())->pads(view, operandPads));
  TermNames terms;
  if (joins) {
    DTC_ASSIGN_OR_RETURN(terms, joinTerms(use));
  }

  const Content *packed = nullptr;
  for (const ContentPtr &operand : use.operands) {
    if (!operand->isPacked())
      continue;
    bool fits = !packed || packed->members.size() == operand->members.size();
    for (size_t k = 0; fits && packed && k < packed->members.size(); ++k)
      fits = packed->members[k].elements == operand->members[k].elements;
    if (!fits)
      return Status::invalidProgram()
             << operand->name << " packs other lengths than " << packed->name;
    packed = operand.get();
  }
  for (size_t r = 0; r < results.size(); ++r) {
    Content &result = results[r];
    for (uint32_t one : use.ops)
      result.logicals.push_back(graph.canonical(
          graph.op(one).results()->Get(static_cast<uint32_t>(r))));
    result.name = graph.name(result.logicals[0]);
    result.dtype = graph.value(result.logicals[0]).dtype();
    result.global = view.results[r];
    std::optional<AxisLayout> said;
    if (r < use.outputs.size())
      said = layoutOf(use.outputs[r]).on(kPp);
    DTC_ASSIGN_OR_RETURN(result.layout.on(kPp), inferStages(view, use, said));
    setPads(mesh, result.layout, result.global, pads[r]);
    setShapes(result);
    result.terms = terms;
    result.microBatch = result.layout.variesOverTime() ? microBatch : -1;
    if (packed && !result.global.empty())
      result.members = packed->members;
    for (const ContentPtr &operand : use.operands)
      result.isExact &= operand->isExact;
  }
  return results;
}

Result<std::vector<Content>> Meaning::maskPads(const Contents &reads) const {
  // The one kernel that is no op of the graph: it sets pads to zero.
  if (reads.size() != 1)
    return Status::invalidProgram()
           << "a kernel that names no graph op masks pads: it has "
           << reads.size() << " inputs, expected 1";
  Content content = *reads[0];
  for (PadKind &pad : content.layout.pads)
    if (pad != PadKind::None)
      pad = PadKind::Zero;
  content.fill.reset();
  return std::vector<Content>{content};
}

/// Members of the bucket that the op at `first` works on; 1 where on none.
size_t Meaning::memberCount(const std::vector<uint32_t> &ops, size_t first,
                            const Contents &known) const {
  const program::GraphOp &op = graph.op(ops[first]);
  if (joinsTerms(op) || !op.operands())
    return 1;
  for (uint32_t operand : *op.operands())
    for (const ContentPtr &content : known)
      if (content->logicals.size() > 1 &&
          content->logicals[0] == graph.canonical(operand))
        return std::min(content->logicals.size(), ops.size() - first);
  return 1;
}

/// Ops one after another, on inputs and on what earlier ones made.
Result<std::vector<Content>>
Meaning::runFused(const std::vector<uint32_t> &ops,
                  const PlannedInstruction &instruction, int64_t microBatch,
                  const Contents &reads) const {
  Contents known = reads;
  std::vector<size_t> firstUses; // inputs in the order in which ops read them
  for (size_t first = 0; first < ops.size();) {
    size_t count = memberCount(ops, first, known);
    OpUse use;
    use.ops.assign(ops.begin() + static_cast<std::ptrdiff_t>(first),
                   ops.begin() + static_cast<std::ptrdiff_t>(first + count));
    const program::GraphOp &op = graph.op(ops[first]);
    for (uint32_t i = 0; op.operands() && i < op.operands()->size(); ++i) {
      std::vector<uint32_t> wanted = expectedLogicals(graph, use.ops, i);
      size_t found = known.size();
      for (size_t k = known.size(); k-- > 0;)
        if (known[k]->logicals == wanted)
          found = k;
      if (found == known.size()) {
        if (joinsTerms(op)) // A sum may hold the terms of one stage only.
          continue;
        return Status::invalidProgram()
               << op.kind()->str() << " " << op.name()->str() << ": "
               << operandName(op, i) << " is none of the kernel's inputs, the "
               << "graph says " << namesOf(graph, wanted);
      }
      if (found < reads.size() &&
          std::find(firstUses.begin(), firstUses.end(), found) ==
              firstUses.end())
        firstUses.push_back(found);
      use.operands.push_back(known[found]);
    }
    DTC_ASSIGN_OR_RETURN(std::vector<Content> made, applyOp(use, microBatch));
    for (Content &content : made)
      known.push_back(std::make_shared<Content>(std::move(content)));
    first += count;
  }
  // A kernel's buffers have no names: inputs stand in the order of first use,
  // outputs in the order of making.
  for (size_t i = 0; i < reads.size(); ++i)
    if (i >= firstUses.size() || firstUses[i] != i)
      return Status::invalidProgram()
             << "input " << i << " of the kernel is " << reads[i]->name
             << ", expected "
             << (i < firstUses.size()
                     ? reads[firstUses[i]]->name + ", which its ops read next"
                     : "no more: none of its ops reads it");
  std::vector<Content> results;
  size_t last = 0;
  for (uint32_t output : instruction.writes) {
    Content said = declared(output, microBatch);
    const Content *found = nullptr;
    for (size_t k = std::max(last, reads.size()); !found && k < known.size();
         ++k)
      if (known[k]->logicals == said.logicals) {
        found = known[k].get();
        last = k + 1;
      }
    if (!found)
      return Status::invalidProgram()
             << "output " << said.name << " is "
             << namesOf(graph, said.logicals)
             << ", which none of the kernel's ops makes (next)";
    results.push_back(*found);
  }
  return results;
}

Result<std::vector<Content>>
Meaning::launchKernel(const PlannedInstruction &instruction,
                      int64_t microBatch, const Contents &reads) const {
  const program::LaunchKernel &table = *instruction.table->kind_as_LaunchKernel();
  std::vector<uint32_t> ops;
  if (table.ops())
    ops.assign(table.ops()->begin(), table.ops()->end());
  if (ops.empty())
    return maskPads(reads);
  if (memberCount(ops, 0, reads) != ops.size())
    return runFused(ops, instruction, microBatch, reads);
  OpUse use{ops, reads, {}, instruction.writes};
  return applyOp(use, microBatch);
}

Result<std::vector<Content>>
Meaning::matMul(const PlannedInstruction &instruction, int64_t microBatch,
                const Contents &reads) const {
  const program::MatMul &table = *instruction.table->kind_as_MatMul();
  OpUse use{{table.op()}, reads, {}, instruction.writes};
  OpView view = graph.view(table.op());
  if (view.kind() != "matmul")
    return Status::invalidProgram()
           << "it names graph op " << view.kind() << " "
           << view.table->name()->str() << ", expected matmul";
  if (view.hasFlag("transpose_lhs") != table.transpose_lhs() ||
      view.hasFlag("transpose_rhs") != table.transpose_rhs())
    return Status::invalidProgram()
           << "it transposes lhs " << table.transpose_lhs() << ", rhs "
           << table.transpose_rhs() << ", the graph "
           << view.hasFlag("transpose_lhs") << ", "
           << view.hasFlag("transpose_rhs");
  return applyOp(use, microBatch);
}

} // namespace dtc::rt::check
