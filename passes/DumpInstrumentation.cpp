//===- DumpInstrumentation.cpp - The module after each pass ---------------===//
//
// MLIR's own dumps scatter function passes over folders and do not say how a
// file came about. Here each pass gives one numbered file with the whole
// module, which starts with the command that makes it from the file before, so
// any pass can be run again alone.
//
//===----------------------------------------------------------------------===//

#include "passes/DumpInstrumentation.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/Pass.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::dtc {
namespace {

/// A pass as a flag: `dtc-verify-phase{phase=step}` is
/// `--dtc-verify-phase=phase=step`, quoted where a shell would split it.
std::string getFlag(Pass *pass) {
  std::string text;
  llvm::raw_string_ostream os(text);
  pass->printAsTextualPipeline(os);
  llvm::StringRef name = text;
  llvm::StringRef options;
  if (size_t brace = name.find('{'); brace != llvm::StringRef::npos) {
    options = name.substr(brace + 1).drop_back();
    name = name.substr(0, brace);
  }
  options = options.trim();
  std::string flag = "--" + name.str();
  if (!options.empty())
    flag += options.contains(' ') ? "=\"" + options.str() + "\""
                                  : "=" + options.str();
  return flag;
}

class DumpInstrumentation : public PassInstrumentation {
public:
  explicit DumpInstrumentation(llvm::StringRef directory)
      : directory(directory) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    if (isa<ModuleOp>(op) && last.empty() && isOurs(pass))
      write(op, "import", "");
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    if (isa<ModuleOp>(op) && isOurs(pass))
      write(op, pass->getArgument(),
            "// dtc-opt " + last + " " + getFlag(pass) + "\n");
  }

  void runAfterPassFailed(Pass *pass, Operation *op) override {
    if (isa<ModuleOp>(op) && isOurs(pass))
      write(op, (pass->getArgument() + ".failed").str(),
            "// dtc-opt " + last + " " + getFlag(pass) + "\n");
  }

private:
  /// Adaptors and MLIR's own verifiers have no argument to reproduce them by.
  static bool isOurs(Pass *pass) { return !pass->getArgument().empty(); }

  void write(Operation *module, llvm::StringRef name, llvm::StringRef header) {
    std::string file =
        llvm::formatv("{0}_{1}.mlir", llvm::format("%02d", number++), name);
    llvm::SmallString<128> path(directory);
    llvm::sys::path::append(path, file);
    std::error_code error;
    llvm::raw_fd_ostream os(path, error);
    if (!error) {
      os << header;
      module->print(os, OpPrintingFlags().enableDebugInfo(false));
      os << "\n";
    }
    if (error)
      emitError(module->getLoc())
          << "--dump-dir: " << path << ": " << error.message();
    last = file;
  }

  std::string directory;
  std::string last;
  int number = 0;
};

} // namespace

LogicalResult addDumpInstrumentation(PassManager &pm,
                                     llvm::StringRef directory) {
  if (std::error_code error = llvm::sys::fs::create_directories(directory)) {
    llvm::errs() << "error: --dump-dir: " << directory << ": "
                 << error.message() << "\n";
    return failure();
  }
  pm.addInstrumentation(std::make_unique<DumpInstrumentation>(directory));
  return success();
}

} // namespace mlir::dtc
