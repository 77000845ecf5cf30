//===- CheckedProgram.cpp - A small program for the checker's tests -------===//
//
// A builder for graph and stages, and the step that is written with it. Places
// are never shared, but where an instruction works in place.
//
//===----------------------------------------------------------------------===//

#include "tests/runtime/CheckedProgram.h"

#include "runtime/program/ContentHash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdlib>
#include <map>

namespace dtc::rt::test {
namespace {

using namespace program;
using program::DType;

using Shape = std::vector<uint64_t>;
using Names = std::vector<std::string>;

class GraphBuilder {
public:
  explicit GraphBuilder(ProgramT &program) : program(program) {
    program.graph = std::make_unique<StepGraphT>();
  }
  uint32_t value(const std::string &name, Shape shape, DType dtype = DType::F32,
                 const std::string &contributes = "") {
    auto made = std::make_unique<GraphValueT>();
    made->name = name;
    made->shape = std::move(shape);
    made->dtype = dtype;
    made->contributes = contributes;
    program.graph->values.push_back(std::move(made));
    return ids[name] = uint32_t(program.graph->values.size() - 1);
  }
  void input(const std::string &name, Shape shape, DType dtype) {
    program.graph->values[value(name, std::move(shape), dtype)]->input = name;
  }
  void read(const std::string &name, Shape shape, DType dtype = DType::F32) {
    program.graph->values[value(name, std::move(shape), dtype)]->variable =
        name;
  }
  /// An op with results that value() has made.
  GraphOpT &op(const std::string &kind, const Names &results,
               const Names &operands) {
    auto made = std::make_unique<GraphOpT>();
    made->kind = kind;
    made->name = results[0];
    for (const std::string &operand : operands)
      made->operands.push_back(ids.at(operand));
    for (const std::string &result : results)
      made->results.push_back(ids.at(result));
    program.graph->ops.push_back(std::move(made));
    ops[results[0]] = uint32_t(program.graph->ops.size() - 1);
    return *program.graph->ops.back();
  }
  void attribute(GraphOpT &op, const std::string &name, int64_t value) {
    auto made = std::make_unique<AttributeT>();
    made->name = name;
    made->integers = {value};
    op.attributes.push_back(std::move(made));
  }
  void terms(GraphOpT &op, const Names &names) {
    for (const std::string &name : names) {
      auto set = std::make_unique<TermSetT>();
      set->terms = {term(name)};
      op.terms.push_back(std::move(set));
    }
  }
  uint32_t term(const std::string &name) {
    for (uint32_t i = 0; i < program.terms.size(); ++i)
      if (program.terms[i] == name)
        return i;
    program.terms.push_back(name);
    return uint32_t(program.terms.size() - 1);
  }
  void store(const std::string &variable, const std::string &value) {
    auto made = std::make_unique<GraphStoreT>();
    made->variable = variable;
    made->value = ids.at(value);
    program.graph->stores.push_back(std::move(made));
  }

  void report(const std::string &metric) {
    auto made = std::make_unique<GraphReportT>();
    made->metric = metric;
    made->value = ids.at(metric);
    program.graph->reports.push_back(std::move(made));
  }

  ProgramT &program;
  std::map<std::string, uint32_t> ids, ops;
};

/// States of dp and mb; pp is the stage (or both), tp R. `pad` is dimension 0's.
struct Lay {
  AxisKind dp = AxisKind::Replicated, mb = AxisKind::Replicated;
  PadKind pad = PadKind::None;
  uint64_t partialStages = 0; ///< P over these stages
  ReductionKind kind = ReductionKind::Sum;
  uint64_t stages = 0; ///< On; 0: the stage alone
};
constexpr AxisKind kS = AxisKind::Split, kP = AxisKind::Partial,
                   kR = AxisKind::Replicated;

class StageBuilder {
public:
  StageBuilder(GraphBuilder &graph, uint32_t index, uint32_t dp, uint32_t mb)
      : graph(graph), program(graph.program), index(index), dp(dp), mb(mb) {}

