//===- IdxReader.cpp - Arrays of the MNIST family -------------------------===//
//
// A gzip file is inflated as far as its own header says, after that length was
// found possible for the compressed bytes that there are.
//
//===----------------------------------------------------------------------===//

#include "runtime/data/IdxReader.h"

#include "runtime/data/GzipReader.h"

#include <algorithm>

namespace dtc::rt {

static constexpr bool kIsBigEndianMachine =
    __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
/// Magic and 255 sizes.
static constexpr int64_t kMaxHeaderBytes = 4 + 4 * 255;

namespace {

struct IdxHeader {
  StoredType type;
  std::vector<int64_t> shape;
  int64_t headerBytes;
  int64_t totalBytes;
};

} // namespace

static std::optional<StoredType> typeOfCode(uint8_t code) {
  switch (code) {
  case 0x08:
    return StoredType::kU8;
  case 0x09:
    return StoredType::kI8;
  case 0x0b:
    return StoredType::kI16;
  case 0x0c:
    return StoredType::kI32;
  case 0x0d:
    return StoredType::kF32;
  case 0x0e:
    return StoredType::kF64;
  default:
    return std::nullopt;
  }
}

/// Reads the header from the first `available` inflated bytes.
static Result<IdxHeader> parseHeader(const ByteSource &source,
                                     const uint8_t *bytes, int64_t available) {
  if (available < 4)
    return damagedAt(source, available)
           << "the file ends here, an idx header has at least 4 bytes";
  if (bytes[0] != 0 || bytes[1] != 0)
    return damagedAt(source, 0) << "found bytes " << +bytes[0] << " "
                                << +bytes[1] << ", an idx file begins with 0 0";
  std::optional<StoredType> type = typeOfCode(bytes[2]);
  if (!type)
    return Status::invalidArgument(ErrorCode::kDataFileUnsupported)
           << source.name() << ": byte 2: type code " << +bytes[2]
           << ", expected 8 (u8), 9 (i8), 11 (i16), 12 (i32), 13 (f32) or 14 "
              "(f64)";
  IdxHeader header{*type, {}, 4 + 4 * int64_t{bytes[3]}, 0};
  if (bytes[3] == 0)
    return damagedAt(source, 3) << "the array has no dimension";
  if (available < header.headerBytes)
    return damagedAt(source, available) << "the file ends here, its header has "
                                        << header.headerBytes << " bytes";
  for (int dim = 0; dim < bytes[3]; ++dim) {
    const uint8_t *at = bytes + 4 + 4 * dim;
    header.shape.push_back(int64_t{at[0]} << 24 | at[1] << 16 | at[2] << 8 |
                           at[3]);
  }
  std::optional<int64_t> elements = elementProduct(header.shape);
  if (!elements ||
      __builtin_mul_overflow(*elements, byteSize(*type), &header.totalBytes) ||
      __builtin_add_overflow(header.totalBytes, header.headerBytes,
                             &header.totalBytes))
    return damagedAt(source, 4) << "shape " << shapeText(header.shape)
                                << " has more bytes than can be counted";
  return header;
}

static Status sizeMismatch(const ByteSource &source, const IdxHeader &header,
                           int64_t found, const char *more) {
  return damagedAt(source, std::min(found, header.totalBytes))
         << "shape " << shapeText(header.shape) << " of " << header.type
         << " makes " << header.totalBytes << " bytes with the header, found "
         << found << more;
}

static Result<StoredArray>
readCompressed(std::shared_ptr<const ByteSource> source) {
  DTC_ASSIGN_OR_RETURN(GzipReader reader, GzipReader::create(source));
  std::vector<uint8_t> bytes(kMaxHeaderBytes);
  DTC_ASSIGN_OR_RETURN(int64_t got, reader.read(bytes.data(), kMaxHeaderBytes));
  DTC_ASSIGN_OR_RETURN(IdxHeader header,
                       parseHeader(*source, bytes.data(), got));
  if (header.totalBytes / kMaxDeflateRatio > source->byteSize())
    return damagedAt(*source, 4)
           << "shape " << shapeText(header.shape) << " of " << header.type
           << " makes " << header.totalBytes << " bytes, more than "
           << source->byteSize() << " bytes of gzip can hold";
  if (header.totalBytes > got) {
    bytes.resize(header.totalBytes);
    DTC_ASSIGN_OR_RETURN(
        int64_t rest, reader.read(bytes.data() + got, header.totalBytes - got));
    got += rest;
  }
  if (got != header.totalBytes)
    return sizeMismatch(*source, header, got, "");
  uint8_t extra;
  DTC_ASSIGN_OR_RETURN(int64_t further, reader.read(&extra, 1));
  if (further > 0)
    return sizeMismatch(*source, header, got + 1, " or more");
  bytes.resize(header.totalBytes);
  return StoredArray{makeMemorySource(source->name(), std::move(bytes)),
                     header.headerBytes, header.type, !kIsBigEndianMachine,
                     header.shape};
}

Result<StoredArray> readIdx(std::shared_ptr<const ByteSource> source) {
  DTC_ASSIGN_OR_RETURN(bool isCompressed, isGzip(*source));
  if (isCompressed)
    return readCompressed(std::move(source));
  std::vector<uint8_t> bytes(std::min(kMaxHeaderBytes, source->byteSize()));
  auto available = static_cast<int64_t>(bytes.size());
  DTC_RETURN_IF_ERROR(source->read(0, bytes.data(), available));
  DTC_ASSIGN_OR_RETURN(IdxHeader header,
                       parseHeader(*source, bytes.data(), available));
  if (header.totalBytes != source->byteSize())
    return sizeMismatch(*source, header, source->byteSize(), "");
  return StoredArray{source, header.headerBytes, header.type,
                     !kIsBigEndianMachine, header.shape};
}

} // namespace dtc::rt
