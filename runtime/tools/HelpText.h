//===- HelpText.h - What tools say of their options ------------*- C++ -*-===//
//
// CLI11's own page shows types that say little (`TEXT:{a,b}=a`), never wraps,
// and calls a command `train` that is typed as `dtc train`; its message on a
// number out of range is the range of a double.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_TOOLS_HELPTEXT_H
#define DTC_RUNTIME_TOOLS_HELPTEXT_H

#include <CLI/CLI.hpp>

#include <string>

namespace dtc::rt {

/// The page of `app`, at most 80 columns wide: a sentence, usage, options by
/// group, an example. `typed` is how the user calls it, as `build/bin/dtc
/// train`; the footer's `Example: dtc ...` begins with that program, so that it
/// works as typed.
std::string helpText(const CLI::App &app, const std::string &typed);

/// Takes whole numbers above 0, and says so.
CLI::Validator positiveCount();

} // namespace dtc::rt

#endif // DTC_RUNTIME_TOOLS_HELPTEXT_H
