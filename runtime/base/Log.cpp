//===- Log.cpp - Progress, warnings and errors on stderr ------------------===//
//
// spdlog throws while it is set up; with a stderr sink and no file there is
// nothing left that can fail, so this file has no catch.
//
//===----------------------------------------------------------------------===//

#include "runtime/base/Log.h"

#include <spdlog/sinks/stdout_sinks.h>

namespace dtc::rt {

spdlog::logger &log() {
  static spdlog::logger logger = [] {
    spdlog::logger made("dtc",
                        std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made.set_pattern("%l: %v");
    made.flush_on(spdlog::level::trace);
    return made;
  }();
  return logger;
}

void setLogRank(int32_t rank) {
  log().set_pattern("[rank " + std::to_string(rank) + "] %l: %v");
}

Status setLogLevel(std::string_view level) {
  static constexpr std::string_view kLevels[] = {"trace",   "debug", "info",
                                                 "warning", "error", "off"};
  for (std::string_view known : kLevels)
    if (level == known) {
      log().set_level(spdlog::level::from_str(std::string(level)));
      return Status::ok();
    }
  return Status::invalidArgument()
         << "log level \"" << level
         << "\" is none of trace, debug, info, warning, error, off";
}

} // namespace dtc::rt
