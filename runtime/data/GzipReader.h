//===- GzipReader.h - Inflate a gzip file, in order -----------------------===//
//
// Wraps zlib. The caller says how much it wants, so a small file that inflates
// to terabytes costs what its reader asked for and not more.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_DATA_GZIPREADER_H
#define DTC_RUNTIME_DATA_GZIPREADER_H

#include "runtime/data/ByteSource.h"

namespace dtc::rt {

/// Deflate cannot shrink by more than this factor (zlib's own bound is 1032),
/// which tells an impossible length before memory is taken for it.
inline constexpr int64_t kMaxDeflateRatio = 1040;

/// Tells whether the bytes begin as gzip does.
Result<bool> isGzip(const ByteSource &source);

/// Reads the inflated bytes of all members of a gzip file, from the start.
class GzipReader {
public:
  static Result<GzipReader> create(std::shared_ptr<const ByteSource> source);
  GzipReader(GzipReader &&) noexcept;
  ~GzipReader();

  /// Inflates up to `byteCount` further bytes; returns how many there were,
  /// fewer only at the end of the last member, whose checksum then held.
  ///
  /// Errors:  kInvalidArgument with name, compressed offset and cause.
  Result<int64_t> read(void *destination, int64_t byteCount);

private:
  struct State;
  explicit GzipReader(std::unique_ptr<State> state);
  Status refill();

  std::unique_ptr<State> state;
};

} // namespace dtc::rt

#endif // DTC_RUNTIME_DATA_GZIPREADER_H
