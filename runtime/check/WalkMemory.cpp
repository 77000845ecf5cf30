//===- WalkMemory.cpp - Reads, writes and variables of one rank -----------===//
//
// What an instruction does to bytes at run time: which it writes, which it only
// looks at under another name, and which of its buffers may be one.
//
//===----------------------------------------------------------------------===//

#include "runtime/check/Walk.h"

namespace dtc::rt::check {
namespace {

ByteRange rangeOf(const StagePlan &plan, uint32_t value, int64_t microBatch) {
  int64_t begin = plan.address(value, microBatch);
  return {begin, begin + plan.byteCount(value)};
}

/// The whole place, what follows the value included.
ByteRange placeOf(const StagePlan &plan, uint32_t value, int64_t microBatch) {
  int64_t begin = plan.address(value, microBatch);
  return {begin,
          begin + static_cast<int64_t>(plan.value(value).place()->bytes())};
}

/// Bytes that an all_gather writes at once: all shards, where they lie as the
/// result does and there is room for their pads.
struct GatherPlace {
  int64_t bytes = 0;
  bool isDirect = false;
};

GatherPlace gatherPlace(const StagePlan &plan, const Mesh &mesh,
                        const program::AllGather &table) {
  GatherPlace place;
  place.bytes = plan.byteCount(table.input()) * mesh.parts(table.axis());
  int64_t outer = 1;
  Shape local = toShape(plan.value(table.input()).local_shape());
  for (uint32_t dim = 0; dim < table.dim() && dim < local.size(); ++dim)
    outer *= local[dim];
  place.isDirect =
      outer == 1 && static_cast<int64_t>(
                        plan.value(table.result()).place()->bytes()) >=
                        place.bytes;
  return place;
}

} // namespace

Status Walk::placeVariables(RankState &rank) {
  for (uint32_t i = 0; i < program.variables()->size(); ++i) {
    int32_t id = program.variables()->Get(i)->values()->Get(rank.plan->index());
    if (id < 0)
      continue;
    auto content = std::make_shared<Content>(rank.meaning->ofVariable(i));
    // In an evaluation the table speaks of the training step's graph.
    if (plan.isTraining && !content->logicals.empty())
      if (Status status = rank.meaning->checkDeclared(
              *content, static_cast<uint32_t>(id));
          !status.isOk())
        return std::move(status).at("stage " +
                                    std::to_string(rank.plan->index()) +
                                    " variable " + content->name);
    auto written =
        rank.arena.write(placeOf(*rank.plan, static_cast<uint32_t>(id), 0),
                         content, "the initialiser");
    rank.variables[i] = *written; // No post is pending yet.
  }
  return Status::ok();
}

Result<Contents> Walk::readAll(RankState &rank,
                               const PlannedInstruction &instruction,
                               int64_t microBatch, std::vector<Found> &found) {
  DTC_RETURN_IF_ERROR(checkRaces(rank, instruction, microBatch));
  Contents contents;
  for (uint32_t id : instruction.reads) {
    DTC_ASSIGN_OR_RETURN(
        Found one, rank.arena.read(*rank.meaning, *rank.plan, id, microBatch));
    contents.push_back(one.content);
    found.push_back(std::move(one));
  }
  return contents;
}

/// Buffers of one instruction that may not share bytes. Where the pieces of an
/// instruction are made in any order, an output may lie on an input only where
/// the instruction says so, and then on just its bytes.
Status Walk::checkRaces(const RankState &rank,
                        const PlannedInstruction &instruction,
                        int64_t microBatch) const {
  const StagePlan &plan = *rank.plan;
  auto range = [&](uint32_t id) { return rangeOf(plan, id, microBatch); };
  auto shares = [&](uint32_t output, const char *what, uint32_t input) {
    return Status::invalidProgram()
           << "its output " << plan.value(output).name()->str() << " at bytes "
           << range(output).str() << " lies on " << what << " "
           << plan.value(input).name()->str() << " at " << range(input).str();
  };
  bool isInPlaceLegal = instruction.kind == InstructionKind::AllReduce ||
                        instruction.kind == InstructionKind::ToPartial;
  const auto *kernel = instruction.table->kind_as_LaunchKernel();
  switch (instruction.kind) {
  case InstructionKind::LaunchKernel:
  case InstructionKind::MatMul:
  case InstructionKind::AllReduce:
  case InstructionKind::ReduceScatter:
  case InstructionKind::AllGather:
  case InstructionKind::ToPartial:
  case InstructionKind::LocalSlice:
    break;
  case InstructionKind::Accumulate:
    if (range(instruction.reads[0]).overlaps(range(instruction.reads[1])))
      return shares(instruction.reads[1], "input", instruction.reads[0]);
    return Status::ok();
  default: // Views, copies (byte by byte, of any overlap) and the rest.
    return Status::ok();
  }
  for (size_t o = 0; o < instruction.writes.size(); ++o) {
    uint32_t output = instruction.writes[o];
    int32_t alias =
        kernel ? kernel->aliases()->Get(static_cast<uint32_t>(o)) : -1;
    if (alias >= 0) {
      uint32_t input = instruction.reads[static_cast<size_t>(alias)];
      if (range(input).begin != range(output).begin ||
          range(input).end != range(output).end)
        return Status::invalidProgram()
               << "its output " << plan.value(output).name()->str()
               << " at bytes " << range(output).str()
               << " is said to be input " << plan.value(input).name()->str()
               << " at " << range(input).str();
    }
    for (uint32_t input : instruction.reads) {
      bool isSame = range(input).begin == range(output).begin &&
                    range(input).end == range(output).end;
      bool isLegal = isSame && (isInPlaceLegal || alias >= 0);
      if (!isLegal && range(output).overlaps(range(input)))
        return shares(output, "input", input);
    }
    for (size_t other = 0; other < o; ++other)
      if (range(output).overlaps(range(instruction.writes[other])))
        return shares(output, "output", instruction.writes[other]);
  }
  return Status::ok();
}

/// Bytes that an instruction writes besides its results.
Status Walk::writeExtra(RankState &rank, const PlannedInstruction &instruction,
                        int64_t microBatch, const Content &) {
  const StagePlan &plan = *rank.plan;
  std::string writer = plan.describe(instruction);
  if (const auto *scatter = instruction.table->kind_as_ReduceScatter()) {
    // The pad behind the whole is cleared, to make the shards equal.
    ByteRange pad{rangeOf(plan, scatter->input(), microBatch).end, 0};
    int64_t begin = plan.address(scatter->input(), microBatch);
    pad.end = begin +
              plan.byteCount(scatter->result()) * mesh.parts(scatter->axis());
    if (pad.end > placeOf(plan, scatter->input(), microBatch).end)
      return Status::invalidProgram()
             << "its input has "
             << plan.value(scatter->input()).place()->bytes()
             << " bytes, the shards have " << pad.end - begin;
    if (pad.overlaps(rangeOf(plan, scatter->result(), microBatch)))
      return Status::invalidProgram()
             << "its result lies on the pad behind its input";
    if (pad.begin < pad.end)
      DTC_RETURN_IF_ERROR(
          rank.arena.write(pad, nullptr, writer).takeStatus());
  }
  if (const auto *gather = instruction.table->kind_as_AllGather()) {
    GatherPlace place = gatherPlace(plan, mesh, *gather);
    ByteRange input = rangeOf(plan, gather->input(), microBatch);
    auto offset = static_cast<int64_t>(gather->workspace_offset());
    ByteRange target{place.isDirect ? plan.address(gather->result(), microBatch)
                                    : offset,
                     0};
    target.end = target.begin + place.bytes;
    bool isAlone = mesh.parts(gather->axis()) == 1 && place.isDirect &&
                   input.begin == target.begin;
    if (!isAlone && target.overlaps(input))
      return Status::invalidProgram()
             << "it gathers into bytes " << target.str()
             << ", which its input holds";
    if (place.isDirect)
      return Status::ok();
    if (target.overlaps(rangeOf(plan, gather->result(), microBatch)))
      return Status::invalidProgram()
             << "it gathers into bytes " << target.str()
             << ", which its result holds";
    if (target.end > static_cast<int64_t>(plan.stage().arena_bytes()))
      return Status::invalidProgram()
             << "its workspace ends at byte " << target.end
             << " of an arena of " << plan.stage().arena_bytes();
    DTC_RETURN_IF_ERROR(rank.arena.write(target, nullptr, writer).takeStatus());
  }
  return Status::ok();
}

/// Members that lie where they belong stay; others are moved, in order.
Status Walk::packInPlace(RankState &rank, const PlannedInstruction &instruction,
                         int64_t microBatch, const std::vector<Found> &found,
                         ContentPtr bucket) {
  const StagePlan &plan = *rank.plan;
  uint32_t result = instruction.writes[0];
  ByteRange whole = rangeOf(plan, result, microBatch);
  int64_t at = whole.begin;
  std::vector<int64_t> homes;
  for (size_t k = 0; k < instruction.reads.size(); ++k) {
    ByteRange from = rangeOf(plan, instruction.reads[k], microBatch);
    ByteRange to{at, at + (from.end - from.begin)};
    for (size_t later = k + 1; from.begin != to.begin &&
                               later < instruction.reads.size();
         ++later)
      if (to.overlaps(rangeOf(plan, instruction.reads[later], microBatch)))
        return Status::invalidProgram()
               << "it moves " << found[k].content->name << " to bytes "
               << to.str() << ", where "
               << plan.value(instruction.reads[later]).name()->str()
               << " is still to be packed";
    homes.push_back(from.begin == to.begin ? at : -1);
    at = to.end;
  }
  DTC_ASSIGN_OR_RETURN(
      InstancePtr written,
      rank.arena.write(whole, bucket, plan.describe(instruction)));
  for (size_t k = 0; k < homes.size(); ++k)
    if (homes[k] >= 0)
      rank.arena.bind(instruction.reads[k], homes[k], written,
                      found[k].content);
  return Status::ok();
}

Status Walk::writeResults(RankState &rank,
                          const PlannedInstruction &instruction,
                          int64_t microBatch, const std::vector<Found> &found,
                          std::vector<ContentPtr> results) {
  const StagePlan &plan = *rank.plan;
  std::string writer = plan.describe(instruction);
  if (instruction.kind == InstructionKind::PackBucket)
    return packInPlace(rank, instruction, microBatch, found, results[0]);
  DTC_RETURN_IF_ERROR(writeExtra(rank, instruction, microBatch, *results[0]));
  int64_t next = -1; // of an unpacked bucket
  for (size_t i = 0; i < results.size(); ++i) {
    uint32_t id = instruction.writes[i];
    ByteRange range = rangeOf(plan, id, microBatch);
    bool isView = false;
    switch (instruction.kind) {
    case InstructionKind::View:
      isView = true;
      break;
    case InstructionKind::Copy:
      isView = range.begin == plan.address(instruction.reads[0], microBatch);
      break;
    case InstructionKind::UnpackBucket:
      isView = true;
      if (next < 0)
        next = plan.address(instruction.reads[0], microBatch);
      if (range.begin != next)
        return Status::invalidProgram()
               << results[i]->name << " is at byte " << range.begin
               << ", in the bucket at " << next;
      next = range.end;
      break;
    case InstructionKind::Clear:
    case InstructionKind::ReadBatch:
      range = placeOf(plan, id, microBatch);
      break;
    case InstructionKind::AllGather: {
      const auto &gather = *instruction.table->kind_as_AllGather();
      GatherPlace place = gatherPlace(plan, mesh, gather);
      if (place.isDirect)
        range.end = range.begin + place.bytes;
      break;
    }
    default:
      break;
    }
    if (!isView) {
      DTC_RETURN_IF_ERROR(
          rank.arena.write(range, results[i], writer).takeStatus());
      continue;
    }
    if (range.begin >= range.end)
      continue;
    InstancePtr base = rank.arena.holder(range);
    if (!base || base->id != found[0].instance->id)
      return Status::invalidProgram()
             << results[i]->name << " at bytes " << range.str()
             << " is said to lie in " << found[0].content->name
             << ", which is written to "
             << found[0].instance->range.str();
    if (instruction.kind == InstructionKind::View &&
        instruction.table->kind_as_View()->op() >= 0 &&
        range.begin != plan.address(instruction.reads[0], microBatch))
      return Status::invalidProgram()
             << results[i]->name << " at bytes " << range.str()
             << " is not where its input is";
    rank.arena.bind(id, range.begin, base, results[i]);
  }
  return Status::ok();
}

Status Walk::finish(RankState &rank, const PlannedInstruction &instruction,
                    int64_t microBatch, const std::vector<Found> &found,
                    std::vector<Content> results) {
  if (results.size() != instruction.writes.size())
    return Status::invalidProgram()
           << "it writes " << instruction.writes.size()
           << " values, what it computes has " << results.size();
  if (results.empty())
    return Status::ok();
  std::vector<ContentPtr> contents;
  for (size_t i = 0; i < results.size(); ++i) {
    DTC_RETURN_IF_ERROR(
        rank.meaning->checkDeclared(results[i], instruction.writes[i]));
    results[i].name = rank.plan->value(instruction.writes[i]).name()->str();
    contents.push_back(std::make_shared<Content>(std::move(results[i])));
  }
  return writeResults(rank, instruction, microBatch, found,
                      std::move(contents));
}

//===-- Variables -----------------------------------------------------------===//

Status Walk::readVariable(RankState &rank,
                          const PlannedInstruction &instruction) {
  const program::Read &table = *instruction.table->kind_as_Read();
  const program::Variable &variable =
      *program.variables()->Get(table.variable());
  std::string name = variable.name()->str();
  auto held = rank.variables.find(table.variable());
  if (held == rank.variables.end())
    return Status::invalidProgram()
           << "variable " << name << " is not on this stage";
  if (rank.stored.count(table.variable()))
    return Status::invalidProgram()
           << "variable " << name
           << " is read after its store, expected its old value";
  auto home = static_cast<uint32_t>(variable.values()->Get(rank.plan->index()));
  ByteRange range = rangeOf(*rank.plan, table.result(), 0);
  ByteRange expected = rangeOf(*rank.plan, home, 0);
  if (range.begin != expected.begin || range.end != expected.end)
    return Status::invalidProgram()
           << "it reads variable " << name << " at bytes " << range.str()
           << ", which lies at " << expected.str();
  if (range.begin >= range.end)
    return Status::ok();
  InstancePtr instance = rank.arena.holder(range);
  if (!instance || instance->id != held->second->id)
    return Status::invalidProgram()
           << "variable " << name << " at bytes " << range.str()
           << " was overwritten before this read"
           << (instance ? " by " + instance->writer : std::string());
  Content content = rank.meaning->ofVariable(table.variable());
  content.kind = Content::Kind::Value;
  content.name = rank.plan->value(table.result()).name()->str();
  DTC_RETURN_IF_ERROR(rank.meaning->checkDeclared(content, table.result()));
  rank.arena.bind(table.result(), range.begin, instance,
                  std::make_shared<Content>(std::move(content)));
  return Status::ok();
}

Status Walk::storeVariable(RankState &rank,
                           const PlannedInstruction &instruction,
                           int64_t microBatch, const Found &found) {
  const program::Store &table = *instruction.table->kind_as_Store();
  const program::Variable &variable =
      *program.variables()->Get(table.variable());
  std::string name = variable.name()->str();
  if (!plan.isTraining)
    return Status::invalidProgram()
           << "variable " << name << " is stored in an evaluation";
  if (!rank.stored.insert(table.variable()).second)
    return Status::invalidProgram() << "variable " << name << " is stored twice";
  auto home = static_cast<uint32_t>(variable.values()->Get(rank.plan->index()));
  ByteRange to = rangeOf(*rank.plan, home, 0);
  ByteRange from = rangeOf(*rank.plan, table.value(), microBatch);
  if (to.end - to.begin != from.end - from.begin)
    return Status::invalidProgram()
           << "variable " << name << " has " << to.end - to.begin
           << " bytes, it gets " << from.end - from.begin;
  if (from.begin == to.begin) {
    rank.variables[table.variable()] = found.instance;
    return Status::ok();
  }
  DTC_ASSIGN_OR_RETURN(
      rank.variables[table.variable()],
      rank.arena.write(to, found.content, rank.plan->describe(instruction)));
  return Status::ok();
}

/// Every variable holds what the step leaves in it, and no post is open.
Status Walk::checkEnd(RankState &rank) const {
  for (const auto &[index, instance] : rank.variables) {
    const program::Variable &variable = *program.variables()->Get(index);
    std::string name = variable.name()->str();
    bool isBucket = variable.members() && variable.members()->size();
    std::string first =
        isBucket ? variable.members()->Get(0)->name()->str() : name;
    if (plan.isTraining && plan.graph->storeOf(first) &&
        !rank.stored.count(index))
      return Status::invalidProgram()
             << "variable " << name
             << " was not stored, the step graph stores it";
    auto home =
        static_cast<uint32_t>(variable.values()->Get(rank.plan->index()));
    ByteRange range = rangeOf(*rank.plan, home, 0);
    if (range.begin >= range.end)
      continue;
    InstancePtr holder = rank.arena.holder(range);
    if (!holder || holder->id != instance->id)
      return Status::invalidProgram()
             << "variable " << name << " at bytes " << range.str()
             << " was overwritten"
             << (holder ? " by " + holder->writer : std::string());
  }
  if (!rank.arena.pendingPosts().empty())
    return Status::invalidProgram()
           << rank.arena.pendingPosts()[0].sender
           << " is not waited for: the next step may overwrite its bytes";
  return Status::ok();
}

} // namespace dtc::rt::check
