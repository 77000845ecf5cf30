//===- TokenRun.cpp - A program run on tokens in place of numbers ---------===//
//
// An arena of one token for each four bytes. Written from what the runtime's
// instructions do, without the checker.
//
//===----------------------------------------------------------------------===//

#include "tests/runtime/TokenRun.h"

#include "runtime/program/Mesh.h"
#include "runtime/program/Program.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

namespace dtc::rt::test {
namespace {

using Token = uint64_t;
using Tokens = std::vector<Token>;

Token mix(Token a, Token b) {
  Token x = a * 0x9e3779b97f4a7c15u ^ (b + 0x7f4a7c15u + (a << 6) + (a >> 2));
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 32;
  return x;
}

Token hash(const Tokens &tokens) {
  Token h = 17;
  for (Token token : tokens)
    h = mix(h, token);
  return h;
}

Token hash(const std::string &text) {
  Token h = 5;
  for (char letter : text)
    h = mix(h, static_cast<Token>(letter));
  return h;
}

struct Post {
  int64_t at = 0, count = 0;
  Tokens copied; ///< where it was copied at once
};
struct Channel {
  std::deque<Post> waiting;
  uint32_t posted = 0, taken = 0;
};

struct Rank {
  Coordinates coordinates{};
  const program::Stage *stage = nullptr;
  Tokens arena;
  std::vector<std::pair<uint32_t, int64_t>> calls; ///< task, micro-batch
  size_t call = 0, instruction = 0;
  bool isDone() const { return call == calls.size(); }
};

class TokenMachine {
public:
  TokenMachine(const program::Program &program, bool lateSends)
      : program(program), lateSends(lateSends), mesh(program) {}
  TokenResult run();

private:
  struct Place {
    int64_t at = 0, count = 0; ///< in tokens
    int64_t whole = 0;         ///< of the place
    int64_t perElement = 1;
  };
  Place place(const Rank &rank, uint32_t id) const;
  Tokens read(const Rank &rank, uint32_t id) const;
  void write(Rank &rank, uint32_t id, const Tokens &tokens);
  const program::Value &value(const Rank &rank, uint32_t id) const {
    return *rank.stage->values()->Get(id);
  }
  int64_t microBatch(const Rank &rank) const {
    return rank.calls[rank.call].second;
  }
  const program::Instruction *current(const Rank &rank) const;
  void start(Rank &rank, int32_t index);
  bool advance(int32_t index);
  bool meet(int32_t index, const std::vector<int> &axes);
  void local(Rank &rank, const program::Instruction &entry);
  void kernel(Rank &rank, const program::LaunchKernel &table);
  void slice(Rank &rank, const program::LocalSlice &table);
  void batch(Rank &rank, const program::ReadBatch &table);
  void collect(const std::vector<int32_t> &group);
  void gather(Rank &rank, const program::AllGather &table,
              const std::vector<Tokens> &shards);
  TokenResult results() const;

