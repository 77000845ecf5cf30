//===- Walk.cpp - All ranks of a step, in turn and waiting ----------------===//
//
// Each rank runs until it has to wait; when none can go on and not all have
// ended, they wait for each other.
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Walk.h"

#include <algorithm>

namespace dtc::rt::check {

std::string CollectiveCall::str() const {
  std::string text = name(kind);
  if (kind == CommunicationKind::AllReduce)
    text += std::string(" ") + program::EnumNameReductionKind(reduction);
  text += " of " + std::to_string(elements) + " " +
          program::EnumNameDType(dtype) + " over";
  for (int axis : axes)
    text += std::string(" ") + axisName(axis);
  return text;
}

Walk::Walk(const program::Program &program, const Mesh &mesh,
           const StepPlan &plan, bool exhaustive)
    : program(program), mesh(mesh), plan(plan) {
  for (int32_t rank = 0; rank < mesh.rankCount(); ++rank) {
    RankState state;
    state.rank = rank;
    state.coordinates = mesh.coordinates(rank);
    if (!exhaustive && (state.coordinates[kDp] || state.coordinates[kTp]))
      continue;
    auto stage = static_cast<size_t>(state.coordinates[kPp]);
    state.plan = &plan.stages[stage];
    state.meaning = &plan.meanings[stage];
    ranks.push_back(std::move(state));
  }
}

size_t Walk::indexOf(int32_t rank) const {
  for (size_t i = 0; i < ranks.size(); ++i)
    if (ranks[i].rank == rank)
      return i;
  return ranks.size();
}

const PlannedInstruction &Walk::current(const RankState &rank) const {
  return rank.plan->task(
      rank.plan->calls()[rank.call].task)[rank.instruction];
}

/// To the next instruction, over calls of empty tasks.
void Walk::step(RankState &rank) {
  rank.waitsFor = -1;
  rank.hasArrived = false;
  ++rank.instruction;
  while (!rank.isDone() &&
         rank.instruction >=
             rank.plan->task(rank.plan->calls()[rank.call].task).size()) {
    rank.instruction = 0;
    ++rank.call;
  }
}

std::string Walk::whereNow(const RankState &rank) const {
  if (rank.isDone())
    return "rank " + std::to_string(rank.rank) + ", which has ended its step";
  const PlannedCall &call = rank.plan->calls()[rank.call];
  return "rank " + std::to_string(rank.rank) + " " +
         rank.plan->where(call.task, current(rank)) + " micro-batch " +
         std::to_string(call.microBatch);
}

//===-- Channels ------------------------------------------------------------===//

Result<bool> Walk::sendOn(RankState &rank,
                          const PlannedInstruction &instruction,
                          int64_t microBatch) {
  const program::Send &table = *instruction.table->kind_as_Send();
  std::vector<Found> found;
  DTC_ASSIGN_OR_RETURN(Contents reads,
                       readAll(rank, instruction, microBatch, found));
  DTC_ASSIGN_OR_RETURN(
      std::vector<Content> none,
      rank.meaning->evaluate(instruction, microBatch, reads));
  (void)none;
  Coordinates peer = rank.coordinates;
  peer[kPp] = table.peer_stage();
  if (peer[kPp] == rank.coordinates[kPp])
    return Status::invalidProgram() << "it sends to its own stage";
  Channel &channel =
      channels[{rank.rank, mesh.rank(peer), table.channel()}];
  channel.waiting.push_back({reads[0], table.elements()});
  ByteRange range{rank.plan->address(table.value(), microBatch), 0};
  range.end = range.begin + rank.plan->byteCount(table.value());
  rank.arena.post({{table.peer_stage(), table.channel()},
                   channel.posted++,
                   range,
                   rank.plan->describe(instruction)});
  if (!rank.coordinates[kDp] && !rank.coordinates[kTp]) {
    auto line = std::find_if(
        ledger.lines.begin(), ledger.lines.end(), [&](const LedgerLine &one) {
          return one.kind == CommunicationKind::Send &&
                 one.stage == rank.plan->index() &&
                 one.peerStage == table.peer_stage() &&
                 one.channel == static_cast<int32_t>(table.channel());
        });
    if (line == ledger.lines.end()) {
      LedgerLine made;
      made.stage = rank.plan->index();
      made.kind = CommunicationKind::Send;
      made.axes = {kPp};
      made.channel = static_cast<int32_t>(table.channel());
      made.peerStage = table.peer_stage();
      line = ledger.lines.insert(ledger.lines.end(), made);
    }
    ++line->calls;
    line->elements += static_cast<int64_t>(table.elements());
    line->bytes += range.end - range.begin;
  }
  step(rank);
  return true;
}

Result<bool> Walk::receiveFrom(RankState &rank,
                               const PlannedInstruction &instruction,
                               int64_t microBatch) {
  const program::Recv &table = *instruction.table->kind_as_Recv();
  Coordinates peer = rank.coordinates;
  peer[kPp] = table.peer_stage();
  Channel &channel =
      channels[{mesh.rank(peer), rank.rank, table.channel()}];
  if (channel.waiting.empty()) {
    rank.waitsFor = mesh.rank(peer);
    return false;
  }
  Message message = channel.waiting.front();
  if (message.elements != table.elements())
    return Status::invalidProgram()
           << "it takes " << table.elements() << " elements, on channel "
           << table.channel() << " from stage " << table.peer_stage() << " "
           << message.content->str() << " of " << message.elements
           << " is next";
  if (message.content->microBatch >= 0 &&
      message.content->microBatch != microBatch)
    return Status::invalidProgram()
           << "it is called for micro-batch " << microBatch << ", on channel "
           << table.channel() << " " << message.content->str() << " is next";
  DTC_ASSIGN_OR_RETURN(
      std::vector<Content> made,
      rank.meaning->evaluate(instruction, microBatch, {message.content}));
  DTC_RETURN_IF_ERROR(
      finish(rank, instruction, microBatch, {}, std::move(made)));
  channel.waiting.pop_front();
  ++channel.taken;
  step(rank);
  return true;
}

Result<bool> Walk::waitFor(RankState &rank,
                           const PlannedInstruction &instruction) {
  const program::Wait &table = *instruction.table->kind_as_Wait();
  Coordinates peer = rank.coordinates;
  peer[kPp] = table.peer_stage();
  Channel &channel =
      channels[{rank.rank, mesh.rank(peer), table.channel()}];
  if (channel.posted - channel.taken > table.pending()) {
    rank.waitsFor = mesh.rank(peer);
    return false;
  }
  uint64_t pending = std::min<uint64_t>(table.pending(), channel.posted);
  rank.arena.release({table.peer_stage(), table.channel()},
                     channel.posted - pending);
  step(rank);
  return true;
}

//===-- Collectives ---------------------------------------------------------===//

CollectiveCall Walk::readCall(const StagePlan &plan,
                              const PlannedInstruction &instruction) const {
  CollectiveCall call;
  const program::Value &read = plan.value(instruction.reads[0]);
  call.dtype = read.dtype();
  // Over pp the stages meet that hold a part.
  call.stages =
      program.layouts()->Get(read.layout())->axes()->Get(kPp)->stages();
  if (const auto *reduce = instruction.table->kind_as_AllReduce()) {
    for (uint8_t axis : *reduce->axes())
      call.axes.push_back(axis);
    call.reduction = reduce->kind();
    call.elements = reduce->elements();
  } else if (const auto *scatter = instruction.table->kind_as_ReduceScatter()) {
    call.kind = CommunicationKind::ReduceScatter;
    call.axes = {scatter->axis()};
    call.elements = scatter->elements();
  } else if (const auto *gather = instruction.table->kind_as_AllGather()) {
    call.kind = CommunicationKind::AllGather;
    call.axes = {gather->axis()};
    call.elements = gather->elements();
  }
  return call;
}

void Walk::count(const RankState &rank, const CollectiveCall &call) {
  bool isFirst = !rank.coordinates[kDp] && !rank.coordinates[kTp];
  if (!isFirst || mesh.group(rank.coordinates, call.axes, call.stages).size() < 2)
    return;
  // Axes of one part change no group.
  std::vector<int> axes;
  for (int axis : call.axes)
    if (mesh.parts(axis) > 1)
      axes.push_back(axis);
  auto line = std::find_if(ledger.lines.begin(), ledger.lines.end(),
                           [&](const LedgerLine &one) {
                             return one.stage == rank.plan->index() &&
                                    one.kind == call.kind && one.axes == axes;
                           });
  if (line == ledger.lines.end()) {
    LedgerLine made;
    made.stage = rank.plan->index();
    made.kind = call.kind;
    made.axes = axes;
    line = ledger.lines.insert(ledger.lines.end(), made);
  }
  ++line->calls;
  line->elements += static_cast<int64_t>(call.elements);
  line->bytes += static_cast<int64_t>(call.elements) * elementBytes(call.dtype);
}

Result<bool> Walk::meet(size_t index, const PlannedInstruction &instruction,
                        int64_t microBatch) {
  RankState &rank = ranks[index];
  CollectiveCall call = readCall(*rank.plan, instruction);
  std::vector<int32_t> group;
  for (int32_t member :
       mesh.group(rank.coordinates, call.axes, call.stages))
    if (indexOf(member) < ranks.size())
      group.push_back(member);
  std::vector<Arrival> &arrivals = meetings[group];
  if (!rank.hasArrived) {
    std::vector<Found> found;
    DTC_ASSIGN_OR_RETURN(Contents reads,
                         readAll(rank, instruction, microBatch, found));
    if (!arrivals.empty() && arrivals[0].call.str() != call.str())
      return Status::invalidProgram()
             << "it calls " << call.str() << ", "
             << whereNow(ranks[arrivals[0].member]) << " in the same group "
             << arrivals[0].call.str();
    rank.hasArrived = true;
    arrivals.push_back({index, call, reads[0], found[0]});
    count(rank, call);
  }
  if (arrivals.size() == group.size()) {
    std::vector<Arrival> all = std::move(arrivals);
    arrivals.clear();
    DTC_RETURN_IF_ERROR(complete(all));
    for (const Arrival &arrival : all)
      step(ranks[arrival.member]);
    return true;
  }
  for (int32_t member : group) {
    bool isHere = std::any_of(arrivals.begin(), arrivals.end(),
                              [&](const Arrival &arrival) {
                                return ranks[arrival.member].rank == member;
                              });
    if (!isHere) {
      rank.waitsFor = member;
      break;
    }
  }
  return false;
}

/// What a group joins are parts of one value; parts of different stages have
/// different terms.
Status Walk::complete(const std::vector<Arrival> &arrivals) {
  const Arrival &first = arrivals[0];
  bool spansStages = std::find(first.call.axes.begin(), first.call.axes.end(),
                               int(kPp)) != first.call.axes.end();
  std::map<int64_t, TermNames> ofStage;
  for (const Arrival &arrival : arrivals) {
    const Content &a = *first.content, &b = *arrival.content;
    bool isSame = a.logicals == b.logicals && a.global == b.global &&
                  a.layout.axes == b.layout.axes &&
                  a.microBatch == b.microBatch &&
                  a.members.size() == b.members.size();
    if (!isSame)
      return Status::invalidProgram()
             << "it joins " << a.str() << " (" << a.layout.str() << ") with "
             << b.str() << " (" << b.layout.str() << ") of "
             << whereNow(ranks[arrival.member]);
    int64_t stage = ranks[arrival.member].coordinates[kPp];
    auto [entry, isNew] = ofStage.try_emplace(stage, b.terms);
    if (!isNew && entry->second != b.terms)
      return Status::invalidProgram()
             << "ranks of stage " << stage << " join other terms";
  }
  TermNames terms;
  for (const auto &[stage, own] : ofStage)
    for (uint32_t term : own)
      if (!terms.insert(term).second && spansStages &&
          first.call.reduction == ReductionKind::Sum)
        return Status::invalidProgram()
               << "term " << program.terms()->Get(term)->str() << " of "
               << first.content->name
               << " enters the sum over axis \"pp\" twice, again from stage "
               << stage;
  for (const Arrival &arrival : arrivals) {
    RankState &rank = ranks[arrival.member];
    const PlannedInstruction &instruction = current(rank);
    int64_t microBatch = rank.plan->calls()[rank.call].microBatch;
    DTC_ASSIGN_OR_RETURN(
        std::vector<Content> made,
        rank.meaning->evaluate(instruction, microBatch, {arrival.content}));
    if (spansStages) {
      made[0].stageTerms = made[0].terms;
      made[0].terms = terms;
    }
    DTC_RETURN_IF_ERROR(finish(rank, instruction, microBatch, {arrival.found},
                               std::move(made)));
  }
  return Status::ok();
}

//===-- The walk ------------------------------------------------------------===//

Result<bool> Walk::execute(size_t index, const PlannedInstruction &instruction,
                           int64_t microBatch) {
  RankState &rank = ranks[index];
  switch (instruction.kind) {
  case InstructionKind::Send:
    return sendOn(rank, instruction, microBatch);
  case InstructionKind::Recv:
    return receiveFrom(rank, instruction, microBatch);
  case InstructionKind::Wait:
    return waitFor(rank, instruction);
  case InstructionKind::AllReduce:
  case InstructionKind::ReduceScatter:
  case InstructionKind::AllGather:
    return meet(index, instruction, microBatch);
  case InstructionKind::Read:
    DTC_RETURN_IF_ERROR(readVariable(rank, instruction));
    break;
  default: {
    std::vector<Found> found;
    DTC_ASSIGN_OR_RETURN(Contents reads,
                         readAll(rank, instruction, microBatch, found));
    DTC_ASSIGN_OR_RETURN(
        std::vector<Content> made,
        rank.meaning->evaluate(instruction, microBatch, reads));
    if (const auto *report = instruction.table->kind_as_Report())
      reported.insert(report->metric()->str());
    if (instruction.kind == InstructionKind::Store)
      DTC_RETURN_IF_ERROR(
          storeVariable(rank, instruction, microBatch, found[0]));
    else
      DTC_RETURN_IF_ERROR(
          finish(rank, instruction, microBatch, found, std::move(made)));
  }
  }
  step(rank);
  return true;
}

Result<bool> Walk::advance(size_t index) {
  RankState &rank = ranks[index];
  std::string where = whereNow(rank);
  auto went = execute(index, current(rank),
                      rank.plan->calls()[rank.call].microBatch);
  if (!went.isOk())
    return went.takeStatus().at(where);
  return went;
}

Status Walk::describeDeadlock() const {
  const RankState *rank = nullptr;
  for (const RankState &one : ranks)
    if (!one.isDone() && !rank)
      rank = &one;
  Status status = Status::invalidProgram() << "the ranks deadlock: ";
  std::set<int32_t> seen;
  while (true) {
    if (rank->isDone() || !seen.insert(rank->rank).second) {
      status << (rank->isDone() ? whereNow(*rank)
                                : "rank " + std::to_string(rank->rank));
      return status;
    }
    status << whereNow(*rank) << " waits for ";
    rank = &ranks[indexOf(rank->waitsFor)];
  }
}

Status Walk::run() {
  for (RankState &rank : ranks) {
    DTC_RETURN_IF_ERROR(placeVariables(rank));
    rank.instruction = static_cast<size_t>(-1); // before the first one
    step(rank);
  }
  for (bool went = true; went;) {
    went = false;
    for (size_t i = 0; i < ranks.size(); ++i)
      while (!ranks[i].isDone()) {
        DTC_ASSIGN_OR_RETURN(bool advanced, advance(i));
        if (!advanced)
          break;
        went = true;
      }
  }
  for (const RankState &rank : ranks)
    if (!rank.isDone())
      return describeDeadlock();
  for (const auto &[key, channel] : channels)
    if (channel.posted != channel.taken)
      return Status::invalidProgram()
             << "channel " << std::get<2>(key) << " from rank "
             << std::get<0>(key) << " to rank " << std::get<1>(key) << " has "
             << channel.posted << " posts in a step, " << channel.taken
             << " are taken";
  for (const auto &[metric, value] : plan.graph->allReports())
    if (!reported.count(metric))
      return Status::invalidProgram()
             << "metric " << metric
             << " is reported by no rank, the step graph reports it";
  for (RankState &rank : ranks)
    if (Status status = checkEnd(rank); !status.isOk())
      return std::move(status).at("rank " + std::to_string(rank.rank) +
                                  " stage " +
                                  std::to_string(rank.plan->index()) +
                                  " at the end of the step");
  return Status::ok();
}

} // namespace dtc::rt::check
