//===- dtc-pack.cpp - Model text to its binary form
//-------------------------===//
//
// The build packs every model of models/ with it, so a model file that no
// longer fits the schema, or is no model, stops the build.
//
//===----------------------------------------------------------------------===//

#include "frontend/ModelGraph.h"
#include "frontend/TrainingSettings.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;
using namespace mlir::dtc;

static llvm::Error pack(llvm::StringRef input, llvm::StringRef output,
                        llvm::ArrayRef<std::string> settings, bool asText) {
  llvm::Expected<ModelFile> file = ModelFile::read(input, settings);
  if (!file)
    return file.takeError();
  llvm::Expected<TrainingSettings> training = readTrainingSettings(*file);
  if (!training)
    return training.takeError();
  llvm::Expected<ModelGraph> graph =
      buildModelGraph(*file, training->globalBatch);
  if (!graph)
    return graph.takeError();
  for (const std::string &warning : graph->warnings)
    llvm::errs() << input << ": warning: " << warning << "\n";
  std::error_code code;
  llvm::raw_fd_ostream out(
      output, code, asText ? llvm::sys::fs::OF_Text : llvm::sys::fs::OF_None);
  if (code)
    return makeModelError(output, code.message(), kModelFileCode);
  if (asText)
    out << file->text();
  else
    out.write(reinterpret_cast<const char *>(file->bytes().data()),
              file->bytes().size());
  out.close();
  if (out.has_error()) {
    code = out.error();
    out.clear_error();
    return makeModelError(output, code.message(), kModelFileCode);
  }
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  cl::OptionCategory category("dtc-pack options");
  cl::opt<std::string> input(cl::Positional, cl::Required, cl::desc("<model>"),
                             cl::cat(category));
  cl::opt<std::string> output("o", cl::desc("Write to <file>, - is stdout"),
                              cl::value_desc("file"), cl::init("-"),
                              cl::cat(category));
  cl::list<std::string> settings("set", cl::desc("Change one field"),
                                 cl::value_desc("path=value"),
                                 cl::cat(category));
  cl::opt<bool> asText("text", cl::desc("Write the text form"),
                       cl::cat(category));
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(argc, argv,
                                   "Packs a model's text into its binary form, "
                                   "or prints either as text.\n",
                                   &llvm::errs()))
    return 2;
  if (llvm::Error error = pack(input, output, settings, asText)) {
    llvm::errs() << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