  /// A value of the graph's, at fresh bytes or those of `place`.
  uint32_t value(const std::string &name, const std::string &logical,
                 const Lay &lay, const std::string &place = "") {
    const GraphValueT &of = *program.graph->values[graph.ids.at(logical)];
    auto made = std::make_unique<ValueT>();
    made->name = name;
    made->logicals = {graph.ids.at(logical)};
    made->dtype = of.dtype;
    made->global_shape = of.shape;
    made->local_shape = of.shape;
    if (!of.shape.empty()) {
      uint64_t &rows = made->local_shape[0];
      if (lay.dp == kS)
        rows = (rows + dp - 1) / dp;
      if (lay.mb == kS)
        rows = (rows + mb - 1) / mb;
    }
    made->layout = layout(lay, of.shape.size(),
                          of.shape.empty() || made->local_shape[0] *
                                                      (lay.dp == kS ? dp : 1) *
                                                      (lay.mb == kS ? mb : 1) ==
                                                  of.shape[0]);
    setDegree(*made, logical);
    if (!of.contributes.empty())
      made->terms = {graph.term(of.contributes)};
    uint64_t bytes = of.dtype == DType::I64 ? 8 : 4;
    for (uint64_t size : made->local_shape)
      bytes *= size;
    if (!place.empty()) {
      made->place = std::make_unique<Place>(
          *table.values[values.at(place)]->place);
    } else {
      uint64_t stride = (bytes + 63) / 64 * 64;
      bool varies = lay.mb != kR;
      made->place = std::make_unique<Place>(end, bytes, varies ? mb : 1,
                                            varies ? stride : 0, 0);
      end += stride * (varies ? mb : 1);
    }
    table.values.push_back(std::move(made));
    return values[name] = uint32_t(table.values.size() - 1);
  }

  void task(const std::string &name, TaskKind kind) {
    table.tasks.push_back(std::make_unique<TaskT>());
    table.tasks.back()->name = name;
    table.tasks.back()->kind = kind;
  }
  template <typename Table>
  Table &add(const std::string &name, const std::string &kind) {
    Table made;
    made.id = uint32_t(program.operations.size());
    program.operations.push_back(std::make_unique<OperationT>());
    program.operations.back()->name = name;
    program.operations.back()->kind = kind;
    auto instruction = std::make_unique<InstructionT>();
    instruction->kind.Set(std::move(made));
    table.tasks.back()->instructions.push_back(std::move(instruction));
    return *static_cast<Table *>(
        table.tasks.back()->instructions.back()->kind.value);
  }
  void kernel(const Names &outputs, const Names &inputs, bool inPlace = false) {
    auto &made = add<LaunchKernelT>(outputs[0], "LaunchKernel");
    uint32_t logical = table.values[values.at(outputs[0])]->logicals[0];
    for (uint32_t i = 0; i < program.graph->ops.size(); ++i)
      if (program.graph->ops[i]->results[0] == logical)
        made.ops = {i};
    for (const std::string &input : inputs)
      made.inputs.push_back(values.at(input));
    for (const std::string &output : outputs) {
      made.outputs.push_back(values.at(output));
      made.aliases.push_back(inPlace ? 0 : -1);
    }
  }
  void matmul(const std::string &result, const std::string &lhs,
              const std::string &rhs) {
    auto &made = add<MatMulT>(result, "MatMul");
    made.op = graph.ops.at(result);
    made.lhs = values.at(lhs);
    made.rhs = values.at(rhs);
    made.result = values.at(result);
    for (const auto &attribute : program.graph->ops[made.op]->attributes)
      (attribute->name == "transpose_lhs" ? made.transpose_lhs
                                          : made.transpose_rhs) = true;
  }
  void allReduce(const std::string &result, const std::string &input,
                 ReductionKind kind, std::vector<uint8_t> axes) {
    auto &made = add<AllReduceT>(result, "AllReduce");
    made.input = values.at(input);
    made.result = values.at(result);
    made.kind = kind;
    made.axes = std::move(axes);
    made.elements = elements(input);
  }
  void send(const std::string &name, uint32_t peer, uint32_t channel) {
    auto &made = add<SendT>(name, "Send");
    made.value = values.at(name);
    made.peer_stage = peer;
    made.channel = channel;
    made.elements = elements(name);
  }
  void receive(const std::string &name, uint32_t peer, uint32_t channel) {
    auto &made = add<RecvT>(name, "Recv");
    made.result = values.at(name);
    made.peer_stage = peer;
    made.channel = channel;
    made.elements = elements(name);
  }
  void wait(uint32_t peer, uint32_t channel) {
    auto &made = add<WaitT>("wait", "Wait");
    made.peer_stage = peer;
    made.channel = channel;
  }
  /// Reads a variable that is declared on this stage.
  void read(const std::string &name, const std::string &variable,
            const Lay &lay) {
    value(name, variable, lay, variable + " home");
    auto &made = add<ReadT>(name, "Read");
    made.variable = variables.at(variable);
    made.result = values.at(name);
  }
  void store(const std::string &variable, const std::string &name) {
    auto &made = add<StoreT>(variable, "Store");
    made.variable = variables.at(variable);
    made.value = values.at(name);
  }
  uint64_t elements(const std::string &name) const {
    uint64_t count = 1;
    for (uint64_t size : table.values[values.at(name)]->local_shape)
      count *= size;
    return count;
  }
  void call(uint32_t count, std::vector<std::pair<std::string, uint32_t>> list) {
    auto repeat = std::make_unique<RepeatT>();
    repeat->count = count;
    for (auto &[name, first] : list) {
      auto call = std::make_unique<CallT>();
      call->first = first;
      while (table.tasks[call->task]->name != name)
        ++call->task;
      repeat->calls.push_back(std::move(call));
    }
    table.train.push_back(std::move(repeat));
  }

