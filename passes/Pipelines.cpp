//===- Pipelines.cpp - Which passes run, in which order, and why ----------===//
//
// The document on order. Each phase is a function; before each pass stands the
// reason for its place.
//
//===----------------------------------------------------------------------===//

#include "passes/Pipelines.h"

#include "passes/Passes.h"

#include "mlir/Pass/PassRegistry.h"

namespace mlir::dtc {
namespace {

constexpr std::pair<Phase, llvm::StringLiteral> kPhases[] = {
    {Phase::Import, "import"},       {Phase::Step, "step"},
    {Phase::Precision, "precision"}, {Phase::Sharded, "sharded"},
    {Phase::Local, "local"},         {Phase::Scheduled, "scheduled"},
    {Phase::Planned, "planned"}};

//===-- The phases --------------------------------------------------------===//

void addStep(OpPassManager &pm) {
  // On the global graph, before any layout: gradients are ordinary ops then,
  // and collectives, which come later, need none.
  pm.addPass(createDifferentiatePass());
  // Right after: it reads which op makes which parameter's gradient.
  pm.addPass(createOptimizeStepPass());
}

void addPrecision(OpPassManager &pm) {
  // After the whole step stands: it numbers all ops and keeps the copy.
  pm.addPass(createPrecisionPass());
}

void addSharded(OpPassManager &pm) {
  // First, on global ops: the layouts' settle rule asks what crosses a stage.
  pm.addPass(createAssignStagesPass());
  // Forward and backward first: how a gradient lies decides its bucket.
  pm.addPass(createAssignLayoutsPass());
  pm.addPass(createFormBucketsPass());
  // Last, when every change of layout is known: it alone makes communication.
  pm.addPass(createInsertCollectivesPass());
}

void addLocal(OpPassManager &pm) {
  // After the collectives, which are chosen on global types.
  pm.addPass(createPartitionPass());
}

void addScheduled(OpPassManager &pm) {
  // On local types: what crosses a task is memory, and memory is local.
  pm.addPass(createOutlineTasksPass());
  // An order of tasks, so after them; before kernels and places, which may
  // rely on how many micro-batches a buffer holds.
  pm.addPass(createSchedulePass());
}

void addPlanned(OpPassManager &pm, const PipelineOptions &options) {
  // On tasks, whose order is fixed: what is fused has no value to be placed.
  pm.addPass(createFusePass());
  // Before memory: which op is a view decides what shares bytes.
  pm.addPass(createSelectKernelsPass());
  // Last: nothing may be added or moved once places are given.
  PlanMemoryPassOptions memory;
  memory.memoryLimit = options.memoryLimit;
  pm.addPass(createPlanMemoryPass(memory));
}

void addPhase(OpPassManager &pm, Phase phase, const PipelineOptions &options) {
  switch (phase) {
  case Phase::Import:
    break; // The frontend's work.
  case Phase::Step:
    addStep(pm);
    break;
  case Phase::Precision:
    addPrecision(pm);
    break;
  case Phase::Sharded:
    addSharded(pm);
    break;
  case Phase::Local:
    addLocal(pm);
    break;
  case Phase::Scheduled:
    addScheduled(pm);
    break;
  case Phase::Planned:
    addPlanned(pm, options);
    break;
  }
  // A gate between phases, always on: what a pass leaves wrong is refused where
  // it was made and not where it hurts.
  VerifyPhasePassOptions verify;
  verify.phase = getPhaseName(phase).str();
  pm.addPass(createVerifyPhasePass(verify));
}

struct CommandLineOptions : PassPipelineOptions<CommandLineOptions> {
  Option<std::string> stopAfter{*this, "stop-after",
                                llvm::cl::desc("the last phase that is run"),
                                llvm::cl::init("planned")};
  Option<int64_t> memoryLimit{
      *this, "memory-limit",
      llvm::cl::desc("bytes that a stage's arena may take (0: no limit)"),
      llvm::cl::init(0)};
};

} // namespace

llvm::StringRef getPhaseName(Phase phase) {
  return kPhases[static_cast<size_t>(phase)].second;
}

std::optional<Phase> parsePhase(llvm::StringRef name) {
  for (const auto &[phase, spelling] : kPhases)
    if (spelling == name)
      return phase;
  return std::nullopt;
}

std::string listPhases() {
  std::string names;
  for (const auto &entry : kPhases)
    names += (names.empty() ? "" : ", ") + entry.second.str();
  return names;
}

void buildPipeline(OpPassManager &pm, Phase stopAfter,
                   const PipelineOptions &options) {
  for (const auto &entry : kPhases)
    if (entry.first <= stopAfter)
      addPhase(pm, entry.first, options);
}

void registerPipelines() {
  PassPipelineRegistration<CommandLineOptions>(
      "dtc-pipeline", "All passes in order, with dtc-verify-phase between",
      [](OpPassManager &pm, const CommandLineOptions &options) {
        // A phase that does not exist reaches dtc-verify-phase, which says so.
        std::optional<Phase> phase = parsePhase(options.stopAfter);
        if (!phase) {
          VerifyPhasePassOptions verify;
          verify.phase = options.stopAfter;
          pm.addPass(createVerifyPhasePass(verify));
          return;
        }
        PipelineOptions pipeline;
        pipeline.memoryLimit = options.memoryLimit;
        buildPipeline(pm, *phase, pipeline);
      });
}

} // namespace mlir::dtc
