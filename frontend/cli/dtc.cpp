//===- dtc.cpp - The dtc program ------------------------------------------===//
//
// Finds the command, runs it, and turns its error into an exit code.
//
//===----------------------------------------------------------------------===//

#include "frontend/cli/Command.h"
#include "runtime/tools/HelpText.h"

#include <algorithm>
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

/// The command that the user gave, or the whole program.
const CLI::App &askedFor(const CLI::App &app) {
  return app.get_subcommands().empty() ? app : *app.get_subcommands().front();
}

/// `dtc`, `dtc train`
std::string typedName(const CLI::App &app, const std::string &program) {
  return app.get_parent() ? program + " " + app.get_name() : program;
}

/// Names the page that has the answer.
int refuse(const CLI::App &command, const std::string &text) {
  return failUsage(text + " (see " + typedName(command, "dtc") + " --help)");
}

/// What the user may have meant by a word that nothing takes.
int refuseExtra(const CLI::App &app, const std::string &word) {
  const CLI::App &command = askedFor(app);
  bool isOption = word.rfind("-", 0) == 0;
  std::vector<std::string> known =
      isOption ? optionNames(command) : commandNames(app);
  std::string name = word.substr(0, word.find('='));
  std::string near = nearestName(name, known);
  std::string text = (isOption ? "unknown option " : "unknown command ") + name;
  if (!isOption && &command != &app)
    text = "unexpected argument " + word;
  else if (!near.empty())
    text += "; did you mean " + near + "?";
  return refuse(command, text);
}

int run(int argc, char **argv) {
  CLI::App app("Compiles a model into a distributed training program and runs "
               "it.",
               "dtc");
  app.set_version_flag(
      "--version",
      "dtc 0.1.0, program format " + std::to_string(rt::kFormatMajor) + "." +
          std::to_string(rt::kFormatMinor) + ", " + compilerVersion(),
      "print versions of dtc, the program format and MLIR");
  app.set_help_flag("-h,--help", "print this page");
  app.footer("Example: dtc train build/models/mlp-fashion.fbs --plan dp=2 "
             "--steps 100");
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
    std::fputs(rt::helpText(app, argv[0]).c_str(), stderr);
    return kExitUsage;
  }
  // CLI11 takes the last word first.
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.front() == "help") {
    words.erase(words.begin());
    words.push_back("--help");
  }
  std::reverse(words.begin(), words.end());
  try {
    app.parse(words);
  } catch (const CLI::CallForHelp &) {
    const CLI::App &asked = askedFor(app);
    if (&asked == &app && !app.remaining().empty())
      return refuseExtra(app, app.remaining().front());
    std::fputs(rt::helpText(asked, typedName(asked, argv[0])).c_str(), stdout);
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
    return refuse(askedFor(app), error.what());
  } catch (const CLI::ParseError &error) {
    return refuse(askedFor(app), error.what());
  }
  return exitCode;
}

} // namespace
} // namespace dtc::cli

int main(int argc, char **argv) { return dtc::cli::run(argc, argv); }
