//===- ProgramMutations.cpp - Every small change of a program -------------===//
//
// Changes go through the object form, so a mutant is as well-formed as what the
// emitter writes.
//
//===----------------------------------------------------------------------===//

#include "tests/runtime/ProgramMutations.h"

#include "tests/runtime/CheckedProgram.h"
#include "tests/runtime/TokenRun.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace dtc::rt::test {
namespace {

using namespace program;
using Ids = std::vector<uint32_t>;

/// Pointers to the value ids that an instruction reads and writes.
struct Operands {
  std::vector<uint32_t *> reads, writes;
};

Operands operandsOf(InstructionT &instruction) {
  Operands made;
  auto &kind = instruction.kind;
  auto both = [&](auto *table) {
    if (table)
      made = {{&table->input}, {&table->result}};
  };
  both(kind.AsAllReduce());
  both(kind.AsReduceScatter());
  both(kind.AsAllGather());
  both(kind.AsToPartial());
  both(kind.AsLocalSlice());
  both(kind.AsView());
  both(kind.AsCopy());
  if (auto *table = kind.AsLaunchKernel()) {
    for (uint32_t &id : table->inputs)
      made.reads.push_back(&id);
    for (uint32_t &id : table->outputs)
      made.writes.push_back(&id);
  }
  if (auto *table = kind.AsMatMul())
    made = {{&table->lhs, &table->rhs}, {&table->result}};
  if (auto *table = kind.AsSend())
    made.reads = {&table->value};
  if (auto *table = kind.AsRecv())
    made.writes = {&table->result};
  if (auto *table = kind.AsReadBatch())
    made.writes = {&table->result};
  if (auto *table = kind.AsClear())
    made.writes = {&table->accumulator};
  if (auto *table = kind.AsAccumulate())
    made = {{&table->value}, {&table->accumulator}};
  if (auto *table = kind.AsPackBucket()) {
    for (uint32_t &id : table->members)
      made.reads.push_back(&id);
    made.writes = {&table->result};
  }
  if (auto *table = kind.AsUnpackBucket()) {
    made.reads = {&table->bucket};
    for (uint32_t &id : table->results)
      made.writes.push_back(&id);
  }
  if (auto *table = kind.AsRead())
    made.writes = {&table->result};
  if (auto *table = kind.AsStore())
    made.reads = {&table->value};
  if (auto *table = kind.AsReport())
    made.reads = {&table->value};
  return made;
}

std::unique_ptr<InstructionT> copyOf(const InstructionT &instruction) {
  flatbuffers::FlatBufferBuilder bytes;
  bytes.Finish(Instruction::Pack(bytes, &instruction));
  auto copy = std::make_unique<InstructionT>();
  flatbuffers::GetRoot<Instruction>(bytes.GetBufferPointer())
      ->UnPackTo(copy.get());
  return copy;
}

/// Where an instruction is, and how to get there in another copy.
struct Spot {
  size_t stage, task, index;
  InstructionT &in(ProgramT &program) const {
    return *list(program)[index];
  }
  std::vector<std::unique_ptr<InstructionT>> &list(ProgramT &program) const {
    return program.stages[stage]->tasks[task]->instructions;
  }
};

class Lister {
public:
  explicit Lister(ProgramT &program) : program(program) {}
  std::vector<Mutation> run();

private:
  void add(const std::string &kind, const Spot &spot, const std::string &how,
           std::function<void(ProgramT &)> apply) {
    mutations.push_back({kind, textOf(spot) + ": " + how, std::move(apply)});
  }
  std::string textOf(const Spot &spot) const {
    const InstructionT &instruction =
        *program.stages[spot.stage]->tasks[spot.task]->instructions[spot.index];
    return "stage " + std::to_string(spot.stage) + " " +
           program.stages[spot.stage]->tasks[spot.task]->name + " " +
           std::to_string(spot.index) + " " +
           EnumNameInstructionKind(instruction.kind.type);
  }
  const ValueT &value(size_t stage, uint32_t id) const {
    return *program.stages[stage]->values[id];
  }

  void listStructure(const Spot &spot);
  void listCollective(const Spot &spot);
  void listChannel(const Spot &spot);
  void listOperands(const Spot &spot);
  void listKernel(const Spot &spot);
  void listValues(size_t stage);
  void listGraph();
  void listSchedule(size_t stage);

