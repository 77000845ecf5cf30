//===- CompileCommand.cpp - dtc compile -----------------------------------===//
//
// Writes what the compiler made: a program, or IR as text. Output goes to a
// temporary file beside the target and is renamed, so that an error leaves
// nothing half written and nothing older damaged.
//
//===----------------------------------------------------------------------===//

#include "frontend/cli/Command.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

namespace dtc::cli {
namespace {

struct CompileArguments {
  ModelOptions model;
  std::string output, emit, phase = "planned";
};

rt::Status writeFile(const std::string &path, const void *bytes, size_t count) {
  if (path == "-") {
    size_t written = std::fwrite(bytes, 1, count, stdout);
    return written == count && std::fflush(stdout) == 0
               ? rt::Status::ok()
               : rt::Status::invalidArgument(rt::ErrorCode::kFileUnwritable)
                     << "standard output: " << std::strerror(errno);
  }
  // A device or a pipe is written as it is: a rename would take its place.
  std::error_code code;
  bool isFile = !std::filesystem::exists(path, code) ||
                std::filesystem::is_regular_file(path, code);
  std::string partial = isFile ? path + ".partial" : path;
  std::ofstream file(partial, std::ios::binary);
  file.write(static_cast<const char *>(bytes),
             static_cast<std::streamsize>(count));
  file.close();
  if (!file || (isFile && std::rename(partial.c_str(), path.c_str()) != 0)) {
    int cause = errno;
    if (isFile)
      std::remove(partial.c_str());
    return rt::Status::invalidArgument(rt::ErrorCode::kFileUnwritable)
           << path << ": " << std::strerror(cause);
  }
  return rt::Status::ok();
}

int runCompile(CompileArguments &arguments) {
  if (rt::Status status = arguments.model.resolve(); !status.isOk())
    return failUsage(status.str());
  if (arguments.emit.empty())
    return fail(rt::Status::unimplemented()
                << "compile: executables are not made yet; found no --emit, "
                   "expected --emit program or --emit ir");
  if (arguments.emit == "ir") {
    auto text = compileToText(arguments.model.compile, arguments.phase);
    if (!text.isOk())
      return fail(text.status());
    rt::Status status = writeFile(arguments.output, text->data(), text->size());
    return status.isOk() ? kExitDone : fail(status);
  }
  auto program = compileModel(arguments.model.compile);
  if (!program.isOk())
    return fail(program.status());
  const std::vector<uint8_t> &bytes = (*program)->data();
  rt::Status status = writeFile(arguments.output, bytes.data(), bytes.size());
  return status.isOk() ? kExitDone : fail(status);
}

} // namespace

void addCompileCommand(CLI::App &app, int &exitCode) {
  CLI::App *command =
      app.add_subcommand("compile", "Compile a model to a program or to IR.");
  auto arguments = std::make_shared<CompileArguments>();
  arguments->model.addTo(*command, "model file, text or binary");
  const char *const group = "Output";
  command
      ->add_option("-o", arguments->output,
                   "output file, required; - is standard output")
      ->required()
      ->type_name("FILE")
      ->group(group);
  command->add_option("--emit", arguments->emit, "what to write: program or ir")
      ->check(CLI::IsMember({"program", "ir"}).description(""))
      ->type_name("WHAT")
      ->group(group);
  command
      ->add_option("--compile-to", arguments->phase,
                   "with --emit ir: stop after import, step, precision, "
                   "sharded, local, scheduled or planned (default: planned)")
      ->type_name("PHASE")
      ->group(group);
  command
      ->add_option("--dump-dir", arguments->model.compile.dumpFolder,
                   "write the IR after every pass into this folder")
      ->type_name("DIR")
      ->group(group);
  command
      ->add_flag("--time-passes", arguments->model.compile.timePasses,
                 "print the seconds of each pass to standard error")
      ->group(group);
  command->footer("Example: dtc compile build/models/mlp-fashion.fbs --plan "
                  "tp=2 --emit program -o mlp.dtcx");
  command->callback(
      [arguments, &exitCode] { exitCode = runCompile(*arguments); });
}

} // namespace dtc::cli
