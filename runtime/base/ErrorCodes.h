//===- ErrorCodes.h - The runtime's stable error codes
//---------------------===//
//
// A user searches for a code, a script matches it, and it outlives the wording
// of the message. The list is one macro so that a test can walk it and hold it
// and the sections of runtime/docs/errors.md together.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_BASE_ERRORCODES_H
#define DTC_RUNTIME_BASE_ERRORCODES_H

#include <cstdint>

// One line a code: the enumerator and its spelling for users.
#define DTC_RUNTIME_ERROR_CODES(X)                                             \
  X(kCollectiveMismatch, "DTC-COLLECTIVE-MISMATCH")                            \
  X(kDataFileDamaged, "DTC-DATA-FILE-DAMAGED")                                 \
  X(kDataFileUnsupported, "DTC-DATA-FILE-UNSUPPORTED")                         \
  X(kDataTooFewSamples, "DTC-DATA-TOO-FEW-SAMPLES")                            \
  X(kDataValueRange, "DTC-DATA-VALUE-RANGE")                                   \
  X(kFileUnreadable, "DTC-FILE-UNREADABLE")                                    \
  X(kFileUnwritable, "DTC-FILE-UNWRITABLE")                                    \
  X(kNonfiniteGradient, "DTC-NONFINITE-GRADIENT")                              \
  X(kRankTimeout, "DTC-RANK-TIMEOUT")

namespace dtc::rt {

/// A stable code that a user can meet; `kNone` for errors without one.
enum class ErrorCode : uint8_t {
  kNone,
#define DTC_ENUMERATOR(name, text) name,
  DTC_RUNTIME_ERROR_CODES(DTC_ENUMERATOR)
#undef DTC_ENUMERATOR
};

/// Returns the spelling for users, such as `DTC-RANK-TIMEOUT`; empty for
/// `kNone`.
constexpr const char *codeText(ErrorCode code) {
  switch (code) {
  case ErrorCode::kNone:
    return "";
#define DTC_CASE(name, text)                                                   \
  case ErrorCode::name:                                                        \
    return text;
    DTC_RUNTIME_ERROR_CODES(DTC_CASE)
#undef DTC_CASE
  }
  return "";
}

} // namespace dtc::rt

#endif // DTC_RUNTIME_BASE_ERRORCODES_H
