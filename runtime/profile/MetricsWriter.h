//===- MetricsWriter.h - metrics.jsonl, one object a line -----------------===//
//
// What a run measured, for people's scripts: it must be readable while the run
// goes on and after it was killed, so each line is complete and written at
// once. NaN and infinity are no JSON; they become null and are listed, because
// a silent null would hide the very step that went wrong.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_PROFILE_METRICSWRITER_H
#define DTC_RUNTIME_PROFILE_METRICSWRITER_H

#include "runtime/base/Status.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace dtc::rt {

/// Appends lines to a file. One thread. After the first few lines nothing is
/// allocated.
///
///   writer.begin("step");
///   writer.integer("step", 12);
///   writer.number("loss", loss);
///   DTC_RETURN_IF_ERROR(writer.end());
class MetricsWriter {
public:
  /// Opens the file for appending; a line that a killed run left unfinished is
  /// ended first.
  ///
  /// Errors:  kInvalidArgument (DTC-FILE-UNWRITABLE) with path and cause.
  static Result<std::unique_ptr<MetricsWriter>> open(const std::string &path);
  ~MetricsWriter();

  /// Begins a line with its `event` (run, step, eval, checkpoint, resume,
  /// warning, end) and the two times.
  ///
  /// Units:   time counts seconds since 1970, elapsed since open().
  void begin(std::string_view event);
  /// Begins a line without times; the same input gives the same bytes.
  void beginUntimed(std::string_view event);

  /// Adds a key; keys are plain words and each is given once a line.
  void integer(std::string_view key, int64_t value);
  void number(std::string_view key, double value);
  void flag(std::string_view key, bool value);
  /// Text that is no UTF-8 has its wrong bytes replaced.
  void text(std::string_view key, std::string_view value);

  /// Ends the line, with `nonfinite` listing the keys that became null, and
  /// hands it to the system in one write.
  ///
  /// Errors:  kInvalidArgument (DTC-FILE-UNWRITABLE) with path and cause.
  Status end();

private:
  MetricsWriter(std::string path, int descriptor);
  void key(std::string_view name);

  std::string path;
  int descriptor;
  double openedAt;
  std::string line;
  /// Keys of this line that became null, quoted and joined by commas.
  std::string nonfinite;
};

} // namespace dtc::rt

#endif // DTC_RUNTIME_PROFILE_METRICSWRITER_H
