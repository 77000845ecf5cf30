//===- ProgressLine.h - One line that shows a run on a terminal -*- C++ -*-===//
//
// Redrawn in place, at most ten times a second, cut to the terminal's width,
// and only where standard error is a terminal that can do it.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_FRONTEND_CLI_PROGRESSLINE_H
#define DTC_FRONTEND_CLI_PROGRESSLINE_H

#include <chrono>
#include <string>

namespace dtc::cli {

class ProgressLine {
public:
  ProgressLine();

  /// True where a line is drawn at all.
  bool isLive() const { return live; }
  /// Draws `done` of `total` and a text; skipped if the last drawing is recent.
  void update(int64_t done, int64_t total, const std::string &text);
  /// Removes the line, before anything else is printed.
  void clear();

private:
  using Clock = std::chrono::steady_clock;
  bool live = false, drawn = false;
  Clock::time_point started, last;
};

/// Draws a curve of `values` over `width` columns and `height` rows with axis
/// labels, for standard error. `name` labels the vertical axis.
std::string drawCurve(const std::string &name, const double *values,
                      size_t count, int width, int height);

} // namespace dtc::cli

#endif // DTC_FRONTEND_CLI_PROGRESSLINE_H
