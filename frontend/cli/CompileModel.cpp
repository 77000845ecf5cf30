//===- CompileModel.cpp - From a model file to a program ------------------===//
//
// Reads, imports, runs the pipeline and emits. What MLIR reports becomes lines
// that begin with the model's file and the model's own name of the op.
//
//===----------------------------------------------------------------------===//

#include "frontend/cli/CompileModel.h"

#include "codegen/ProgramEmitter.h"
#include "frontend/ImportModel.h"
#include "frontend/ModelFile.h"
#include "frontend/NearestName.h"
#include "ir/DtcOps.h"
#include "passes/DumpInstrumentation.h"
#include "passes/Passes.h"
#include "passes/Pipelines.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Error.h"

#include <cstdio>
#include <fstream>

namespace dtc::cli {
namespace {

using mlir::dtc::ModelFile;
using mlir::dtc::Phase;

/// Name of the op that a location carries, if any.
std::string opName(mlir::Location location) {
  std::string name;
  location->walk([&](mlir::Location inner) {
    if (auto named = llvm::dyn_cast<mlir::NameLoc>(inner)) {
      name = named.getName().str();
      return mlir::WalkResult::interrupt();
    }
    return mlir::WalkResult::advance();
  });
  return name;
}

/// Collects errors as text; warnings go to stderr at once.
class Messages {
public:
  Messages(mlir::MLIRContext &context, std::string file)
      : file(std::move(file)),
        handler(&context, [this](mlir::Diagnostic &diagnostic) {
          add(diagnostic);
          return mlir::success();
        }) {}

  std::string takeErrors() { return std::move(errors); }

private:
  void add(mlir::Diagnostic &diagnostic) {
    std::string name = opName(diagnostic.getLocation());
    std::string line = file + ": " + (name.empty() ? "" : name + ": ");
    bool isError = diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
    line += (isError ? "error: " : "warning: ") + diagnostic.str();
    for (mlir::Diagnostic &note : diagnostic.getNotes())
      line += "\n  note: " + opName(note.getLocation()) + ": " + note.str();
    if (isError)
      errors += (errors.empty() ? "" : "\n") + line;
    else if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Warning)
      std::fprintf(stderr, "%s\n", line.c_str());
  }

  std::string file, errors;
  mlir::ScopedDiagnosticHandler handler;
};

rt::Status fromError(llvm::Error error) {
  return rt::Status::invalidArgument() << llvm::toString(std::move(error));
}

/// One compilation: context, module, messages.
class Compilation {
public:
  explicit Compilation(const CompileOptions &options)
      : options(options), messages(context, options.path) {
    // The model's name of an op says more to a user than the op itself.
    context.printOpOnDiagnostic(false);
  }

  rt::Status runTo(Phase phase) {
    auto file = ModelFile::read(options.path, options.settings);
    if (!file)
      return fromError(file.takeError());
    auto imported = mlir::dtc::importModel(context, *file);
    if (!imported)
      return fromError(imported.takeError());
    module = std::move(*imported);

    mlir::PassManager pm(&context);
    mlir::dtc::PipelineOptions pipeline;
    pipeline.memoryLimit = options.memoryLimit;
    mlir::dtc::buildPipeline(pm, phase, pipeline);
    if (options.timePasses)
      pm.enableTiming();
    if (!options.dumpFolder.empty() &&
        mlir::failed(mlir::dtc::addDumpInstrumentation(pm, options.dumpFolder)))
      return failure("the folder for dumps cannot be written");
    if (mlir::failed(pm.run(*module)))
      return failure("the compiler stopped without a message");
    return rt::Status::ok();
  }

  rt::Result<std::unique_ptr<rt::Program>> emit() {
    auto bytes = mlir::dtc::emitProgram(*module);
    if (mlir::failed(bytes))
      return failure("no program was written");
    return rt::Program::load(std::move(*bytes));
  }

  std::string text() {
    std::string result;
    llvm::raw_string_ostream stream(result);
    module->print(stream);
    return result;
  }

private:
  rt::Status failure(const char *otherwise) {
    std::string errors = messages.takeErrors();
    return rt::Status::invalidArgument()
           << (errors.empty() ? options.path + ": error: " + otherwise
                              : errors);
  }

  const CompileOptions &options;
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  Messages messages;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// True for a file with the identifier of a program.
bool isProgram(const std::string &path) {
  char head[12] = {};
  std::ifstream file(path, std::ios::binary);
  return file.read(head, sizeof(head)) &&
         std::string(head + 8, 4) == program::ProgramIdentifier();
}

} // namespace

rt::Result<std::unique_ptr<rt::Program>>
compileModel(const CompileOptions &options) {
  Compilation compilation(options);
  DTC_RETURN_IF_ERROR(compilation.runTo(Phase::Planned));
  return compilation.emit();
}

rt::Result<std::string> compileToText(const CompileOptions &options,
                                      const std::string &phase) {
  std::optional<Phase> parsed = mlir::dtc::parsePhase(phase);
  if (!parsed)
    return rt::Status::invalidArgument()
           << "--compile-to: '" << phase << "' is no phase; the phases are "
           << mlir::dtc::listPhases();
  Compilation compilation(options);
  DTC_RETURN_IF_ERROR(compilation.runTo(*parsed));
  return compilation.text();
}

rt::Result<std::unique_ptr<rt::Program>>
loadOrCompile(const CompileOptions &options) {
  if (!isProgram(options.path))
    return compileModel(options);
  if (!options.settings.empty())
    return rt::Status::invalidArgument()
           << options.path
           << ": is a compiled program, whose model fields are fixed; give the "
              "model file to set "
           << options.settings.front();
  return rt::Program::read(options.path);
}

std::string compilerVersion() {
  return std::string("MLIR ") + LLVM_VERSION_STRING;
}

std::string nearestName(const std::string &word,
                        const std::vector<std::string> &known) {
  return mlir::dtc::findNearestName(word, known).str();
}

} // namespace dtc::cli
