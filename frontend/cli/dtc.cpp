//===- dtc.cpp - The dtc program
//-------------------------------------------===//
//
// Finds the command, runs it, and turns its error into an exit code.
//
//===----------------------------------------------------------------------===//

#include "frontend/cli/Command.h"

#include <cstdio>

namespace dtc::cli {
namespace {

/// All long options of a command, for suggestions.
std::vector<std::string> optionNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::Option *option : app.get_options())
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
  return names;
}

std::vector<std::string> commandNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::App *command : app.get_subcommands({}))
    names.push_back(command->get_name());
  return names;
}

/// What the user may have meant by a word that nothing takes.
int refuseExtra(const CLI::App &app, const std::string &word) {
  const CLI::App *command = &app;
  if (!app.get_subcommands().empty())
    command = app.get_subcommands().front();
  bool isOption = word.rfind("-", 0) == 0;
  std::vector<std::string> known =
      isOption ? optionNames(*command) : commandNames(app);
  std::string name = word.substr(0, word.find('='));
  std::string near = nearestName(name, known);
  std::string text = (isOption ? "unknown option " : "unknown command ") + name;
  if (!isOption && command != &app)
    text = "unexpected argument " + word;
  else if (!near.empty())
    text += "; did you mean " + near + "?";
  return failUsage(text + " (see " + command->get_name() + " --help)");
}

int run(int argc, char **argv) {
  CLI::App app("Compiles a model into a distributed training program and runs "
               "it.",
               "dtc");
  app.set_version_flag("--version", "dtc 0.1.0, program format " +
                                        std::to_string(rt::kFormatMajor) + "." +
                                        std::to_string(rt::kFormatMinor) +
                                        ", " + compilerVersion());
  app.footer("Example: dtc train build/models/mlp-fashion.fbs --plan dp=2");
  app.require_subcommand(1);
  app.allow_extras();
  int exitCode = kExitDone;
  addTrainCommand(app, exitCode);
  addCompileCommand(app, exitCode);
  addCheckCommand(app, exitCode);
  addInspectCommand(app, exitCode);
  for (CLI::App *command : app.get_subcommands({}))
    command->allow_extras(false);
  if (argc == 1) {
    std::fputs(app.help().c_str(), stderr);
    return kExitUsage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp &) {
    const CLI::App *asked = &app;
    if (!app.get_subcommands().empty())
      asked = app.get_subcommands().front();
    std::fputs(asked->help().c_str(), stdout);
    return kExitDone;
  } catch (const CLI::CallForVersion &version) {
    std::printf("%s\n", version.what());
    return kExitDone;
  } catch (const CLI::ExtrasError &) {
    std::vector<std::string> extras = app.remaining(/*recurse=*/true);
    return refuseExtra(app, extras.empty() ? "" : extras.front());
  } catch (const CLI::RequiredError &error) {
    std::vector<std::string> extras = app.remaining(/*recurse=*/true);
    if (app.get_subcommands().empty() && !extras.empty())
      return refuseExtra(app, extras.front());
    return failUsage(error.what());
  } catch (const CLI::ParseError &error) {
    return failUsage(error.what());
  }
  return exitCode;
}

} // namespace
} // namespace dtc::cli

int main(int argc, char **argv) { return dtc::cli::run(argc, argv); }
