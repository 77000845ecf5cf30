//===- Command.h - What commands share -------------------------*- C++ -*-===//
//
// A command adds its options to a CLI11 application and leaves an exit code.
// Exit codes: 0 done, 1 an error, 2 wrong usage, 130 and 143 after a signal.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_FRONTEND_CLI_COMMAND_H
#define DTC_FRONTEND_CLI_COMMAND_H

#include "frontend/cli/CompileModel.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace dtc::cli {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;

/// Options that say which program is meant.
struct ModelOptions {
  CompileOptions compile;
  std::string plan, seed, memoryLimit;
  std::vector<std::string> set;

  /// Adds MODEL, described by `what`, --plan, --set, --seed, --memory-limit.
  void addTo(CLI::App &app, const std::string &what =
                                "model file, text or binary, or a compiled "
                                "program");
  /// Turns what was given into settings, in the order plan, seed, set.
  ///
  /// Errors:  kInvalidArgument naming the option and what it takes.
  rt::Status resolve();
};

/// Prints an error and returns kExitFailed.
int fail(const rt::Status &status);
/// Prints an error of usage and returns kExitUsage.
int failUsage(const std::string &text);

/// Bytes from `512M`, `2GiB`, `1e9` ...
rt::Result<int64_t> parseBytes(const std::string &text);
/// `1.5 MiB`
std::string bytesText(double bytes);

void addTrainCommand(CLI::App &app, int &exitCode);
void addCompileCommand(CLI::App &app, int &exitCode);
void addCheckCommand(CLI::App &app, int &exitCode);
void addInspectCommand(CLI::App &app, int &exitCode);

} // namespace dtc::cli

#endif // DTC_FRONTEND_CLI_COMMAND_H
