//===- ProgressLine.cpp - One line that shows a run on a terminal ---------===//
//
// Plain text and two escape sequences (return, erase to the end of the line).
//
//===----------------------------------------------------------------------===//

#include "frontend/cli/ProgressLine.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <sys/ioctl.h>
#include <unistd.h>

namespace dtc::cli {
namespace {

constexpr auto kRedraw = std::chrono::milliseconds(100);

int terminalColumns() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  return 80;
}

std::string durationText(double seconds) {
  char text[32];
  auto whole = static_cast<int64_t>(seconds + 0.5);
  if (whole >= 3600)
    std::snprintf(text, sizeof(text), "%lld:%02lld:%02lld",
                  static_cast<long long>(whole / 3600),
                  static_cast<long long>(whole / 60 % 60),
                  static_cast<long long>(whole % 60));
  else
    std::snprintf(text, sizeof(text), "%lld:%02lld",
                  static_cast<long long>(whole / 60),
                  static_cast<long long>(whole % 60));
  return text;
}

} // namespace

ProgressLine::ProgressLine() : started(Clock::now()), last(started - kRedraw) {
  const char *terminal = std::getenv("TERM");
  const char *ci = std::getenv("CI");
  live = isatty(STDERR_FILENO) && terminal &&
         std::strcmp(terminal, "dumb") != 0 && !(ci && *ci);
}

void ProgressLine::update(int64_t done, int64_t total,
                          const std::string &text) {
  Clock::time_point now = Clock::now();
  if (!live || (now - last < kRedraw && done != total))
    return;
  last = now;
  double elapsed = std::chrono::duration<double>(now - started).count();
  double left = done > 0 ? elapsed / done * (total - done) : 0;
  std::string line = "[" + std::to_string(done) + "/" + std::to_string(total) +
                     "] " + text + "  " + durationText(left) + " left";
  line.resize(std::min<size_t>(line.size(), terminalColumns() - 1));
  std::fprintf(stderr, "\r%s\033[K", line.c_str());
  std::fflush(stderr);
  drawn = true;
}

void ProgressLine::clear() {
  if (drawn)
    std::fprintf(stderr, "\r\033[K");
  drawn = false;
}

std::string drawCurve(const std::string &name, const double *values,
                      size_t count, int width, int height) {
  std::vector<double> columns;
  for (int column = 0; column < width; ++column) {
    size_t begin = count * column / width;
    size_t end = std::max(begin + 1, count * (column + 1) / width);
    double sum = 0;
    for (size_t i = begin; i < std::min(end, count); ++i)
      sum += values[i];
    if (begin < count)
      columns.push_back(sum / (std::min(end, count) - begin));
  }
  double low = INFINITY, high = -INFINITY;
  for (double value : columns)
    if (std::isfinite(value)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  if (!(low <= high))
    return name + ": no finite value\n";
  double span = high > low ? high - low : 1;
  std::string text = name + "\n";
  for (int row = 0; row < height; ++row) {
    char label[16];
    std::snprintf(label, sizeof(label), "%9.4f ",
                  high - span * row / std::max(1, height - 1));
    text += label;
    text += "|";
    for (double value : columns) {
      int at =
          static_cast<int>(std::lround((high - value) / span * (height - 1)));
      text += std::isfinite(value) && at == row ? '*' : ' ';
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  text += std::string(10, ' ') + "+" + std::string(columns.size(), '-') + "\n";
  std::string last = std::to_string(count);
  text +=
      std::string(11, ' ') + "1" +
      std::string(
          std::max<int>(1, static_cast<int>(columns.size() - last.size()) - 1),
          ' ') +
      last + "  steps\n";
  return text;
}

} // namespace dtc::cli
