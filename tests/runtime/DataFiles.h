//===- DataFiles.h - Small data files for tests ---------------------------===//
//
// Files are made in memory, byte by byte, so a test shows what it reads.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_TESTS_RUNTIME_DATAFILES_H
#define DTC_TESTS_RUNTIME_DATAFILES_H

#include "runtime/data/StoredArray.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdio>
#include <fstream>
#include <unistd.h>

namespace dtc::rt {

using Bytes = std::vector<uint8_t>;

inline Bytes bytesOf(const std::string &text) {
  return Bytes(text.begin(), text.end());
}

inline Bytes operator+(Bytes left, const Bytes &right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

template <typename T>
Bytes bytesOf(const std::vector<T> &values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!values.empty())
    std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// Little-endian bytes of a length.
inline Bytes lengthBytes(uint64_t value, int byteCount) {
  Bytes bytes;
  for (int i = 0; i < byteCount; ++i)
    bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
  return bytes;
}

inline Bytes npyBytes(const std::string &dict, const Bytes &data,
                      int version = 1) {
  return bytesOf(std::string("\x93NUMPY") + static_cast<char>(version) + '\0') +
         lengthBytes(dict.size(), version == 1 ? 2 : 4) + bytesOf(dict) + data;
}

inline Bytes safetensorsBytes(const std::string &header, const Bytes &data) {
  return lengthBytes(header.size(), 8) + bytesOf(header) + data;
}

/// One gzip member.
inline Bytes gzipBytes(const Bytes &plain) {
  z_stream stream = {};
  EXPECT_EQ(
      deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY),
      Z_OK);
  Bytes packed(deflateBound(&stream, plain.size()) + 64);
  stream.next_in = const_cast<uint8_t *>(plain.data());
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = packed.data();
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

inline std::shared_ptr<const ByteSource> inMemory(const Bytes &bytes) {
  return makeMemorySource("test.bin", bytes);
}

/// A file that is gone with the test.
class TemporaryFile {
public:
  explicit TemporaryFile(const std::string &name, const Bytes &bytes)
      : path(testing::TempDir() + "dtc_" + std::to_string(::getpid()) + "_" +
             name) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char *>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  ~TemporaryFile() { std::remove(path.c_str()); }

  const std::string path;
};

/// All elements as f64; the read must succeed.
inline std::vector<double> valuesOf(const StoredArray &array) {
  std::vector<double> values(array.elementCount());
  Status status =
      array.read(0, array.elementCount(), DType::kF64, values.data());
  EXPECT_TRUE(status.isOk()) << status;
  return values;
}

} // namespace dtc::rt

#endif // DTC_TESTS_RUNTIME_DATAFILES_H