  ProgramT &program;
  std::vector<Mutation> mutations;
};

//===-- Instructions --------------------------------------------------------===//

void Lister::listStructure(const Spot &spot) {
  add("drop", spot, "left out", [spot](ProgramT &p) {
    auto &list = spot.list(p);
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(spot.index));
  });
  add("double", spot, "twice", [spot](ProgramT &p) {
    auto &list = spot.list(p);
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(spot.index),
                copyOf(spot.in(p)));
  });
  if (spot.index + 1 < spot.list(program).size())
    add("swap", spot, "after its neighbour", [spot](ProgramT &p) {
      auto &list = spot.list(p);
      std::swap(list[spot.index], list[spot.index + 1]);
    });
}

void Lister::listCollective(const Spot &spot) {
  InstructionT &instruction = spot.in(program);
  auto resize = [&](auto get) {
    if (!get(instruction))
      return;
    for (int64_t by : {-1, 1})
      add("elements", spot, "elements by " + std::to_string(by),
          [spot, get, by](ProgramT &p) {
            get(spot.in(p))->elements += static_cast<uint64_t>(by);
          });
  };
  resize([](InstructionT &i) { return i.kind.AsAllReduce(); });
  resize([](InstructionT &i) { return i.kind.AsReduceScatter(); });
  resize([](InstructionT &i) { return i.kind.AsAllGather(); });
  resize([](InstructionT &i) { return i.kind.AsSend(); });
  resize([](InstructionT &i) { return i.kind.AsRecv(); });
  if (const auto *reduce = instruction.kind.AsAllReduce()) {
    for (uint8_t axis = 0; axis < 4; ++axis) {
      std::vector<uint8_t> axes = {axis};
      if (reduce->axes != axes)
        add("axis", spot, "over axis " + std::to_string(axis) + " alone",
            [spot, axes](ProgramT &p) {
              spot.in(p).kind.AsAllReduce()->axes = axes;
            });
      std::vector<uint8_t> more = reduce->axes;
      more.push_back(axis);
      std::sort(more.begin(), more.end());
      if (std::adjacent_find(more.begin(), more.end()) == more.end())
        add("axis", spot, "over axis " + std::to_string(axis) + " too",
            [spot, more](ProgramT &p) {
              spot.in(p).kind.AsAllReduce()->axes = more;
            });
    }
    for (ReductionKind other :
         {ReductionKind::Sum, ReductionKind::Max, ReductionKind::Or})
      if (other != reduce->kind)
        add("reduction", spot, EnumNameReductionKind(other),
            [spot, other](ProgramT &p) {
              spot.in(p).kind.AsAllReduce()->kind = other;
            });
  }
  auto retarget = [&](auto get) {
    if (auto *table = get(instruction))
      for (uint8_t axis = 0; axis < 4; ++axis)
        if (axis != table->axis)
          add("axis", spot, "over axis " + std::to_string(axis),
              [spot, get, axis](ProgramT &p) { get(spot.in(p))->axis = axis; });
  };
  retarget([](InstructionT &i) { return i.kind.AsReduceScatter(); });
  retarget([](InstructionT &i) { return i.kind.AsAllGather(); });
  retarget([](InstructionT &i) { return i.kind.AsLocalSlice(); });
}

void Lister::listChannel(const Spot &spot) {
  InstructionT &instruction = spot.in(program);
  auto change = [&](auto get) {
    if (!get(instruction))
      return;
    for (uint32_t channel = 0; channel < 4; ++channel)
      if (channel != get(instruction)->channel)
        add("channel", spot, "on channel " + std::to_string(channel),
            [spot, get, channel](ProgramT &p) {
              get(spot.in(p))->channel = channel;
            });
    for (uint32_t peer = 0; peer < program.stages.size(); ++peer)
      if (peer != get(instruction)->peer_stage)
        add("channel", spot, "to stage " + std::to_string(peer),
            [spot, get, peer](ProgramT &p) {
              get(spot.in(p))->peer_stage = peer;
            });
  };
  change([](InstructionT &i) { return i.kind.AsSend(); });
  change([](InstructionT &i) { return i.kind.AsRecv(); });
  change([](InstructionT &i) { return i.kind.AsWait(); });
  if (instruction.kind.AsWait())
    add("wait", spot, "one post more may be pending",
        [spot](ProgramT &p) { ++spot.in(p).kind.AsWait()->pending; });
  if (!instruction.kind.AsSend() && !instruction.kind.AsRecv())
    return;
  // The next of its kind in the task, whatever stands between.
  auto &list = spot.list(program);
  for (size_t other = spot.index + 1; other < list.size(); ++other)
    if (list[other]->kind.type == instruction.kind.type) {
      add("cross", spot, "in the place of the next",
          [spot, other](ProgramT &p) {
            std::swap(spot.list(p)[spot.index], spot.list(p)[other]);
          });
      break;
    }
}

