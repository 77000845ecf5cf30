//===- ProgramEmitter.cpp - A planned module as program bytes
//--------------===//
//
// Walks the module once and fills the tables of a program: what all ranks share
// first, then each stage. Nothing is decided here; what a pass did not write
// into the IR is an error.
//
//===----------------------------------------------------------------------===//

#include "codegen/ProgramEmitter.h"

#include "codegen/EmitData.h"
#include "codegen/EmitVariables.h"
#include "codegen/StageEmitter.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace mlir::dtc {

namespace fbs = ::dtc::program;

namespace {

constexpr uint32_t kFormatMajor = 1;
constexpr uint32_t kFormatMinor = 0;
constexpr char kProducer[] = "dtc 0.1.0";

/// A step with its graph and what is known of its values.
struct Step {
  StringRef name;
  std::unique_ptr<GraphIndex> graph;
  std::unique_ptr<StepFacts> facts;
};

class ProgramEmitter {
public:
  explicit ProgramEmitter(ModuleOp module)
      : module(module), tables(program), kernels(module.getContext()),
        context{module, {}, tables, kernels, {}, {}} {}

  FailureOr<std::vector<uint8_t>> emit();

private:
  LogicalResult addHeader();
  LogicalResult addSteps();
  LogicalResult addVariables();
  LogicalResult addStages();
  LogicalResult addKernels();

  ModuleOp module;
  fbs::ProgramT program;
  ProgramTables tables;
  KernelModule kernels;
  ProgramContext context;
  std::vector<Step> steps;
};

LogicalResult ProgramEmitter::addHeader() {
  context.plan = module->getAttrOfType<PlanAttr>(kPlanAttr);
  if (!context.plan)
    return module.emitError("has no ") << kPlanAttr;
  program.format_major = kFormatMajor;
  program.format_minor = kFormatMinor;
  program.producer = kProducer;
  program.model = module.getName().value_or("model").str();
  if (auto seed = module->getAttrOfType<IntegerAttr>("dtc.seed"))
    program.seed = seed.getInt();
  PlanAttr plan = context.plan;
  program.plan = std::make_unique<fbs::PlanT>();
  program.plan->pp = plan.getPp();
  program.plan->dp = plan.getDp();
  program.plan->tp = plan.getTp();
  program.plan->micro_batches = plan.getMicroBatches();
  program.plan->zero = plan.getZero();
  program.plan->schedule = stringifyScheduleKind(plan.getSchedule()).str();
  for (auto [name, parts] :
       {std::pair<StringRef, int64_t>{kAxisPp, plan.getPp()},
        {kAxisDp, plan.getDp()},
        {kAxisTp, plan.getTp()},
        {kAxisMb, plan.getMicroBatches()}}) {
    auto axis = std::make_unique<fbs::MeshAxisT>();
    axis->name = name.str();
    axis->parts = parts;
    program.axes.push_back(std::move(axis));
  }
  return addData(module, program);
}

/// The step graphs, and the facts of the tasks that were made from them.
LogicalResult ProgramEmitter::addSteps() {
  for (StringRef name : {"train", "evaluate"}) {
    func::FuncOp graph;
    for (auto function : module.getOps<func::FuncOp>()) {
      auto kind = function->getAttrOfType<StringAttr>("dtc.step_kind");
      if (kind && kind.getValue() == name &&
          function.getName().ends_with(".graph"))
        graph = function;
    }
    if (!graph && name == "train")
      return module.emitError("has no step graph (@step.graph); "
                              "run --dtc-precision first");
    if (!graph)
      continue;
    Step step{name, std::make_unique<GraphIndex>(graph, tables), nullptr};
    step.facts = std::make_unique<StepFacts>(module, name, *step.graph);
    if (failed(step.facts->run()))
      return failure();
    (name == "train" ? program.graph : program.evaluation_graph) =
        step.graph->take();
    steps.push_back(std::move(step));
  }
  return success();
}

LogicalResult ProgramEmitter::addVariables() {
  for (auto variable : module.getOps<VariableOp>()) {
    auto made = makeVariable(variable, tables);
    if (failed(made))
      return failure();
    context.variables[variable.getSymName()] = program.variables.size();
    program.variables.push_back(std::move(*made));
  }
  for (auto [i, input] : llvm::enumerate(program.data->inputs))
    context.inputs[input->name] = i;
  return success();
}

LogicalResult ProgramEmitter::addStages() {
  SmallVector<EmittedStep> emitted;
  for (const Step &step : steps)
    emitted.push_back({step.name, *step.facts});
  for (int64_t stage = 0; stage < context.plan.getPp(); ++stage) {
    StageEmitter emitter(context, stage);
    if (failed(emitter.emit(emitted)))
      return failure();
    for (auto &variable : program.variables)
      variable->values.push_back(emitter.getVariableValue(variable->name));
    program.stages.push_back(emitter.take());
  }
  return success();
}

LogicalResult ProgramEmitter::addKernels() {
  if (kernels.getKernels().empty())
    return success();
  program.kernels = std::make_unique<fbs::KernelLibraryT>();
  program.kernels->target = "cpu";
  for (const KernelDescription &kernel : kernels.getKernels()) {
    auto entry = std::make_unique<fbs::KernelT>();
    entry->symbol = kernel.symbol;
    entry->parallel_extent = kernel.parallelExtent;
    program.kernels->kernels.push_back(std::move(entry));
  }
  FailureOr<std::string> image = kernels.compileForHost();
  if (failed(image))
    return failure();
  program.kernels->image.assign(image->begin(), image->end());
  return success();
}

/// Packs the program and writes the hash of its bytes into it. The hash takes
/// its own two fields as zero (runtime/program/ContentHash.h has the rule).
std::vector<uint8_t> packProgram(fbs::ProgramT &program) {
  // A field that holds its default is left out; it must have bytes to be
  // filled.
  program.content_hash_low = program.content_hash_high = 1;
  flatbuffers::FlatBufferBuilder builder;
  fbs::FinishSizePrefixedProgramBuffer(builder,
                                       fbs::Program::Pack(builder, &program));
  std::vector<uint8_t> bytes(builder.GetBufferPointer(),
                             builder.GetBufferPointer() + builder.GetSize());
  auto *root = flatbuffers::GetMutableRoot<fbs::Program>(
      bytes.data() + sizeof(flatbuffers::uoffset_t));
  auto *table = reinterpret_cast<flatbuffers::Table *>(root);
  auto setHash = [&](uint64_t low, uint64_t high) {
    table->SetField<uint64_t>(fbs::Program::VT_CONTENT_HASH_LOW, low, 0);
    table->SetField<uint64_t>(fbs::Program::VT_CONTENT_HASH_HIGH, high, 0);
  };
  setHash(0, 0);
  XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  setHash(hash.low64, hash.high64);
  return bytes;
}

FailureOr<std::vector<uint8_t>> ProgramEmitter::emit() {
  if (failed(addHeader()) || failed(addSteps()) || failed(addVariables()) ||
      failed(addStages()) || failed(addKernels()))
    return failure();
  return packProgram(program);
}

} // namespace

FailureOr<std::vector<uint8_t>> emitProgram(ModuleOp module) {
  return ProgramEmitter(module).emit();
}

} // namespace mlir::dtc
