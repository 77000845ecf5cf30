//===- Log.h - Progress, warnings and errors on stderr --------------------===//
//
// stdout belongs to the product. Lines of many ranks interleave, so each is
// complete by itself and begins with its rank once that is known.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_BASE_LOG_H
#define DTC_RUNTIME_BASE_LOG_H

#include "runtime/base/Status.h"

#include <spdlog/spdlog.h>

#include <string_view>

namespace dtc::rt {

/// The runtime's logger: writes to stderr, safe to call from every thread.
/// Never called in a step but to report that it failed.
spdlog::logger &log();

/// Puts `[rank N]` before every further line of this process.
void setLogRank(int32_t rank);

/// Sets the least level shown: trace, debug, info, warning, error or off.
///
/// Errors:  kInvalidArgument naming the word and those accepted.
Status setLogLevel(std::string_view level);

} // namespace dtc::rt

#endif // DTC_RUNTIME_BASE_LOG_H