  GraphBuilder &graph;
  ProgramT &program;
  uint32_t index, dp, mb;
  StageT table;
  uint64_t end = 0;
  std::map<std::string, uint32_t> values, variables;

private:
  uint32_t layout(const Lay &lay, size_t rank, bool isFull) {
    auto made = std::make_unique<LayoutT>();
    uint64_t on = lay.stages ? lay.stages : uint64_t(1) << index;
    AxisState pp = lay.partialStages
                       ? AxisState(lay.partialStages, -1, kP, lay.kind)
                       : AxisState(on, -1, AxisKind::On, ReductionKind::Sum);
    auto state = [&](AxisKind kind) {
      return AxisState(0, kind == kS ? 0 : -1, kind,
                       kind == kP ? lay.kind : ReductionKind::Sum);
    };
    made->axes = {pp, state(lay.dp), state(kR), state(lay.mb)};
    made->pads.assign(rank, PadKind::None);
    if (!isFull && rank)
      made->pads[0] = lay.pad;
    program.layouts.push_back(std::move(made));
    return uint32_t(program.layouts.size() - 1);
  }
  void setDegree(ValueT &value, const std::string &logical) {
    static const std::map<std::string, std::pair<int, int>> kDegrees = {
        {"dtc.loss_scale", {1, 0}}, {"new_scale", {1, 0}}, {"loss", {0, 1}},
        {"dz", {1, 1}},  {"dh0", {1, 1}}, {"da0", {1, 1}}, {"g0", {1, 1}},
        {"g1", {1, 1}},  {"u0", {0, 1}},  {"u1", {0, 1}},  {"q0", {0, 2}},
        {"q1", {0, 2}},  {"sq", {0, 2}}};
    auto found = kDegrees.find(logical);
    if (found == kDegrees.end())
      return;
    value.degree_scale = int8_t(found->second.first);
    value.degree_count = int8_t(found->second.second);
  }
};

//===-- The step ------------------------------------------------------------===//

void writeGraph(GraphBuilder &graph) {
  graph.input("x", {7, 2}, DType::F32);
  graph.input("label", {7}, DType::I32);
  graph.read("in.weight", {4, 2});
  graph.read("head.weight", {3, 4});
  graph.read("dtc.loss_scale", {});
  graph.read("dtc.step", {}, DType::I32);
  graph.read("dtc.good_steps", {}, DType::I32);
  auto op = [&](const std::string &kind, const std::string &result, Shape shape,
                const Names &operands, DType dtype = DType::F32,
                const std::string &contributes = "") -> GraphOpT & {
    graph.value(result, std::move(shape), dtype, contributes);
    return graph.op(kind, {result}, operands);
  };
  auto transposed = [&](GraphOpT &made, const char *side) {
    graph.attribute(made, side, 1);
  };
  transposed(op("matmul", "a0", {7, 4}, {"x", "in.weight"}), "transpose_rhs");
  op("relu", "h0", {7, 4}, {"a0"});
  transposed(op("matmul", "z", {7, 3}, {"h0", "head.weight"}), "transpose_rhs");
  graph.attribute(op("count_valid", "N", {}, {"label"}, DType::I64), "ignore",
                  -100);
  op("row_max", "max", {7}, {"z"});
  op("sum_exp", "sum", {7}, {"z", "max"});
  op("pick", "pick", {7}, {"z", "label"});
  op("cross_entropy", "loss", {},
     {"max", "sum", "pick", "label", "N", "dtc.loss_scale"});
  op("cross_entropy_grad", "dz", {7, 3},
     {"z", "max", "sum", "label", "N", "dtc.loss_scale"});
  transposed(op("matmul", "g1", {3, 4}, {"dz", "h0"}, DType::F32,
                "head.weight"),
             "transpose_lhs");
  op("matmul", "dh0", {7, 4}, {"dz", "head.weight"});
  op("relu_grad", "da0", {7, 4}, {"dh0", "h0"});
  transposed(op("matmul", "g0", {4, 2}, {"da0", "x"}, DType::F32, "in.weight"),
             "transpose_lhs");
  op("nonfinite_bit", "f0", {}, {"g0"}, DType::I32);
  op("nonfinite_bit", "f1", {}, {"g1"}, DType::I32);
  op("empty_bit", "fN", {}, {"N"}, DType::I32);
  graph.terms(op("or", "flag", {}, {"f0", "f1", "fN"}, DType::I32),
              {"in.weight", "head.weight", "N"});
  op("unscale", "u0", {4, 2}, {"g0", "dtc.loss_scale"});
  op("unscale", "u1", {3, 4}, {"g1", "dtc.loss_scale"});
  op("sum_squares", "q0", {}, {"u0"});
  op("sum_squares", "q1", {}, {"u1"});
  graph.terms(op("sum", "sq", {}, {"q0", "q1"}), {"in.weight", "head.weight"});
  op("clip_factor", "factor", {}, {"sq"});
  op("learning_rate", "lr", {}, {"dtc.step"});
  op("sgd", "n0", {4, 2}, {"in.weight", "u0", "factor", "flag", "lr"});
  op("sgd", "n1", {3, 4}, {"head.weight", "u1", "factor", "flag", "lr"});
  graph.value("new_step", {}, DType::I32);
  graph.value("new_scale", {});
  graph.value("new_good", {}, DType::I32);
  graph.op("advance", {"new_step", "new_scale", "new_good"},
           {"dtc.step", "dtc.loss_scale", "dtc.good_steps", "flag"});
  graph.report("flag");
  graph.report("loss");
  graph.store("in.weight", "n0");
  graph.store("head.weight", "n1");
  graph.store("dtc.step", "new_step");
  graph.store("dtc.loss_scale", "new_scale");
  graph.store("dtc.good_steps", "new_good");
}

const Lay kRows = {kS, kS, PadKind::Any};
const Lay kZeroRows = {kS, kS, PadKind::Zero};
const Lay kGradient = {kP, kP};
const Lay kLocalSum = {kP, kR};
const Lay kWhole = {};
const Lay kBoth = {kR, kR, PadKind::None, 0, ReductionKind::Sum, 3};

/// The reduced gradient, flag, norm, update: the same on both stages.
void writeTail(StageBuilder &stage, const std::string &n,
               const std::string &weight) {
  stage.allReduce("g" + n, "g" + n + " sum", ReductionKind::Sum, {kDp});
  stage.read("scale", "dtc.loss_scale", kBoth);
  stage.read("step", "dtc.step", kBoth);
  stage.read("good", "dtc.good_steps", kBoth);
  stage.read("old weight", weight, kWhole);
  stage.value("f" + n, "f" + n, kWhole);
  stage.kernel({"f" + n}, {"g" + n});
  Names bits = {"f" + n};
  if (n == "1") {
    stage.value("fN", "fN", kWhole);
    stage.kernel({"fN"}, {"N"});
    bits.push_back("fN");
  }
  stage.value("flag part", "flag",
              {kR, kR, PadKind::None, 3, ReductionKind::Or});
  stage.kernel({"flag part"}, bits);
  stage.value("flag", "flag", kBoth, "flag part");
  stage.allReduce("flag", "flag part", ReductionKind::Or, {kPp});
  stage.value("u" + n, "u" + n, kWhole, "g" + n);
  stage.kernel({"u" + n}, {"g" + n, "scale"}, true);
  stage.value("q" + n, "q" + n, kWhole);
  stage.kernel({"q" + n}, {"u" + n});
  stage.value("sq part", "sq", {kR, kR, PadKind::None, 3});
  stage.kernel({"sq part"}, {"q" + n});
  stage.value("sq", "sq", kBoth, "sq part");
  stage.allReduce("sq", "sq part", ReductionKind::Sum, {kPp});
  stage.value("factor", "factor", kBoth);
  stage.kernel({"factor"}, {"sq"});
  stage.value("lr", "lr", kBoth);
  stage.kernel({"lr"}, {"step"});
  stage.value("n" + n, "n" + n, kWhole, "old weight");
  stage.kernel({"n" + n}, {"old weight", "u" + n, "factor", "flag", "lr"},
               true);
  stage.store(weight, "n" + n);
  stage.value("new_step", "new_step", kBoth);
  stage.value("new_scale", "new_scale", kBoth);
  stage.value("new_good", "new_good", kBoth);
  stage.kernel({"new_step", "new_scale", "new_good"},
               {"step", "scale", "good", "flag"});
  stage.store("dtc.step", "new_step");
  stage.store("dtc.loss_scale", "new_scale");
  stage.store("dtc.good_steps", "new_good");
  auto &report = stage.add<ReportT>("flag", "Report");
  report.value = stage.values.at("flag");
  report.metric = "flag";
  // Terms of partial and joined sums.
  for (auto &value : stage.table.values) {
    if (value->name.rfind("flag", 0) == 0)
      value->terms = {stage.graph.term(weight)};
    if (value->name.rfind("flag", 0) == 0 && n == "1")
      value->terms.push_back(stage.graph.term("N"));
    if (value->name.rfind("sq", 0) == 0)
      value->terms = {stage.graph.term(weight)};
  }
}

void writeBatch(StageBuilder &stage, const std::string &name, uint32_t input) {
  PadKind fill = name == "x" ? PadKind::Zero : PadKind::Fill;
  stage.value(name, name, {kS, kR, fill});
  // Rows that the last micro-batch lacks are filled too.
  ValueT &batch = *stage.table.values.back();
  uint64_t row = batch.place->bytes() / batch.local_shape[0];
  uint64_t rows = (batch.local_shape[0] + stage.mb - 1) / stage.mb;
  *batch.place = Place(batch.place->offset(), row * rows * stage.mb, 1, 0, 0);
  stage.end += 256;
  auto &made = stage.add<ReadBatchT>(name, "ReadBatch");
  made.result = stage.values.at(name);
  made.input = input;
}

/// The rows of a micro-batch, in each task that reads them.
void writeRows(StageBuilder &stage, const std::string &name,
               const std::string &rows) {
  if (!stage.values.count(rows)) {
    PadKind fill = name == "x" ? PadKind::Zero : PadKind::Fill;
    stage.value(rows, name, {kS, kS, fill});
    ValueT &view = *stage.table.values.back();
    uint64_t bytes = view.place->bytes();
    *view.place =
        Place(stage.table.values[stage.values.at(name)]->place->offset(), bytes,
              1, 0, bytes);
  }
  auto &made = stage.add<ViewT>(rows, "View");
  made.input = stage.values.at(name);
  made.result = stage.values.at(rows);
}

void writeAccumulator(StageBuilder &stage, const std::string &name) {
  stage.value(name + " sum", name, kLocalSum);
  stage.value(name, name, kWhole, name + " sum");
  stage.add<ClearT>(name, "Clear").accumulator = stage.values.at(name + " sum");
}

void accumulate(StageBuilder &stage, const std::string &name) {
  auto &made = stage.add<AccumulateT>(name, "Accumulate");
  made.value = stage.values.at(name + " part");
  made.accumulator = stage.values.at(name + " sum");
}

void writeStage0(StageBuilder &stage) {
  stage.task("prologue", TaskKind::Prologue);
  writeBatch(stage, "x", 0);
  writeAccumulator(stage, "g0");
  stage.task("forward", TaskKind::Forward);
  writeRows(stage, "x", "x rows");
  stage.read("w0", "in.weight", kWhole);
  stage.value("a0", "a0", kZeroRows);
  stage.matmul("a0", "x rows", "w0");
  stage.value("h0", "h0", kZeroRows, "a0");
  stage.kernel({"h0"}, {"a0"}, true);
  stage.send("h0", 1, 0);
  stage.task("weight", TaskKind::Weight);
  stage.value("dh0", "dh0", kZeroRows);
  stage.receive("dh0", 1, 1);
  writeRows(stage, "x", "x rows");
  stage.value("da0", "da0", kZeroRows, "dh0");
  stage.kernel({"da0"}, {"dh0", "h0"}, true);
  stage.value("g0 part", "g0", kGradient);
  stage.graph.ops["g0 part"] = stage.graph.ops["g0"];
  stage.matmul("g0 part", "da0", "x rows");
  accumulate(stage, "g0");
  stage.task("epilogue", TaskKind::Epilogue);
  stage.wait(1, 0);
  writeTail(stage, "0", "in.weight");
  stage.call(1, {{"prologue", 0}, {"forward", 0}});
  if (stage.mb > 1)
    stage.call(stage.mb - 1, {{"forward", 1}, {"weight", 0}});
  stage.call(1, {{"weight", stage.mb - 1}, {"epilogue", 0}});
}

void writeStage1(StageBuilder &stage) {
  stage.task("prologue", TaskKind::Prologue);
  writeBatch(stage, "label", 1);
  stage.value("N part", "N", kLocalSum);
  stage.kernel({"N part"}, {"label"});
  stage.value("N", "N", kWhole, "N part");
  stage.allReduce("N", "N part", ReductionKind::Sum, {kDp});
  writeAccumulator(stage, "g1");
  writeAccumulator(stage, "loss");
  stage.task("forward", TaskKind::Forward);
  stage.value("h0", "h0", kZeroRows);
  stage.receive("h0", 0, 0);
  writeRows(stage, "label", "label rows");
  stage.read("w1", "head.weight", kWhole);
  stage.read("loss scale", "dtc.loss_scale", kBoth);
  stage.value("z", "z", kZeroRows);
  stage.matmul("z", "h0", "w1");
  for (const char *name : {"max", "sum", "pick"})
    stage.value(name, name, kRows);
  stage.kernel({"max"}, {"z"});
  stage.kernel({"sum"}, {"z", "max"});
  stage.kernel({"pick"}, {"z", "label rows"});
  stage.value("loss part", "loss", kGradient);
  stage.kernel({"loss part"},
               {"max", "sum", "pick", "label rows", "N", "loss scale"});
  accumulate(stage, "loss");
  stage.task("backward", TaskKind::Backward);
  writeRows(stage, "label", "label rows");
  stage.read("w1 again", "head.weight", kWhole);
  stage.read("loss scale again", "dtc.loss_scale", kBoth);
  stage.value("dz", "dz", kZeroRows);
  stage.kernel({"dz"},
               {"z", "max", "sum", "label rows", "N", "loss scale again"});
  stage.value("dh0", "dh0", kZeroRows);
  stage.matmul("dh0", "dz", "w1 again");
  stage.send("dh0", 0, 1);
  stage.task("weight", TaskKind::Weight);
  stage.value("g1 part", "g1", kGradient);
  stage.graph.ops["g1 part"] = stage.graph.ops["g1"];
  stage.matmul("g1 part", "dz", "h0");
  accumulate(stage, "g1");
  stage.task("epilogue", TaskKind::Epilogue);
  stage.wait(0, 1);
  stage.allReduce("loss", "loss sum", ReductionKind::Sum, {kDp});
  auto &report = stage.add<ReportT>("loss", "Report");
  report.value = stage.values.at("loss");
  report.metric = "loss";
  writeTail(stage, "1", "head.weight");
  stage.call(1, {{"prologue", 0}});
  stage.call(stage.mb, {{"forward", 0}, {"backward", 0}, {"weight", 0}});
  stage.call(1, {{"epilogue", 0}});
}

void declareVariables(ProgramT &program, StageBuilder *stages) {
  auto add = [&](const std::string &name, VariableRole role, uint64_t on) {
    auto made = std::make_unique<VariableT>();
    made->name = name;
    made->role = role;
    made->init = std::make_unique<InitializerT>();
    for (int s = 0; s < 2; ++s) {
      stages[s].variables[name] = uint32_t(program.variables.size());
      bool isHere = on >> s & 1;
      made->values.push_back(
          isHere ? int32_t(stages[s].value(name + " home", name,
                                           on == 3 ? kBoth : kWhole))
                 : -1);
    }
    program.variables.push_back(std::move(made));
  };
  add("in.weight", VariableRole::Parameter, 1);
  add("head.weight", VariableRole::Parameter, 2);
  add("dtc.loss_scale", VariableRole::Scalar, 3);
  add("dtc.step", VariableRole::Scalar, 3);
  add("dtc.good_steps", VariableRole::Scalar, 3);
}

void describeData(ProgramT &program) {
  program.data = std::make_unique<DataT>();
  program.data->train = std::make_unique<DataSplitT>();
  program.data->global_batch = 7;
  auto add = [&](const char *name, DType dtype, Shape shape, double fill) {
    auto made = std::make_unique<InputT>();
    made->name = name;
    made->dtype = dtype;
    made->shape = std::move(shape);
    made->fill = fill;
    program.data->inputs.push_back(std::move(made));
  };
  add("x", DType::F32, {2}, 0);
  add("label", DType::I32, {}, -100);
}

} // namespace

program::ProgramT makeCheckedProgram(const CheckedPlan &plan) {
  using namespace program;
  using program::DType;
  ProgramT program;
  program.format_major = 1;
  program.producer = "test";
  program.model = "two layers";
  program.plan = std::make_unique<PlanT>();
  program.plan->schedule = "1f1b";
  const std::pair<const char *, uint32_t> axes[] = {
      {"pp", 2}, {"dp", plan.dp}, {"tp", 1}, {"mb", plan.microBatches}};
  for (auto [name, parts] : axes) {
    program.axes.push_back(std::make_unique<MeshAxisT>());
    program.axes.back()->name = name;
    program.axes.back()->parts = parts;
  }
  describeData(program);
  GraphBuilder graph(program);
  writeGraph(graph);
  program.kernels = std::make_unique<KernelLibraryT>();
  program.kernels->target = "cpu";
  program.kernels->image = {0};
  program.kernels->kernels.push_back(std::make_unique<KernelT>());
  program.kernels->kernels[0]->symbol = "none";
  StageBuilder stages[2] = {{graph, 0, plan.dp, plan.microBatches},
                            {graph, 1, plan.dp, plan.microBatches}};
  declareVariables(program, stages);
  writeStage0(stages[0]);
  writeStage1(stages[1]);
  for (StageBuilder &stage : stages) {
    stage.table.arena_bytes = stage.end;
    program.stages.push_back(std::make_unique<StageT>(std::move(stage.table)));
  }
  return program;
}

std::vector<uint8_t> packProgram(program::ProgramT &table) {
  for (auto *graph : {&table.graph, &table.evaluation_graph}) {
    if (!*graph)
      continue;
    (*graph)->hash = 0;
    flatbuffers::FlatBufferBuilder bytes;
    bytes.Finish(program::StepGraph::Pack(bytes, graph->get()));
    (*graph)->hash = XXH3_64bits(bytes.GetBufferPointer(), bytes.GetSize());
  }
  table.content_hash_low = table.content_hash_high = 1;
  std::vector<uint8_t> packed;
  for (int round = 0; round < 2; ++round) {
    flatbuffers::FlatBufferBuilder bytes;
    program::FinishSizePrefixedProgramBuffer(
        bytes, program::Program::Pack(bytes, &table));
    packed.assign(bytes.GetBufferPointer(),
                  bytes.GetBufferPointer() + bytes.GetSize());
    ContentHash hash = hashProgram(packed);
    table.content_hash_low = hash.low;
    table.content_hash_high = hash.high;
  }
  return packed;
}

Result<Certificate> check(program::ProgramT table, const CheckOptions &options) {
  DTC_ASSIGN_OR_RETURN(std::unique_ptr<dtc::rt::Program> program,
                       dtc::rt::Program::load(packProgram(table)));
  return checkProgram(*program, options);
}

std::string checkText(program::ProgramT table) {
  auto certificate = check(std::move(table));
  return certificate.isOk() ? "" : certificate.status().str();
}

std::vector<std::unique_ptr<program::InstructionT>> &
taskInstructions(program::ProgramT &table, size_t stage, const std::string &task) {
  for (auto &entry : table.stages[stage]->tasks)
    if (entry->name == task)
      return entry->instructions;
  std::abort();
}

program::InstructionT &findInstruction(program::ProgramT &table, size_t stage,
                              const std::string &task, program::InstructionKind kind,
                              size_t n) {
  for (auto &entry : taskInstructions(table, stage, task))
    if (entry->kind.type == kind && n-- == 0)
      return *entry;
  std::abort();
}

uint32_t findValue(const program::ProgramT &table, size_t stage,
                   const std::string &name) {
  const auto &values = table.stages[stage]->values;
  for (uint32_t i = 0; i < values.size(); ++i)
    if (values[i]->name == name)
      return i;
  std::abort();
}

} // namespace dtc::rt::test
