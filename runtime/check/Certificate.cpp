//===- Certificate.cpp - Whether a program's ranks fit together -----------===//
//
// First what can be said of each instruction alone, so that a wrong layout is
// reported as one and not as what it leads to; then the walk of all ranks.
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Certificate.h"

#include "runtime/check/Walk.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace dtc::rt {
namespace check {
namespace {

/// The graph's hash is over its own table with the hash taken as zero.
Status checkHash(const program::StepGraph &graph) {
  program::StepGraphT table;
  graph.UnPackTo(&table);
  uint64_t said = table.hash;
  table.hash = 0;
  flatbuffers::FlatBufferBuilder bytes;
  bytes.Finish(program::StepGraph::Pack(bytes, &table));
  uint64_t found = XXH3_64bits(bytes.GetBufferPointer(), bytes.GetSize());
  if (said == found)
    return Status::ok();
  return Status::invalidProgram() << "the hash of the step graph is " << found
                                  << ", the program says " << said;
}

/// Layouts as the program declares them, each instruction for itself.
Status checkDeclarations(const StagePlan &plan, const Meaning &meaning) {
  for (uint32_t task = 0; task < plan.stage().tasks()->size(); ++task)
    for (const PlannedInstruction &instruction : plan.task(task)) {
      if (instruction.kind == InstructionKind::Recv)
        continue; // What it takes is known on the other stage.
      Contents reads;
      for (uint32_t id : instruction.reads)
        reads.push_back(std::make_shared<Content>(meaning.declared(id, 0)));
      auto made = meaning.evaluate(instruction, 0, reads);
      if (!made.isOk())
        return made.takeStatus().at(plan.where(task, instruction));
    }
  return Status::ok();
}

/// Places and layouts that later steps rely on.
Status checkValues(const program::Program &program, const Mesh &mesh) {
  for (uint32_t s = 0; s < program.stages()->size(); ++s)
    for (const program::Value *value : *program.stages()->Get(s)->values()) {
      Shape global = toShape(value->global_shape());
      ValueLayout layout = ValueLayout::read(
          *program.layouts()->Get(value->layout()), global.size());
      auto wrong = [&](int axis) {
        return Status::invalidProgram()
               << "stage " << s << " value " << value->name()->str()
               << " holds " << layout.on(axis).str() << " on axis \""
               << axisName(axis) << "\"";
      };
      for (int axis = 0; axis < kMeshAxisCount; ++axis) {
        const AxisLayout &state = layout.on(axis);
        if (state.isSplit() &&
            (state.dim < 0 || static_cast<size_t>(state.dim) >= global.size()))
          return wrong(axis) << ", it has " << global.size() << " dimensions";
        if (axis == kPp ? !state.isOn() && !state.isPartial() : state.isOn())
          return wrong(axis);
      }
      if (!(layout.on(kPp).stages >> s & 1))
        return wrong(kPp) << ", expected a set with stage " << s;
      Shape local = localShape(mesh, layout, global);
      if (local != toShape(value->local_shape()))
        return Status::invalidProgram()
               << "stage " << s << " value " << value->name()->str() << " is "
               << shapeText(toShape(value->local_shape()))
               << " on a rank, its layout makes it " << shapeText(local);
    }
  return Status::ok();
}

struct StepResult {
  CommunicationLedger ledger;
  size_t ranksWalked = 0;
  int64_t instructions = 0;
};

Result<StepResult> checkStep(const program::Program &program, const Mesh &mesh,
                             const program::StepGraph &graph, bool isTraining,
                             const CheckOptions &options) {
  DTC_RETURN_IF_ERROR(checkHash(graph));
  DTC_ASSIGN_OR_RETURN(GraphFacts facts,
                       GraphFacts::build(program, graph, isTraining));
  StepPlan step;
  step.graph = &facts;
  step.isTraining = isTraining;
  for (uint32_t s = 0; s < program.stages()->size(); ++s) {
    DTC_ASSIGN_OR_RETURN(StagePlan plan,
                         StagePlan::build(program, s, facts, isTraining));
    step.stages.push_back(std::move(plan));
  }
  StepResult result;
  for (const StagePlan &plan : step.stages) {
    step.meanings.emplace_back(program, mesh, plan, facts);
    DTC_RETURN_IF_ERROR(checkDeclarations(plan, step.meanings.back()));
    for (uint32_t task = 0; task < plan.stage().tasks()->size(); ++task)
      result.instructions += static_cast<int64_t>(plan.task(task).size());
  }
  Walk walk(program, mesh, step, options.exhaustive);
  DTC_RETURN_IF_ERROR(walk.run());
  result.ranksWalked = walk.rankCount();
  result.ledger = walk.takeLedger();
  return result;
}

} // namespace
} // namespace check

