//===- Command.cpp - What commands share ----------------------------------===//
//
// Options become `path=value` settings of the model, so that a flag and a field
// of the file are checked by the same code and refused in the same words.
//
//===----------------------------------------------------------------------===//

#include "frontend/cli/Command.h"

#include <cmath>
#include <cstdio>

namespace dtc::cli {

void ModelOptions::addTo(CLI::App &app, const std::string &what) {
  const char *const group = "Model";
  app.add_option("MODEL", compile.path, what)->required()->group(group);
  app.add_option("--plan", plan,
                 "how ranks share the work, each --set plan.KEY=VALUE: dp tp "
                 "pp micro_batches (1 each), zero (0 or 1), schedule (1f1b or "
                 "gpipe), as dp=2,pp=2,micro_batches=4 (default: the model's)")
      ->type_name("KEY=VALUE,...")
      ->group(group);
  app.add_option("--set", set,
                 "set a field of the model, as optimizer.lr=1e-3; repeatable")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--seed", seed,
                 "seed of weights, masks and data order (default: the "
                 "model's)")
      ->type_name("N")
      ->group(group);
  app.add_option("--memory-limit", memoryLimit,
                 "bytes that a rank's arena may take, as 512MiB (default: no "
                 "limit)")
      ->type_name("SIZE")
      ->group(group);
}

rt::Status ModelOptions::resolve() {
  size_t begin = 0;
  while (begin < plan.size()) {
    size_t end = std::min(plan.find(',', begin), plan.size());
    std::string entry = plan.substr(begin, end - begin);
    size_t equals = entry.find('=');
    if (equals == std::string::npos || equals == 0 ||
        equals + 1 == entry.size())
      return rt::Status::invalidArgument()
             << "--plan: found '" << entry
             << "', expected key=value pairs joined by commas, as dp=2,tp=2";
    std::string value = entry.substr(equals + 1);
    compile.settings.push_back("plan." + entry.substr(0, equals) + "=" + value);
    begin = end + 1;
  }
  if (!seed.empty())
    compile.settings.push_back("seed=" + seed);
  for (const std::string &setting : set)
    compile.settings.push_back(setting);
  if (!memoryLimit.empty()) {
    DTC_ASSIGN_OR_RETURN(compile.memoryLimit, parseBytes(memoryLimit));
  }
  return rt::Status::ok();
}

int fail(const rt::Status &status) {
  std::string text = status.str();
  // The compiler's lines begin with where and say `error:` themselves.
  bool complete = text.find("error: ") != std::string::npos;
  std::fprintf(stderr, "%s%s\n", complete ? "" : "error: ", text.c_str());
  return kExitFailed;
}

int failUsage(const std::string &text) {
  std::fprintf(stderr, "error: %s\n", text.c_str());
  return kExitUsage;
}

rt::Result<int64_t> parseBytes(const std::string &text) {
  char *end = nullptr;
  double number = std::strtod(text.c_str(), &end);
  std::string unit = end;
  double factor = 0;
  const std::pair<const char *, double> units[] = {
      {"", 1},          {"B", 1},           {"K", 1024.0}, {"KiB", 1024.0},
      {"M", 1048576.0}, {"MiB", 1048576.0}, {"G", 0x1p30}, {"GiB", 0x1p30},
      {"T", 0x1p40},    {"TiB", 0x1p40}};
  for (auto [name, value] : units)
    if (unit == name)
      factor = value;
  if (end == text.c_str() || factor == 0 || !(number > 0) ||
      number * factor > 0x1p62)
    return rt::Status::invalidArgument()
           << "--memory-limit: found '" << text
           << "', expected a positive number of bytes, as 512MiB or 2G";
  return static_cast<int64_t>(number * factor);
}

std::string bytesText(double bytes) {
  const char *units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  int unit = 0;
  while (bytes >= 1024 && unit < 4) {
    bytes /= 1024;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof(text), unit == 0 ? "%.0f %s" : "%.2f %s", bytes,
                units[unit]);
  return text;
}

} // namespace dtc::cli
