//===- HelpText.cpp - What tools say of their options ---------------------===//
//
// Two columns: what is typed, and what it does, wrapped. Groups and options
// stand in the order in which a command adds them.
//
//===----------------------------------------------------------------------===//

#include "runtime/tools/HelpText.h"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace dtc::rt {
namespace {

constexpr size_t kWidth = 80;
constexpr size_t kColumn = 26;

/// `text` in lines that end before kWidth; the first begins at `used`.
std::string wrapped(const std::string &text, size_t indent, size_t used) {
  std::istringstream words(text);
  std::string line, result;
  for (std::string word; words >> word;) {
    if (used + word.size() + 1 > kWidth) {
      result += line + "\n" + std::string(indent, ' ');
      line.clear();
      used = indent;
    }
    if (!line.empty()) {
      line += ' ';
      ++used;
    }
    line += word;
    used += word.size();
  }
  return result + line + "\n";
}

std::string entry(const std::string &label, const std::string &description) {
  std::string text = "  " + label;
  if (text.size() + 2 > kColumn)
    text += "\n" + std::string(kColumn, ' ');
  else
    text.resize(kColumn, ' ');
  return text + wrapped(description, kColumn, kColumn);
}

/// `-o FILE`, `--plan KEY=N,...`, `MODEL`
std::string label(const CLI::Option &option) {
  if (option.get_positional())
    return option.get_name(/*positional=*/true);
  std::string text;
  for (const std::string &name : option.get_snames())
    text += (text.empty() ? "-" : ", -") + name;
  for (const std::string &name : option.get_lnames())
    text += (text.empty() ? "--" : ", --") + name;
  std::string type = option.get_type_name();
  return type.empty() || option.get_items_expected_max() == 0
             ? text
             : text + " " + type;
}

} // namespace

std::string helpText(const CLI::App &app, const std::string &typed) {
  std::vector<const CLI::App *> commands = app.get_subcommands({});
  std::string positionals;
  for (const CLI::Option *option : app.get_options())
    if (option->get_positional())
      positionals += " " + option->get_name(true);
  std::string text = app.get_description() + "\n\nUsage: " + typed +
                     (commands.empty() ? "" : " COMMAND") + positionals +
                     " [options]\n";
  if (!commands.empty())
    text += "\nCommands:\n";
  for (const CLI::App *command : commands)
    text += entry(command->get_name(), command->get_description());
  // --help and --version, which CLI11 adds first, are shown last.
  std::vector<std::string> groups = app.get_groups();
  std::rotate(groups.begin(), groups.begin() + !groups.empty(), groups.end());
  for (const std::string &group : groups) {
    std::string options;
    for (const CLI::Option *option : app.get_options())
      if (option->get_group() == group)
        options += entry(label(*option), option->get_description());
    if (!options.empty())
      text += "\n" + group + ":\n" + options;
  }
  std::string footer = app.get_footer();
  const std::string example = "Example: ";
  if (footer.rfind(example, 0) == 0) {
    std::string program = typed.substr(0, typed.find(' '));
    footer =
        example + program + footer.substr(footer.find(' ', example.size()));
  }
  return text + "\n" + footer + "\n";
}

CLI::Validator positiveCount() {
  return CLI::Validator(
      [](std::string &text) {
        int64_t count = 0;
        auto [end, error] =
            std::from_chars(text.data(), text.data() + text.size(), count);
        if (error == std::errc() && end == text.data() + text.size() &&
            count > 0)
          return std::string();
        return "found '" + text + "', expected a whole number above 0";
      },
      "");
}

} // namespace dtc::rt