const char *name(CommunicationKind kind) {
  static const char *const kNames[] = {"all_reduce", "reduce_scatter",
                                       "all_gather", "send"};
  return kNames[static_cast<int>(kind)];
}

int64_t CommunicationLedger::calls(uint32_t stage,
                                   CommunicationKind kind) const {
  int64_t sum = 0;
  for (const LedgerLine &line : lines)
    if (line.stage == stage && line.kind == kind)
      sum += line.calls;
  return sum;
}

int64_t CommunicationLedger::elements(uint32_t stage,
                                      CommunicationKind kind) const {
  int64_t sum = 0;
  for (const LedgerLine &line : lines)
    if (line.stage == stage && line.kind == kind)
      sum += line.elements;
  return sum;
}

int64_t CommunicationLedger::groupCalls(const Mesh &mesh,
                                        CommunicationKind kind) const {
  int64_t memberCalls = 0;
  int64_t ranksOfStage = mesh.parts(kDp) * mesh.parts(kTp);
  int64_t all = 0;
  for (const LedgerLine &line : lines) {
    if (line.kind != kind)
      continue;
    // Each group's call is counted by each of its members; a send by one.
    int64_t members = 1;
    if (kind != CommunicationKind::Send)
      for (int axis : line.axes)
        members *= mesh.parts(axis);
    memberCalls = line.calls * ranksOfStage;
    all += memberCalls * (mesh.rankCount() / members);
  }
  return all / mesh.rankCount();
}

std::string CommunicationLedger::str() const {
  std::string text;
  for (const LedgerLine &line : lines) {
    text += "stage " + std::to_string(line.stage) + " " + name(line.kind);
    if (line.kind == CommunicationKind::Send) {
      text += " to stage " + std::to_string(line.peerStage) + " on channel " +
              std::to_string(line.channel);
    } else {
      text += " over";
      for (int axis : line.axes)
        text += std::string(" ") + check::axisName(axis);
    }
    text += ": " + std::to_string(line.calls) + " calls, " +
            std::to_string(line.elements) + " elements\n";
  }
  return text;
}

std::string Certificate::str() const {
  return "program " + programHash + ": " + std::to_string(instructions) +
         " instructions of " + std::to_string(ranks) + " ranks (" +
         std::to_string(ranksWalked) +
         " walked): collectives match, no deadlock, no race, every gradient "
         "reduced and scaled once";
}

Result<Certificate> checkProgram(const Program &program,
                                 const CheckOptions &options) {
  const program::Program &table = program.table();
  Mesh mesh(table);
  if (mesh.parts(kPp) > 64)
    return Status::unimplemented() << "axis \"pp\" has " << mesh.parts(kPp)
                                   << " parts, sets of stages have at most 64";
  DTC_RETURN_IF_ERROR(check::checkValues(table, mesh));
  DTC_ASSIGN_OR_RETURN(
      check::StepResult train,
      check::checkStep(table, mesh, *table.graph(), true, options));
  Certificate certificate;
  certificate.programHash = program.hashText();
  certificate.ranks = mesh.rankCount();
  certificate.ranksWalked = static_cast<int32_t>(train.ranksWalked);
  certificate.instructions = train.instructions;
  certificate.train = std::move(train.ledger);
  if (table.evaluation_graph()) {
    auto evaluation = check::checkStep(table, mesh, *table.evaluation_graph(),
                                       false, options);
    if (!evaluation.isOk())
      return evaluation.takeStatus().at("evaluation");
    certificate.hasEvaluation = true;
    certificate.instructions += evaluation->instructions;
    certificate.evaluate = std::move(evaluation->ledger);
  }
  return certificate;
}

} // namespace dtc::rt