/// Every other value of the same type in the place of an operand or a result.
void Lister::listOperands(const Spot &spot) {
  InstructionT &instruction = spot.in(program);
  Operands operands = operandsOf(instruction);
  for (bool isRead : {true, false}) {
    auto &list = isRead ? operands.reads : operands.writes;
    for (size_t i = 0; i < list.size(); ++i) {
      const ValueT &own = value(spot.stage, *list[i]);
      for (uint32_t id = 0; id < program.stages[spot.stage]->values.size();
           ++id) {
        const ValueT &other = value(spot.stage, id);
        if (id == *list[i] || other.local_shape != own.local_shape ||
            other.dtype != own.dtype)
          continue;
        add(isRead ? "operand" : "result", spot,
            own.name + " becomes " + other.name,
            [spot, isRead, i, id](ProgramT &p) {
              Operands there = operandsOf(spot.in(p));
              *(isRead ? there.reads : there.writes)[i] = id;
            });
      }
    }
  }
}

void Lister::listKernel(const Spot &spot) {
  const auto *kernel = spot.in(program).kind.AsLaunchKernel();
  auto get = [spot](ProgramT &p) { return spot.in(p).kind.AsLaunchKernel(); };
  if (const auto *store = spot.in(program).kind.AsStore())
    for (uint32_t v = 0; v < program.variables.size(); ++v)
      if (v != store->variable)
        add("variable", spot, "into " + program.variables[v]->name,
            [spot, v](ProgramT &p) { spot.in(p).kind.AsStore()->variable = v; });
  if (const auto *read = spot.in(program).kind.AsRead())
    for (uint32_t v = 0; v < program.variables.size(); ++v)
      if (v != read->variable)
        add("variable", spot, "of " + program.variables[v]->name,
            [spot, v](ProgramT &p) { spot.in(p).kind.AsRead()->variable = v; });
  if (const auto *matmul = spot.in(program).kind.AsMatMul()) {
    add("matmul", spot, "lhs transposed otherwise", [spot](ProgramT &p) {
      bool &flag = spot.in(p).kind.AsMatMul()->transpose_lhs;
      flag = !flag;
    });
    for (uint32_t op = 0; op < program.graph->ops.size(); ++op)
      if (op != matmul->op && program.graph->ops[op]->kind == "matmul")
        add("op", spot, "as " + program.graph->ops[op]->name,
            [spot, op](ProgramT &p) { spot.in(p).kind.AsMatMul()->op = op; });
  }
  if (!kernel)
    return;
  for (size_t i = 0; i < kernel->inputs.size(); ++i) {
    add("term", spot, "input " + std::to_string(i) + " left out",
        [get, i](ProgramT &p) {
          auto &inputs = get(p)->inputs;
          inputs.erase(inputs.begin() + static_cast<std::ptrdiff_t>(i));
        });
    add("term", spot, "input " + std::to_string(i) + " twice",
        [get, i](ProgramT &p) {
          auto &inputs = get(p)->inputs;
          inputs.push_back(inputs[i]);
        });
    for (size_t j = 0; j < i; ++j)
      if (kernel->inputs[i] != kernel->inputs[j])
        add("operand", spot,
            "inputs " + std::to_string(j) + " and " + std::to_string(i) +
                " exchanged",
            [get, i, j](ProgramT &p) {
              std::swap(get(p)->inputs[i], get(p)->inputs[j]);
            });
  }
  for (size_t i = 0; i < kernel->ops.size(); ++i) {
    add("op", spot, "op " + std::to_string(i) + " left out",
        [get, i](ProgramT &p) {
          auto &ops = get(p)->ops;
          ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(i));
        });
    const GraphOpT &own = *program.graph->ops[kernel->ops[i]];
    for (uint32_t op = 0; op < program.graph->ops.size(); ++op)
      if (op != kernel->ops[i] && program.graph->ops[op]->kind == own.kind)
        add("op", spot, own.name + " as " + program.graph->ops[op]->name,
            [get, i, op](ProgramT &p) { get(p)->ops[i] = op; });
  }
  for (size_t o = 0; o < kernel->aliases.size(); ++o)
    for (int32_t alias = -1;
         alias < static_cast<int32_t>(kernel->inputs.size()); ++alias)
      if (alias != kernel->aliases[o])
        add("alias", spot,
            "output " + std::to_string(o) + " aliases " + std::to_string(alias),
            [get, o, alias](ProgramT &p) { get(p)->aliases[o] = alias; });
}

