//===- dtc-equiv.cpp - Compare a file before and after passes -------------===//
//
// Interprets a file as written, whole and on one place; then applies passes and
// interprets it on all ranks of each mesh; one line for each says how far the
// two are apart. Exit codes: 0 equal, 1 different or wrong, 2 wrong usage.
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"
#include "passes/Pipelines.h"
#include "tests/tools/Equivalence.h"
#include "tests/tools/MeshRewrite.h"
#include "tests/tools/RandomGraph.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

namespace mlir::dtc::test {
namespace {

namespace cl = llvm::cl;

cl::OptionCategory category("Options of dtc-equiv");
template <typename T>
struct Option : cl::opt<T> {
  template <typename... Mods>
  Option(StringRef name, StringRef help, Mods... mods)
      : cl::opt<T>(name, cl::desc(help), cl::cat(category), mods...) {}
};

struct Flags {
  cl::opt<std::string> file{cl::Positional, cl::desc("<file.mlir>"),
                            cl::cat(category)};
  Option<std::string> prepare{"prepare", "Passes run before either is taken"};
  Option<std::string> reference{"reference",
                                "Passes run for the reference only"};
  Option<std::string> passes{"passes", "Passes to be judged, as in a pipeline"};
  Option<std::string> pipeline{"pipeline",
                               "Judge dtc's pipeline to the end of this phase"};
  Option<std::string> meshes{
      "mesh", "Meshes, as tp:2,dp:2xtp:2xmb:2xzero:1 (none: as written)"};
  Option<std::string> inputs{"inputs", "Numbers by name, as x=[1,2];w=[3]"};
  Option<std::string> inputFile{"input-file", "A file of numbers by name"};
  Option<std::string> expect{"expect", "A file of numbers that must come out"};
  Option<std::string> function{"function", "Function or schedule to run"};
  Option<int64_t> steps{"steps", "Steps to run (1)", cl::init(1)};
  Option<uint64_t> seed{"seed", "Seed of what is drawn (0)", cl::init(0)};
  Option<double> tolerance{"tolerance", "Largest relative difference (1e-12)",
                           cl::init(1e-12)};
  Option<bool> typed{"typed", "Round to the element type after each op"};
  Option<bool> printRanks{"print-ranks", "Print each rank's part of results"};
  Option<int64_t> differences{
      "differences",
      "Hold the reference's gradients to central differences at "
      "this many elements of each parameter (0)",
      cl::init(0)};
  Option<int64_t> randomGraphs{"random-graphs",
                               "Judge this many random graphs, not a file",
                               cl::init(0)};
};

/// One file or random graph, judged on every mesh.
class Judge {
public:
  Judge(MLIRContext &context, const Flags &flags, std::vector<MeshSpec> meshes)
      : context(context), flags(flags), meshes(std::move(meshes)) {}

  /// Reads the numbers that the flags give.
  LogicalResult readNumbers();
  /// Prints one line a mesh; failure if one differs or cannot be run.
  LogicalResult judge(ModuleOp written, StringRef label);

private:
  LogicalResult runPasses(ModuleOp module, StringRef passes);
  LogicalResult judgeMesh(ModuleOp prepared, const MeshSpec &mesh,
                          ArrayRef<StepOutcome> reference, StringRef label);
  LogicalResult judgeExpected(ModuleOp module, ArrayRef<StepOutcome> reference);
  LogicalResult judgeDifferences(ModuleOp module, const StepOutcome &outcome,
                                 StringRef label);
  LogicalResult readFile(StringRef path, NamedNumbers &numbers);
  void printRanks(const SimulatedRanks &ranks) const;

