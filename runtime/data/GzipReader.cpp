//===- GzipReader.cpp - Inflate a gzip file, in order ---------------------===//
//
// gzip files may be joined end to end; the length in the last four bytes is a
// hint about the last member only, so it is left to zlib's own check.
//
//===----------------------------------------------------------------------===//

#include "runtime/data/GzipReader.h"

#include <algorithm>
#include <array>

#include <zlib.h>

namespace dtc::rt {

Result<bool> isGzip(const ByteSource &source) {
  uint8_t magic[2];
  if (source.byteSize() < 2)
    return false;
  DTC_RETURN_IF_ERROR(source.read(0, magic, 2));
  return magic[0] == 0x1f && magic[1] == 0x8b;
}

struct GzipReader::State {
  std::shared_ptr<const ByteSource> source;
  /// Compressed bytes handed to zlib so far.
  int64_t consumed = 0;
  z_stream stream = {};
  bool isOpen = false;
  /// Between two members, or after the last.
  bool isBetween = false;
  std::array<uint8_t, 65536> input;

  ~State() {
    if (isOpen)
      inflateEnd(&stream);
  }
  bool hasInput() const {
    return stream.avail_in > 0 || consumed < source->byteSize();
  }
  int64_t offset() const { return consumed - stream.avail_in; }
};

GzipReader::GzipReader(std::unique_ptr<State> state)
    : state(std::move(state)) {}
GzipReader::GzipReader(GzipReader &&) noexcept = default;
GzipReader::~GzipReader() = default;

Result<GzipReader>
GzipReader::create(std::shared_ptr<const ByteSource> source) {
  auto state = std::make_unique<State>();
  state->source = std::move(source);
  // 15 bits of window, and 16 for the gzip wrapper.
  if (inflateInit2(&state->stream, 15 + 16) != Z_OK)
    return Status::outOfMemory()
           << "zlib: no memory to inflate " << state->source->name();
  state->isOpen = true;
  return GzipReader(std::move(state));
}

Status GzipReader::refill() {
  int64_t bytes = std::min<int64_t>(
      state->input.size(), state->source->byteSize() - state->consumed);
  if (bytes == 0)
    return damagedAt(*state->source, state->consumed)
           << "the gzip data ends in the middle of a member";
  DTC_RETURN_IF_ERROR(
      state->source->read(state->consumed, state->input.data(), bytes));
  state->consumed += bytes;
  state->stream.next_in = state->input.data();
  state->stream.avail_in = static_cast<uInt>(bytes);
  return Status::ok();
}

Result<int64_t> GzipReader::read(void *destination, int64_t byteCount) {
  z_stream &stream = state->stream;
  auto *target = static_cast<Bytef *>(destination);
  int64_t done = 0;
  while (done < byteCount) {
    if (state->isBetween) {
      if (!state->hasInput())
        break;
      inflateReset(&stream);
      state->isBetween = false;
    }
    if (stream.avail_in == 0)
      DTC_RETURN_IF_ERROR(refill());
    stream.next_out = target + done;
    stream.avail_out =
        static_cast<uInt>(std::min<int64_t>(byteCount - done, 1 << 30));
    uInt asked = stream.avail_out;
    int outcome = inflate(&stream, Z_NO_FLUSH);
    done += asked - stream.avail_out;
    if (outcome == Z_STREAM_END)
      state->isBetween = true;
    else if (outcome == Z_MEM_ERROR)
      return Status::outOfMemory()
             << "zlib: no memory to inflate " << state->source->name();
    // Z_BUF_ERROR: more input is needed; refill() finds out if there is none.
    else if (outcome != Z_OK && outcome != Z_BUF_ERROR)
      return damagedAt(*state->source, state->offset())
             << "gzip: " << (stream.msg ? stream.msg : "the data is damaged");
  }
  return done;
}

} // namespace dtc::rt