//===-- Values, graph, schedule ---------------------------------------------===//

void Lister::listValues(size_t stage) {
  for (uint32_t id = 0; id < program.stages[stage]->values.size(); ++id) {
    const ValueT &own = value(stage, id);
    std::string name = "stage " + std::to_string(stage) + " value " + own.name;
    auto get = [stage, id](ProgramT &p) -> ValueT & {
      return *p.stages[stage]->values[id];
    };
    auto addOne = [&](const std::string &kind, const std::string &how,
                      std::function<void(ProgramT &)> apply) {
      mutations.push_back({kind, name + ": " + how, std::move(apply)});
    };
    for (int64_t by : {-64, 64})
      if (by > 0 || own.place->offset() >= 64)
        addOne("place", "moved by " + std::to_string(by),
               [get, stage, by](ProgramT &p) {
                 Place &place = *get(p).place;
                 place = Place(place.offset() + static_cast<uint64_t>(by),
                               place.bytes(), place.slots(),
                               place.slot_stride(), place.micro_batch_stride());
                 p.stages[stage]->arena_bytes += 64;
               });
    if (own.place->slots() > 1)
      addOne("slots", "one slot", [get](ProgramT &p) {
        Place &place = *get(p).place;
        place = Place(place.offset(), place.bytes(), 1, 0, 0);
      });
    addOne("degree", "scale once more",
           [get](ProgramT &p) { ++get(p).degree_scale; });
    addOne("degree", "1/N once less",
           [get](ProgramT &p) { --get(p).degree_count; });
    if (!own.terms.empty())
      addOne("terms", "declares a term less",
             [get](ProgramT &p) { get(p).terms.pop_back(); });
    for (uint32_t logical = 0; logical < program.graph->values.size();
         ++logical)
      if (own.logicals != Ids{logical} && own.logicals.size() == 1 &&
          program.graph->values[logical]->shape ==
              program.graph->values[own.logicals[0]]->shape)
        addOne("logical", "is " + program.graph->values[logical]->name,
               [get, logical](ProgramT &p) { get(p).logicals = {logical}; });
    for (uint32_t layout = 0; layout < program.layouts.size(); ++layout) {
      const LayoutT &a = *program.layouts[layout];
      const LayoutT &b = *program.layouts[own.layout];
      bool isSame = a.pads.size() == b.pads.size();
      for (size_t axis = 0; isSame && axis < 4; ++axis)
        isSame = a.axes[axis].kind() == b.axes[axis].kind() &&
                 a.axes[axis].dim() == b.axes[axis].dim() &&
                 a.axes[axis].stages() == b.axes[axis].stages() &&
                 a.axes[axis].reduction() == b.axes[axis].reduction();
      if (!isSame && a.pads.size() == b.pads.size())
        addOne("layout", "lies as layout " + std::to_string(layout),
               [get, layout](ProgramT &p) { get(p).layout = layout; });
    }
  }
}

void Lister::listGraph() {
  auto &graph = *program.graph;
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    std::string name = "graph op " + graph.ops[i]->name;
    for (size_t o = 0; o < graph.ops[i]->operands.size(); ++o) {
      uint32_t own = graph.ops[i]->operands[o];
      for (uint32_t other = 0; other < graph.values.size(); ++other) {
        if (other != own &&
            graph.values[other]->shape == graph.values[own]->shape &&
            graph.values[other]->dtype == graph.values[own]->dtype)
          mutations.push_back(
              {"graph", name + " reads " + graph.values[other]->name,
               [i, o, other](ProgramT &p) {
                 p.graph->ops[i]->operands[o] = other;
               }});
      }
    }
    if (!graph.ops[i]->terms.empty())
      mutations.push_back({"graph", name + " without its last term",
                           [i](ProgramT &p) {
                             p.graph->ops[i]->operands.pop_back();
                             p.graph->ops[i]->terms.pop_back();
                           }});
  }
  for (size_t i = 0; i < graph.stores.size(); ++i)
    mutations.push_back({"graph", "no store of " + graph.stores[i]->variable,
                         [i](ProgramT &p) {
                           auto &stores = p.graph->stores;
                           stores.erase(stores.begin() +
                                        static_cast<std::ptrdiff_t>(i));
                         }});
}

