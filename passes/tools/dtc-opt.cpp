//===- dtc-opt.cpp - Run passes on a file ---------------------------------===//
//
// MLIR's own main with dtc's dialect, passes and pipeline, and --dump-dir.
//
//===----------------------------------------------------------------------===//

#include "passes/DumpInstrumentation.h"
#include "passes/Passes.h"
#include "passes/Pipelines.h"

#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

static llvm::cl::opt<std::string>
    dumpDir("dump-dir",
            llvm::cl::desc("Write the module after each pass to this folder"),
            llvm::cl::value_desc("folder"));

int main(int argc, char **argv) {
  mlir::dtc::registerDtcPasses();
  mlir::dtc::registerPipelines();
  mlir::DialectRegistry registry;
  registry.insert<mlir::dtc::DtcDialect, mlir::func::FuncDialect>();

  llvm::InitLLVM init(argc, argv);
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "dtc's modular optimizer driver\n", registry);
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  auto withDumps = config;
  withDumps.setPassPipelineSetupFn([&](mlir::PassManager &pm) {
    if (!dumpDir.empty() &&
        failed(mlir::dtc::addDumpInstrumentation(pm, dumpDir)))
      return mlir::failure();
    return config.setupPassPipeline(pm);
  });

  std::string error;
  auto file = mlir::openInputFile(input, &error);
  auto out = file ? mlir::openOutputFile(output, &error) : nullptr;
  if (!out) {
    llvm::errs() << "dtc-opt: " << error << "\n";
    return 1;
  }
  if (failed(
          mlir::MlirOptMain(out->os(), std::move(file), registry, withDumps)))
    return 1;
  out->keep();
  return 0;
}