  const program::Program &program;
  bool lateSends;
  Mesh mesh;
  std::vector<Rank> ranks;
  std::map<std::tuple<int32_t, int32_t, uint32_t>, Channel> channels;
  std::map<std::vector<int32_t>, std::set<int32_t>> meetings;
  std::map<std::string, std::set<std::string>> reports;
};

TokenMachine::Place TokenMachine::place(const Rank &rank, uint32_t id) const {
  const program::Value &of = value(rank, id);
  const program::Place &where = *of.place();
  int64_t m = rank.isDone() ? 0 : microBatch(rank);
  auto bytes = static_cast<int64_t>(
      where.offset() +
      where.slot_stride() * (static_cast<uint64_t>(m) % where.slots()) +
      where.micro_batch_stride() * static_cast<uint64_t>(m));
  Place made;
  made.perElement = byteSize(toDType(of.dtype())) / 4;
  made.at = bytes / 4;
  made.count = localElementCount(of) * made.perElement;
  made.whole = static_cast<int64_t>(where.bytes()) / 4;
  return made;
}

Tokens TokenMachine::read(const Rank &rank, uint32_t id) const {
  Place from = place(rank, id);
  return {rank.arena.begin() + from.at,
          rank.arena.begin() + from.at + from.count};
}

void TokenMachine::write(Rank &rank, uint32_t id, const Tokens &tokens) {
  std::copy(tokens.begin(), tokens.end(),
            rank.arena.begin() + place(rank, id).at);
}

const program::Instruction *TokenMachine::current(const Rank &rank) const {
  return rank.stage->tasks()
      ->Get(rank.calls[rank.call].first)
      ->instructions()
      ->Get(static_cast<uint32_t>(rank.instruction));
}

/// Variables hold tokens of their own on each rank: what is compared is how
/// later tokens were made of them, rank by rank.
void TokenMachine::start(Rank &rank, int32_t index) {
  rank.coordinates = mesh.coordinates(index);
  rank.stage =
      program.stages()->Get(static_cast<uint32_t>(rank.coordinates[kPp]));
  rank.arena.assign(rank.stage->arena_bytes() / 4 + 64, 0);
  for (size_t i = 0; i < rank.arena.size(); ++i)
    rank.arena[i] = mix(99, i); // never written
  for (const program::Repeat *repeat : *rank.stage->train())
    for (uint32_t round = 0; round < repeat->count(); ++round)
      for (const program::Call *call : *repeat->calls())
        if (rank.stage->tasks()->Get(call->task())->instructions()->size())
          rank.calls.push_back({call->task(), round + call->first()});
  for (const program::Variable *variable : *program.variables()) {
    int32_t id =
        variable->values()->Get(static_cast<uint32_t>(rank.coordinates[kPp]));
    if (id < 0)
      continue;
    Place home = place(rank, static_cast<uint32_t>(id));
    Token seed = mix(hash(variable->name()->str()), Token(index));
    for (int64_t i = 0; i < home.whole; ++i)
      rank.arena[static_cast<size_t>(home.at + i)] = mix(seed, Token(i));
  }
}

//===-- Instructions --------------------------------------------------------===//

void TokenMachine::kernel(Rank &rank, const program::LaunchKernel &table) {
  std::vector<Token> inputs;
  for (uint32_t id : *table.inputs())
    inputs.push_back(hash(read(rank, id)));
  Token seed = mix(31, table.kernel());
  bool isSum = false;
  if (table.ops())
    for (uint32_t op : *table.ops()) {
      const program::GraphOp &of = *program.graph()->ops()->Get(op);
      seed = mix(seed, hash(of.name()->str()));
      isSum = table.ops()->size() == 1 && (of.kind()->str() == "sum" ||
                                           of.kind()->str() == "or");
    }
  if (isSum) // The order of addends is no matter.
    std::sort(inputs.begin(), inputs.end());
  seed = mix(seed, hash(inputs));
  Coordinates here = rank.coordinates;
  here[kMb] = microBatch(rank);
  if (table.scalars())
    for (const program::Scalar *scalar : *table.scalars()) {
      seed = mix(seed, Token(scalar->kind()));
      if (scalar->kind() != program::ScalarKind::ExtentStart &&
          scalar->kind() != program::ScalarKind::ExtentLength)
        continue;
      const program::Value &of = value(rank, scalar->value());
      Extent extent = mesh.extent(
          *program.layouts()->Get(of.layout()),
          static_cast<int64_t>(of.global_shape()->Get(scalar->dim())),
          static_cast<int32_t>(scalar->dim()), here);
      seed = mix(mix(seed, Token(extent.start)), Token(extent.length));
    }
  for (uint32_t o = 0; o < table.outputs()->size(); ++o) {
    Place to = place(rank, table.outputs()->Get(o));
    int32_t alias = table.aliases()->Get(o);
    if (alias >= 0) // The kernel is given the input's memory only.
      to.at = place(rank, table.inputs()->Get(static_cast<uint32_t>(alias))).at;
    for (int64_t i = 0; i < to.count; ++i)
      rank.arena[static_cast<size_t>(to.at + i)] =
          mix(mix(seed, o), Token(i));
  }
}

void TokenMachine::slice(Rank &rank, const program::LocalSlice &table) {
  const program::Value &from = value(rank, table.input());
  const program::Value &to = value(rank, table.result());
  Coordinates here = rank.coordinates;
  here[kMb] = microBatch(rank);
  auto dim = static_cast<int32_t>(table.dim());
  auto global = static_cast<int64_t>(from.global_shape()->Get(table.dim()));
  Extent held = mesh.extent(*program.layouts()->Get(from.layout()), global, dim,
                            here);
  Extent wanted =
      mesh.extent(*program.layouts()->Get(to.layout()), global, dim, here);
  int64_t outer = 1, whole = 1, inner = place(rank, table.input()).perElement;
  for (uint32_t d = 0; d < from.local_shape()->size(); ++d)
    (d < table.dim() ? outer : d == table.dim() ? whole : inner) *=
        static_cast<int64_t>(from.local_shape()->Get(d));
  auto block = static_cast<int64_t>(to.local_shape()->Get(table.dim()));
  Tokens source = read(rank, table.input());
  Tokens target(static_cast<size_t>(outer * block * inner), 0);
  for (int64_t row = 0; row < outer; ++row)
    for (int64_t i = 0; i < wanted.length * inner; ++i)
      target[static_cast<size_t>(row * block * inner + i)] =
          source[static_cast<size_t>(
              (row * whole + wanted.start - held.start) * inner + i)];
  write(rank, table.result(), target);
}

void TokenMachine::batch(Rank &rank, const program::ReadBatch &table) {
  const program::Value &of = value(rank, table.result());
  Place to = place(rank, table.result());
  Extent rows = mesh.extent(*program.layouts()->Get(of.layout()),
                            static_cast<int64_t>(of.global_shape()->Get(0)), 0,
                            rank.coordinates);
  int64_t row = to.count / static_cast<int64_t>(of.local_shape()->Get(0));
  Token seed = mix(71, table.input());
  for (int64_t i = 0; i < to.whole; ++i)
    rank.arena[static_cast<size_t>(to.at + i)] =
        i < rows.length * row ? mix(seed, Token(rows.start * row + i))
                              : mix(seed, ~Token(0));
}

void TokenMachine::local(Rank &rank, const program::Instruction &entry) {
  if (const auto *table = entry.kind_as_LaunchKernel()) {
    kernel(rank, *table);
  } else if (const auto *matmul = entry.kind_as_MatMul()) {
    Token seed = mix(mix(hash(read(rank, matmul->lhs())),
                         hash(read(rank, matmul->rhs()))),
                     2u * matmul->transpose_lhs() + matmul->transpose_rhs());
    Tokens made(static_cast<size_t>(place(rank, matmul->result()).count));
    for (size_t i = 0; i < made.size(); ++i)
      made[i] = mix(seed, i);
    write(rank, matmul->result(), made);
  } else if (const auto *batchTable = entry.kind_as_ReadBatch()) {
    batch(rank, *batchTable);
  } else if (const auto *clear = entry.kind_as_Clear()) {
    Place to = place(rank, clear->accumulator());
    std::fill_n(rank.arena.begin() + to.at, to.whole, 0);
  } else if (const auto *add = entry.kind_as_Accumulate()) {
    Tokens from = read(rank, add->value());
    Tokens into = read(rank, add->accumulator());
    for (size_t i = 0; i < into.size(); ++i)
      into[i] += from[i];
    write(rank, add->accumulator(), into);
  } else if (const auto *partial = entry.kind_as_ToPartial()) {
    Tokens made = read(rank, partial->input());
    for (uint8_t axis : *partial->axes())
      if (axis == kMb ? microBatch(rank) != 0 : rank.coordinates[axis] != 0)
        std::fill(made.begin(), made.end(), 0);
    write(rank, partial->result(), made);
  } else if (const auto *sliceTable = entry.kind_as_LocalSlice()) {
    slice(rank, *sliceTable);
  } else if (const auto *copy = entry.kind_as_Copy()) {
    write(rank, copy->result(), read(rank, copy->input()));
  } else if (const auto *pack = entry.kind_as_PackBucket()) {
    int64_t at = place(rank, pack->result()).at;
    for (uint32_t id : *pack->members()) {
      Tokens member = read(rank, id);
      std::copy(member.begin(), member.end(), rank.arena.begin() + at);
      at += static_cast<int64_t>(member.size());
    }
  } else if (const auto *store = entry.kind_as_Store()) {
    const program::Variable &variable =
        *program.variables()->Get(store->variable());
    auto home = static_cast<uint32_t>(variable.values()->Get(
        static_cast<uint32_t>(rank.coordinates[kPp])));
    write(rank, home, read(rank, store->value()));
  } else if (const auto *report = entry.kind_as_Report()) {
    reports[report->metric()->str()].insert(
        std::to_string(mesh.rank(rank.coordinates)) + " " +
        std::to_string(hash(read(rank, report->value()))));
  }
}

//===-- Communication -------------------------------------------------------===//

void TokenMachine::gather(Rank &rank, const program::AllGather &table,
                          const std::vector<Tokens> &shards) {
  const program::Value &from = value(rank, table.input());
  const program::Value &to = value(rank, table.result());
  int64_t outer = 1, block = 1, inner = place(rank, table.input()).perElement;
  for (uint32_t d = 0; d < from.local_shape()->size(); ++d)
    (d < table.dim() ? outer : d == table.dim() ? block : inner) *=
        static_cast<int64_t>(from.local_shape()->Get(d));
  auto whole = static_cast<int64_t>(to.local_shape()->Get(table.dim()));
  auto shard = static_cast<int64_t>(shards[0].size());
  auto parts = static_cast<int64_t>(shards.size());
  Place target = place(rank, table.result());
  bool isDirect = outer == 1 && target.whole >= shard * parts;
  int64_t at =
      isDirect ? target.at : static_cast<int64_t>(table.workspace_offset()) / 4;
  for (size_t part = 0; part < shards.size(); ++part)
    std::copy(shards[part].begin(), shards[part].end(),
              rank.arena.begin() + at + static_cast<int64_t>(part) * shard);
  if (isDirect)
    return;
  for (int64_t row = 0; row < outer; ++row)
    for (int64_t part = 0; part < parts; ++part)
      for (int64_t i = 0; i < block && part * block + i < whole; ++i)
        for (int64_t e = 0; e < inner; ++e)
          rank.arena[static_cast<size_t>(
              target.at + (row * whole + part * block + i) * inner + e)] =
              shards[static_cast<size_t>(part)]
                    [static_cast<size_t>((row * block + i) * inner + e)];
}

void TokenMachine::collect(const std::vector<int32_t> &group) {
  std::vector<Tokens> inputs;
  Rank &first = ranks[static_cast<size_t>(group[0])];
  const program::Instruction &entry = *current(first);
  for (int32_t member : group) {
    Rank &rank = ranks[static_cast<size_t>(member)];
    const program::Instruction &own = *current(rank);
    if (const auto *reduce = own.kind_as_AllReduce())
      inputs.push_back(read(rank, reduce->input()));
    else if (const auto *gatherTable = own.kind_as_AllGather())
      inputs.push_back(read(rank, gatherTable->input()));
    else if (const auto *scatter = own.kind_as_ReduceScatter()) {
      Place whole = place(rank, scatter->input());
      int64_t padded = place(rank, scatter->result()).count *
                       static_cast<int64_t>(group.size());
      std::fill_n(rank.arena.begin() + whole.at + whole.count,
                  padded - whole.count, 0);
      inputs.push_back({rank.arena.begin() + whole.at,
                        rank.arena.begin() + whole.at + padded});
    }
  }
  Tokens sum(inputs[0].size(), 0);
  for (const Tokens &input : inputs)
    for (size_t i = 0; i < sum.size() && i < input.size(); ++i)
      sum[i] += input[i];
  if (const auto *reduce = entry.kind_as_AllReduce();
      reduce && group.size() > 1)
    for (Token &token : sum)
      token = mix(token, 7 + Token(reduce->kind()) +
                             (reduce->kind() == program::ReductionKind::Sum
                                  ? 0
                                  : 100));
  for (size_t k = 0; k < group.size(); ++k) {
    Rank &rank = ranks[static_cast<size_t>(group[k])];
    const program::Instruction &own = *current(rank);
    if (const auto *reduce = own.kind_as_AllReduce())
      write(rank, reduce->result(), sum);
    else if (const auto *gatherTable = own.kind_as_AllGather())
      gather(rank, *gatherTable, inputs);
    else if (const auto *scatter = own.kind_as_ReduceScatter()) {
      auto shard = static_cast<std::ptrdiff_t>(
          place(rank, scatter->result()).count);
      auto begin = sum.begin() + static_cast<std::ptrdiff_t>(k) * shard;
      write(rank, scatter->result(), Tokens(begin, begin + shard));
    }
  }
}

/// True where the group went on, this rank included.
bool TokenMachine::meet(int32_t index, const std::vector<int> &axes) {
  std::vector<int32_t> group =
      mesh.group(ranks[static_cast<size_t>(index)].coordinates, axes);
  std::set<int32_t> &here = meetings[group];
  here.insert(index);
  if (here.size() < group.size())
    return false;
  here.clear();
  collect(group);
  for (int32_t member : group)
    if (member != index)
      ++ranks[static_cast<size_t>(member)].instruction;
  return true;
}

bool TokenMachine::advance(int32_t index) {
  Rank &rank = ranks[static_cast<size_t>(index)];
  const program::Instruction &entry = *current(rank);
  auto peer = [&](uint32_t stage) {
    Coordinates other = rank.coordinates;
    other[kPp] = stage;
    return mesh.rank(other);
  };
  if (const auto *send = entry.kind_as_Send()) {
    Channel &channel =
        channels[{index, peer(send->peer_stage()), send->channel()}];
    Place from = place(rank, send->value());
    Post post{from.at, from.count, {}};
    if (!lateSends)
      post.copied = read(rank, send->value());
    channel.waiting.push_back(std::move(post));
    ++channel.posted;
  } else if (const auto *receive = entry.kind_as_Recv()) {
    int32_t source = peer(receive->peer_stage());
    Channel &channel = channels[{source, index, receive->channel()}];
    if (channel.waiting.empty())
      return false;
    Post post = channel.waiting.front();
    const Tokens &arena = ranks[static_cast<size_t>(source)].arena;
    write(rank, receive->result(),
          lateSends ? Tokens(arena.begin() + post.at,
                             arena.begin() + post.at + post.count)
                    : post.copied);
    channel.waiting.pop_front();
    ++channel.taken;
  } else if (const auto *wait = entry.kind_as_Wait()) {
    Channel &channel =
        channels[{index, peer(wait->peer_stage()), wait->channel()}];
    if (channel.posted - channel.taken > wait->pending())
      return false;
  } else if (const auto *reduce = entry.kind_as_AllReduce()) {
    return meet(index, {reduce->axes()->begin(), reduce->axes()->end()});
  } else if (const auto *scatter = entry.kind_as_ReduceScatter()) {
    return meet(index, {scatter->axis()});
  } else if (const auto *gatherTable = entry.kind_as_AllGather()) {
    return meet(index, {gatherTable->axis()});
  } else {
    local(rank, entry);
  }
  return true;
}

TokenResult TokenMachine::results() const {
  std::vector<std::string> lines;
  for (size_t index = 0; index < ranks.size(); ++index)
    for (const program::Variable *variable : *program.variables()) {
      const Rank &rank = ranks[index];
      int32_t id = variable->values()->Get(
          static_cast<uint32_t>(rank.coordinates[kPp]));
      if (id >= 0)
        lines.push_back(
            variable->name()->str() + " " + std::to_string(index) + " " +
            std::to_string(hash(read(rank, static_cast<uint32_t>(id)))));
    }
  return {lines, reports};
}

TokenResult TokenMachine::run() {
  ranks.resize(static_cast<size_t>(mesh.rankCount()));
  for (int32_t i = 0; i < mesh.rankCount(); ++i)
    start(ranks[static_cast<size_t>(i)], i);
  // A rank goes on as far as it can, so that senders run ahead; with late sends
  // first the ranks of the first stage, then those of the last.
  for (bool went = true; went;) {
    went = false;
    for (int32_t i = 0; i < mesh.rankCount(); ++i) {
      Rank &rank = ranks[static_cast<size_t>(i)];
      while (!rank.isDone()) {
        if (rank.instruction ==
            rank.stage->tasks()
                ->Get(rank.calls[rank.call].first)
                ->instructions()
                ->size()) {
          rank.instruction = 0;
          ++rank.call;
          continue;
        }
        if (!advance(i))
          break;
        ++rank.instruction;
        went = true;
      }
    }
  }
  for (const Rank &rank : ranks)
    if (!rank.isDone())
      return {};
  return results();
}

} // namespace

bool TokenResult::isSameAs(const TokenResult &expected) const {
  if (variables != expected.variables ||
      reports.size() != expected.reports.size())
    return false;
  for (const auto &[metric, tokens] : reports) {
    auto other = expected.reports.find(metric);
    if (other == expected.reports.end() ||
        !std::includes(other->second.begin(), other->second.end(),
                       tokens.begin(), tokens.end()))
      return false;
  }
  return true;
}

TokenResult runTokens(const program::Program &program, bool lateSends) {
  return TokenMachine(program, lateSends).run();
}

} // namespace dtc::rt::test
