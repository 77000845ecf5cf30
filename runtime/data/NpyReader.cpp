//===- NpyReader.cpp - Arrays that numpy saved ----------------------------===//
//
// The dict has three keys of three simple kinds, so a reader of just these is
// shorter than any general one and says exactly where it stopped.
//
//===----------------------------------------------------------------------===//

#include "runtime/data/NpyReader.h"

#include <algorithm>
#include <string_view>

namespace dtc::rt {

static constexpr std::string_view kMagic("\x93NUMPY", 6);

Result<bool> isNpy(const ByteSource &source) {
  char magic[6];
  if (source.byteSize() < 6)
    return false;
  DTC_RETURN_IF_ERROR(source.read(0, magic, 6));
  return std::string_view(magic, 6) == kMagic;
}

namespace {

/// Reads the dict of a header from left to right.
class HeaderReader {
public:
  HeaderReader(const ByteSource &source, int64_t begin, std::string_view text)
      : source(source), begin(begin), text(text) {}

  struct Header {
    std::optional<std::string> descr;
    std::optional<bool> isFortran;
    std::optional<std::vector<int64_t>> shape;
  };

  Result<Header> read();

private:
  Status stop(const char *expected) const {
    Status status = damagedAt(source, begin + static_cast<int64_t>(at))
                    << "npy header: expected " << expected << ", found ";
    if (at == text.size())
      return std::move(status) << "its end";
    auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x20 && byte < 0x7f)
      return std::move(status) << "'" << text.substr(at, 1) << "'";
    return std::move(status) << "byte " << +byte;
  }
  void skipSpace() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n'))
      ++at;
  }
  bool take(char c) {
    skipSpace();
    if (at == text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }
  Result<std::string> readString();
  Result<bool> readBool();
  Result<int64_t> readSize();
  Result<std::vector<int64_t>> readShape();
  Status readEntry(Header &header);

  const ByteSource &source;
  int64_t begin;
  std::string_view text;
  size_t at = 0;
};

Result<std::string> HeaderReader::readString() {
  skipSpace();
  if (at == text.size() || (text[at] != '\'' && text[at] != '"'))
    return stop("a string");
  char quote = text[at++];
  size_t end = at;
  while (end < text.size() && text[end] != quote && text[end] != '\\')
    ++end;
  if (end == text.size() || text[end] != quote) {
    at = end;
    return stop("the end of a string without escapes");
  }
  std::string value(text.substr(at, end - at));
  at = end + 1;
  return value;
}

Result<bool> HeaderReader::readBool() {
  skipSpace();
  for (bool value : {false, true}) {
    std::string_view word = value ? "True" : "False";
    if (text.substr(at, word.size()) == word) {
      at += word.size();
      return value;
    }
  }
  return stop("True or False");
}

Result<int64_t> HeaderReader::readSize() {
  skipSpace();
  if (at == text.size() || text[at] < '0' || text[at] > '9')
    return stop("a size");
  int64_t value = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, text[at] - '0', &value))
      return stop("a size below 2^63");
  if (at < text.size() && text[at] == 'L') // Written by Python 2.
    ++at;
  return value;
}

Result<std::vector<int64_t>> HeaderReader::readShape() {
  std::vector<int64_t> shape;
  if (!take('('))
    return stop("'('");
  while (!take(')')) {
    DTC_ASSIGN_OR_RETURN(int64_t size, readSize());
    shape.push_back(size);
    if (take(','))
      continue;
    if (take(')'))
      break;
    return stop("',' or ')'");
  }
  return shape;
}

Status HeaderReader::readEntry(Header &header) {
  skipSpace();
  size_t keyAt = at;
  DTC_ASSIGN_OR_RETURN(std::string key, readString());
  if (!take(':'))
    return stop("':'");
  if (key == "descr" && !header.descr) {
    skipSpace();
    if (at < text.size() && text[at] == '[')
      return Status::invalidArgument(ErrorCode::kDataFileUnsupported)
             << source.name() << ": holds records of several fields, expected "
             << "one plain type";
    DTC_ASSIGN_OR_RETURN(header.descr, readString());
  } else if (key == "fortran_order" && !header.isFortran) {
    DTC_ASSIGN_OR_RETURN(header.isFortran, readBool());
  } else if (key == "shape" && !header.shape) {
    DTC_ASSIGN_OR_RETURN(header.shape, readShape());
  } else {
    at = keyAt;
    return stop("one of 'descr', 'fortran_order', 'shape', each once");
  }
  return Status::ok();
}

Result<HeaderReader::Header> HeaderReader::read() {
  Header header;
  if (!take('{'))
    return stop("'{'");
  while (!take('}')) {
    DTC_RETURN_IF_ERROR(readEntry(header));
    if (take(','))
      continue;
    if (take('}'))
      break;
    return stop("',' or '}'");
  }
  skipSpace();
  if (at != text.size())
    return stop("nothing after the dict");
  if (!header.descr || !header.isFortran || !header.shape)
    return stop("the keys 'descr', 'fortran_order' and 'shape'");
  return header;
}

