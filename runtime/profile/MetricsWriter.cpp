//===- MetricsWriter.cpp - metrics.jsonl, one object a line ---------------===//
//
// Numbers are written by to_chars: shortest text that reads back to the same
// bits, no locale, no allocation. The JSON library serves for text that needs
// escapes.
//
//===----------------------------------------------------------------------===//

#include "runtime/profile/MetricsWriter.h"

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

namespace dtc::rt {

static Status unwritable(const std::string &path) {
  return Status::invalidArgument(ErrorCode::kFileUnwritable)
         << path << ": " << std::strerror(errno);
}

static double secondsSince1970() {
  return std::chrono::duration<double>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

static Status writeAll(const std::string &path, int descriptor,
                       std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return unwritable(path);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return Status::ok();
}

MetricsWriter::MetricsWriter(std::string path, int descriptor)
    : path(std::move(path)), descriptor(descriptor),
      openedAt(secondsSince1970()) {
  line.reserve(1024);
  nonfinite.reserve(256);
}

MetricsWriter::~MetricsWriter() { ::close(descriptor); }

Result<std::unique_ptr<MetricsWriter>>
MetricsWriter::open(const std::string &path) {
  int descriptor =
      ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0)
    return unwritable(path);
  std::unique_ptr<MetricsWriter> writer(new MetricsWriter(path, descriptor));
  char last = '\n';
  off_t size = ::lseek(descriptor, 0, SEEK_END);
  if (size > 0 && ::pread(descriptor, &last, 1, size - 1) == 1 && last != '\n')
    DTC_RETURN_IF_ERROR(writeAll(path, descriptor, "\n"));
  return writer;
}

void MetricsWriter::key(std::string_view name) {
  line += line.empty() ? "{\"" : ",\"";
  line += name;
  line += "\":";
}

void MetricsWriter::beginUntimed(std::string_view event) {
  line.clear();
  nonfinite.clear();
  text("event", event);
}

void MetricsWriter::begin(std::string_view event) {
  beginUntimed(event);
  double now = secondsSince1970();
  number("time", std::round(now * 1e3) / 1e3);
  number("elapsed", std::round((now - openedAt) * 1e3) / 1e3);
}

void MetricsWriter::integer(std::string_view name, int64_t value) {
  key(name);
  char digits[24];
  line.append(digits,
              std::to_chars(digits, digits + sizeof(digits), value).ptr);
}

void MetricsWriter::number(std::string_view name, double value) {
  key(name);
  if (!std::isfinite(value)) {
    line += "null";
    nonfinite += nonfinite.empty() ? "\"" : ",\"";
    nonfinite += name;
    nonfinite += '"';
    return;
  }
  char digits[32];
  line.append(digits,
              std::to_chars(digits, digits + sizeof(digits), value).ptr);
}

void MetricsWriter::flag(std::string_view name, bool value) {
  key(name);
  line += value ? "true" : "false";
}

/// Tells whether JSON writes the text as it is.
static bool isPlain(std::string_view text) {
  for (char c : text)
    if (c < 0x20 || c > 0x7e || c == '"' || c == '\\')
      return false;
  return true;
}

void MetricsWriter::text(std::string_view name, std::string_view value) {
  key(name);
  if (isPlain(value)) {
    line += '"';
    line += value;
    line += '"';
    return;
  }
  line += nlohmann::json(value).dump(-1, ' ', false,
                                     nlohmann::json::error_handler_t::replace);
}

Status MetricsWriter::end() {
  if (!nonfinite.empty()) {
    key("nonfinite");
    line += '[';
    line += nonfinite;
    line += ']';
  }
  line += "}\n";
  return writeAll(path, descriptor, line);
}

} // namespace dtc::rt