  MLIRContext &context;
  const Flags &flags;
  std::vector<MeshSpec> meshes;
  NamedNumbers expected;
  EquivalenceOptions options;
};

LogicalResult Judge::readFile(StringRef path, NamedNumbers &numbers) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(path, &error);
  if (file)
    error = parseNumbers(file->getBuffer(), numbers);
  if (error.empty())
    return success();
  llvm::errs() << "dtc-equiv: " << path << ": " << error << "\n";
  return failure();
}

LogicalResult Judge::readNumbers() {
  options.steps = flags.steps;
  options.typed = flags.typed;
  options.seed = flags.seed;
  options.tolerance = flags.tolerance;
  if (!flags.inputFile.empty() &&
      failed(readFile(flags.inputFile, options.given)))
    return failure();
  if (!flags.expect.empty() && failed(readFile(flags.expect, expected)))
    return failure();
  std::string error = parseNumbers(flags.inputs, options.given);
  if (!error.empty())
    llvm::errs() << "dtc-equiv: --inputs: " << error << "\n";
  return failure(!error.empty());
}

LogicalResult Judge::runPasses(ModuleOp module, StringRef passes) {
  PassManager pm(&context, ModuleOp::getOperationName(),
                 OpPassManager::Nesting::Implicit);
  if (failed(parsePassPipeline(passes, pm)))
    return failure();
  return pm.run(module);
}

/// `[1, 2]` of each rank under the function's name, as `rank=0 whole=[1, 2]`.
void Judge::printRanks(const SimulatedRanks &ranks) const {
  const Mesh &mesh = ranks.getMesh();
  ArrayRef<ValueRecord> results = ranks.getTrace().resultParts;
  for (size_t place = 0; place < mesh.getPlaceCount(); ++place) {
    llvm::outs() << "rank=" << mesh.getRank(place);
    if (mesh.getMicroBatches() > 1)
      llvm::outs() << " mb=" << place % mesh.getMicroBatches();
    for (auto [i, result] : llvm::enumerate(results)) {
      llvm::outs() << " " << options.function;
      if (results.size() > 1)
        llvm::outs() << "#" << i;
      const std::optional<HostTensor> &part = result.parts[place];
      llvm::outs() << "=" << (part ? formatTensor(*part) : "absent");
    }
    llvm::outs() << "\n";
  }
}

LogicalResult Judge::judgeMesh(ModuleOp prepared, const MeshSpec &mesh,
                               ArrayRef<StepOutcome> reference,
                               StringRef label) {
  OwningOpRef<ModuleOp> module = prepared.clone();
  if (failed(setMesh(*module, mesh)))
    return failure();
  if (!flags.passes.empty() && failed(runPasses(*module, flags.passes)))
    return failure();
  if (!flags.pipeline.empty()) {
    PassManager pm(&context, ModuleOp::getOperationName(),
                   OpPassManager::Nesting::Implicit);
    buildPipeline(pm, *parsePhase(flags.pipeline));
    if (failed(pm.run(*module)))
      return failure();
  }
  if (failed(verify(*module)))
    return failure();
  std::unique_ptr<SimulatedRanks> ranks;
  FailureOr<Comparison> comparison =
      compare(*module, reference, options, ranks);
  if (failed(comparison))
    return failure();
  if (flags.printRanks)
    printRanks(*ranks);
  bool isEqual = comparison->maxRelativeDifference <= options.tolerance;
  llvm::outs() << label
               << "mesh=" << (mesh.text.empty() ? "written" : mesh.text)
               << " outputs=" << comparison->outputCount << " max_rel_diff="
               << llvm::format("%.3g", comparison->maxRelativeDifference)
               << (isEqual ? " ok" : " differs in " + comparison->worst)
               << "\n";
  return success(isEqual);
}

LogicalResult Judge::judgeExpected(ModuleOp module,
                                   ArrayRef<StepOutcome> reference) {
  FailureOr<Comparison> comparison =
      compareExpected(module, reference, expected);
  if (failed(comparison))
    return failure();
  // Expected files print 12 digits.
  bool isEqual = comparison->maxRelativeDifference <= 1e-11;
  llvm::outs() << "expected=" << comparison->outputCount << " max_rel_diff="
               << llvm::format("%.3g", comparison->maxRelativeDifference)
               << (isEqual ? " ok" : " differs in " + comparison->worst)
               << "\n";
  return success(isEqual);
}

LogicalResult Judge::judgeDifferences(ModuleOp module,
                                      const StepOutcome &outcome,
                                      StringRef label) {
  FailureOr<Comparison> comparison =
      compareDifferences(module, outcome, options, flags.differences);
  if (failed(comparison))
    return failure();
  // Central differences of an O(1) loss in float64 reach about 1e-9.
  bool isEqual = comparison->maxRelativeDifference <= 1e-7;
  llvm::outs() << label << "differences=" << comparison->outputCount
               << " max_rel_diff="
               << llvm::format("%.3g", comparison->maxRelativeDifference)
               << (isEqual ? " ok" : " differs in " + comparison->worst)
               << "\n";
  return success(isEqual);
}

/// The function to run: the one that is asked for, `step`, or the only one.
std::string chooseFunction(ModuleOp module, StringRef asked) {
  if (!asked.empty())
    return asked.str();
  auto functions = module.getOps<func::FuncOp>();
  if (module.lookupSymbol("step") || functions.empty())
    return "step";
  return (*functions.begin()).getSymName().str();
}

LogicalResult Judge::judge(ModuleOp written, StringRef label) {
  options.function = chooseFunction(written, flags.function);
  OwningOpRef<ModuleOp> prepared = written.clone();
  if (!flags.prepare.empty() && failed(runPasses(*prepared, flags.prepare)))
    return failure();
  OwningOpRef<ModuleOp> whole = prepared->clone();
  if (!flags.reference.empty() && failed(runPasses(*whole, flags.reference)))
    return failure();
  if (hasLayouts(*whole) && failed(removeLayouts(*whole)))
    return failure();
  FailureOr<std::vector<StepOutcome>> reference = runReference(*whole, options);
  if (failed(reference))
    return failure();
  LogicalResult outcome = success();
  if (!flags.expect.empty())
    outcome = judgeExpected(*whole, *reference);
  if (flags.differences > 0 &&
      failed(judgeDifferences(*whole, reference->front(), label)))
    outcome = failure();
  for (const MeshSpec &mesh : meshes)
    if (failed(judgeMesh(*prepared, mesh, *reference, label)))
      outcome = failure();
  return outcome;
}

LogicalResult judgeFile(MLIRContext &context, Judge &judge, StringRef path) {
  std::string error;
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(path, &error);
  if (!file) {
    llvm::errs() << "dtc-equiv: " << error << "\n";
    return failure();
  }
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return failure();
  return judge.judge(*module, "");
}

LogicalResult judgeRandomGraphs(MLIRContext &context, Judge &judge,
                                const Flags &flags) {
  LogicalResult outcome = success();
  for (int64_t i = 0; i < flags.randomGraphs; ++i) {
    OwningOpRef<ModuleOp> module = makeRandomGraph(context, flags.seed + i);
    std::string label = "graph=" + std::to_string(flags.seed + i) + " ";
    if (failed(verify(*module)) || failed(judge.judge(*module, label))) {
      llvm::errs() << "graph " << flags.seed + i << " is\n" << *module << "\n";
      outcome = failure();
    }
  }
  return outcome;
}

int reportUsage(const llvm::Twine &message) {
  llvm::errs() << "dtc-equiv: " << message << "; see dtc-equiv --help\n";
  return 2;
}

int run(int argc, char **argv) {
  registerDtcPasses();
  Flags flags;
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Compares a file before and after passes on simulated ranks.\n\n"
          "Example: dtc-equiv f.mlir --passes=dtc-insert-collectives "
          "--mesh=tp:1,tp:2\n",
          &llvm::errs()))
    return 2;
  if (flags.file.empty() == (flags.randomGraphs == 0))
    return reportUsage("expected a file or --random-graphs, one of the two");
  if (!flags.pipeline.empty() && !parsePhase(flags.pipeline))
    return reportUsage("no phase is named " + flags.pipeline + "; phases are " +
                       listPhases());
  if (flags.steps < 1)
    return reportUsage("--steps is " + llvm::Twine(flags.steps) +
                       ", expected 1 or more");
  std::vector<MeshSpec> meshes;
  std::string error = parseMeshes(flags.meshes, meshes);
  if (!error.empty())
    return reportUsage(error);
  if (meshes.empty())
    meshes.emplace_back();

  DialectRegistry registry;
  registry.insert<DtcDialect, func::FuncDialect>();
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  Judge judge(context, flags, std::move(meshes));
  if (failed(judge.readNumbers()))
    return 1;
  LogicalResult outcome = flags.randomGraphs > 0
                              ? judgeRandomGraphs(context, judge, flags)
                              : judgeFile(context, judge, flags.file);
  return failed(outcome) ? 1 : 0;
}

} // namespace
} // namespace mlir::dtc::test

int main(int argc, char **argv) { return mlir::dtc::test::run(argc, argv); }