struct NpyType {
  StoredType type;
  bool isSwapped;
};

} // namespace

static Result<NpyType> typeOfDescr(const ByteSource &source,
                                   const std::string &descr) {
  static constexpr struct {
    std::string_view code;
    StoredType type;
  } kCodes[] = {{"b1", StoredType::kBool}, {"u1", StoredType::kU8},
                {"i1", StoredType::kI8},   {"u2", StoredType::kU16},
                {"i2", StoredType::kI16},  {"u4", StoredType::kU32},
                {"i4", StoredType::kI32},  {"u8", StoredType::kU64},
                {"i8", StoredType::kI64},  {"f2", StoredType::kF16},
                {"f4", StoredType::kF32},  {"f8", StoredType::kF64}};
  auto unsupported = [&](const char *why) {
    return Status::invalidArgument(ErrorCode::kDataFileUnsupported)
           << source.name() << ": element type '" << descr << "'" << why;
  };
  if (descr.find('O') != std::string::npos)
    return unsupported(" is pickled Python objects, which are not read; save "
                       "an array of numbers");
  std::string_view rest(descr);
  char order = rest.empty() ? ' ' : rest[0];
  for (const auto &known : kCodes) {
    if (rest.substr(rest.empty() ? 0 : 1) != known.code)
      continue;
    if (byteSize(known.type) == 1 &&
        (order == '|' || order == '<' || order == '>'))
      return NpyType{known.type, false};
    if (order == '<' || order == '>')
      return NpyType{known.type, (order == '>') == (__BYTE_ORDER__ ==
                                                    __ORDER_LITTLE_ENDIAN__)};
  }
  return unsupported(", expected '<' or '>' and one of b1 u1 i1 u2 i2 u4 i4 "
                     "u8 i8 f2 f4 f8");
}

/// Where the dict lies.
struct NpyPrefix {
  int64_t dictBegin;
  int64_t dictBytes;
};

static Result<NpyPrefix> readPrefix(const ByteSource &source) {
  uint8_t prefix[12] = {};
  int64_t available = std::min<int64_t>(source.byteSize(), 12);
  DTC_RETURN_IF_ERROR(source.read(0, prefix, available));
  if (available < 10 ||
      std::string_view(reinterpret_cast<char *>(prefix), 6) != kMagic)
    return damagedAt(source, 0)
           << "an npy file begins with \\x93NUMPY, a version and a length, in "
              "at least 10 bytes";
  if (prefix[6] < 1 || prefix[6] > 3 || prefix[7] != 0)
    return Status::invalidArgument(ErrorCode::kDataFileUnsupported)
           << source.name() << ": byte 6: npy version " << +prefix[6] << "."
           << +prefix[7] << ", expected 1.0, 2.0 or 3.0";
  NpyPrefix result{10, prefix[8] | prefix[9] << 8};
  if (prefix[6] > 1)
    result = {12, result.dictBytes | int64_t{prefix[10]} << 16 |
                      int64_t{prefix[11]} << 24};
  if (result.dictBytes > source.byteSize() - result.dictBegin)
    return damagedAt(source, 8) << "the header has " << result.dictBytes
                                << " bytes, the file " << source.byteSize();
  return result;
}

Result<StoredArray> readNpy(std::shared_ptr<const ByteSource> source) {
  DTC_ASSIGN_OR_RETURN(NpyPrefix prefix, readPrefix(*source));
  std::string text(prefix.dictBytes, ' ');
  DTC_RETURN_IF_ERROR(
      source->read(prefix.dictBegin, text.data(), prefix.dictBytes));
  DTC_ASSIGN_OR_RETURN(HeaderReader::Header header,
                       HeaderReader(*source, prefix.dictBegin, text).read());
  DTC_ASSIGN_OR_RETURN(NpyType type, typeOfDescr(*source, *header.descr));
  if (*header.isFortran && header.shape->size() > 1)
    return Status::invalidArgument(ErrorCode::kDataFileUnsupported)
           << source->name() << ": shape " << shapeText(*header.shape)
           << " is stored by columns (fortran_order), expected by rows; save "
              "numpy.ascontiguousarray(x)";
  int64_t dataBegin = prefix.dictBegin + prefix.dictBytes;
  std::optional<int64_t> elements = elementProduct(*header.shape);
  int64_t dataBytes;
  if (!elements ||
      __builtin_mul_overflow(*elements, byteSize(type.type), &dataBytes) ||
      dataBytes != source->byteSize() - dataBegin)
    return damagedAt(*source, dataBegin)
           << "shape " << shapeText(*header.shape) << " of " << type.type
           << " does not make the " << source->byteSize() - dataBegin
           << " bytes that follow the header";
  return StoredArray{source, dataBegin, type.type, type.isSwapped,
                     *header.shape};
}

} // namespace dtc::rt