void Lister::listSchedule(size_t stage) {
  auto &repeats = program.stages[stage]->train;
  for (size_t r = 0; r < repeats.size(); ++r) {
    std::string name =
        "stage " + std::to_string(stage) + " repeat " + std::to_string(r);
    for (int by : {-1, 1})
      mutations.push_back({"schedule", name + " count by " + std::to_string(by),
                           [stage, r, by](ProgramT &p) {
                             p.stages[stage]->train[r]->count +=
                                 static_cast<uint32_t>(by);
                           }});
    for (size_t c = 0; c < repeats[r]->calls.size(); ++c) {
      std::string call = name + " call " + std::to_string(c);
      mutations.push_back({"schedule", call + " left out",
                           [stage, r, c](ProgramT &p) {
                             auto &calls = p.stages[stage]->train[r]->calls;
                             calls.erase(calls.begin() +
                                         static_cast<std::ptrdiff_t>(c));
                           }});
      mutations.push_back(
          {"schedule", call + " one micro-batch later",
           [stage, r, c](ProgramT &p) {
             ++p.stages[stage]->train[r]->calls[c]->first;
           }});
      if (c + 1 < repeats[r]->calls.size())
        mutations.push_back({"schedule", call + " after the next",
                             [stage, r, c](ProgramT &p) {
                               auto &calls = p.stages[stage]->train[r]->calls;
                               std::swap(calls[c], calls[c + 1]);
                             }});
    }
  }
}

std::vector<Mutation> Lister::run() {
  for (size_t stage = 0; stage < program.stages.size(); ++stage) {
    auto &tasks = program.stages[stage]->tasks;
    for (size_t task = 0; task < tasks.size(); ++task) {
      if (tasks[task]->name.rfind("evaluate", 0) == 0)
        continue;
      for (size_t i = 0; i < tasks[task]->instructions.size(); ++i) {
        Spot spot{stage, task, i};
        listStructure(spot);
        listCollective(spot);
        listChannel(spot);
        listOperands(spot);
        listKernel(spot);
      }
    }
    listValues(stage);
    listSchedule(stage);
  }
  listGraph();
  return std::move(mutations);
}

std::unique_ptr<ProgramT> unpack(const std::vector<uint8_t> &bytes) {
  auto table = std::make_unique<ProgramT>();
  GetSizePrefixedProgram(bytes.data())->UnPackTo(table.get());
  return table;
}

} // namespace

std::vector<Mutation> listMutations(const program::ProgramT &program) {
  return Lister(const_cast<program::ProgramT &>(program)).run();
}

MutationResult tryMutations(const std::vector<uint8_t> &bytes) {
  MutationResult result;
  std::unique_ptr<program::ProgramT> base = unpack(bytes);
  const program::Program &table =
      *program::GetSizePrefixedProgram(bytes.data());
  const TokenResult expected = runTokens(table, false);
  std::set<std::string> seen;
  for (const Mutation &mutation : listMutations(*base)) {
    std::unique_ptr<program::ProgramT> mutant = unpack(bytes);
    mutation.apply(*mutant);
    std::vector<uint8_t> packed = packProgram(*mutant);
    std::string text;
    auto program = Program::load(packed);
    if (program.isOk()) {
      auto certificate = checkProgram(**program);
      if (!certificate.isOk())
        text = certificate.status().str();
    } else {
      text = program.status().str();
    }
    if (!text.empty()) {
      ++result.refused[mutation.kind];
      if (seen.insert(mutation.kind).second)
        result.samples.push_back(mutation.kind + ": " + mutation.what + ": " +
                                 text);
      continue;
    }
    if (runTokens((*program)->table(), false).isSameAs(expected) &&
        runTokens((*program)->table(), true).isSameAs(expected))
      ++result.equivalent[mutation.kind];
    else
      result.missed.push_back(mutation.kind + ": " + mutation.what);
  }
  return result;
}

} // namespace dtc::rt::test
