//===- SafetensorsReader.cpp - Named tensors of one file ------------------===//
//
// The JSON library throws; this file catches. It also keeps the last of two
// equal keys silently, which the format forbids, so keys are watched while it
// parses.
//
//===----------------------------------------------------------------------===//

#include "runtime/data/SafetensorsReader.h"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

namespace dtc::rt {

using Json = nlohmann::json;

static constexpr int64_t kMaxHeaderBytes = 100'000'000;

namespace {

struct DTypeRow {
  const char *name;
  int bits;
  std::optional<StoredType> type;
};

} // namespace

static const DTypeRow kDTypes[] = {{"BOOL", 8, StoredType::kBool},
                                   {"F4", 4, {}},
                                   {"F6_E2M3", 6, {}},
                                   {"F6_E3M2", 6, {}},
                                   {"U8", 8, StoredType::kU8},
                                   {"I8", 8, StoredType::kI8},
                                   {"F8_E5M2", 8, {}},
                                   {"F8_E4M3", 8, {}},
                                   {"F8_E8M0", 8, {}},
                                   {"F8_E4M3FNUZ", 8, {}},
                                   {"F8_E5M2FNUZ", 8, {}},
                                   {"I16", 16, StoredType::kI16},
                                   {"U16", 16, StoredType::kU16},
                                   {"F16", 16, StoredType::kF16},
                                   {"BF16", 16, StoredType::kBF16},
                                   {"I32", 32, StoredType::kI32},
                                   {"U32", 32, StoredType::kU32},
                                   {"F32", 32, StoredType::kF32},
                                   {"C64", 64, {}},
                                   {"F64", 64, StoredType::kF64},
                                   {"I64", 64, StoredType::kI64},
                                   {"U64", 64, StoredType::kU64}};

static const DTypeRow *findDType(const std::string &dtype) {
  for (const DTypeRow &row : kDTypes)
    if (dtype == row.name)
      return &row;
  return nullptr;
}

static Result<int64_t> readHeaderLength(const ByteSource &source) {
  uint8_t bytes[8];
  if (source.byteSize() < 8)
    return damagedAt(source, source.byteSize())
           << "the file ends here, a safetensors file has at least 8 bytes";
  DTC_RETURN_IF_ERROR(source.read(0, bytes, 8));
  uint64_t length = 0;
  for (int i = 7; i >= 0; --i)
    length = length << 8 | bytes[i];
  if (length > static_cast<uint64_t>(kMaxHeaderBytes))
    return damagedAt(source, 0) << "the header has " << length
                                << " bytes, the most is " << kMaxHeaderBytes;
  if (length > static_cast<uint64_t>(source.byteSize() - 8))
    return damagedAt(source, 0)
           << "the header has " << length << " bytes, only "
           << source.byteSize() - 8 << " follow";
  return static_cast<int64_t>(length);
}

Result<bool> SafetensorsReader::isSafetensors(const ByteSource &source) {
  Result<int64_t> length = readHeaderLength(source);
  if (!length.isOk() || *length == 0)
    return false;
  char first;
  DTC_RETURN_IF_ERROR(source.read(8, &first, 1));
  return first == '{';
}

/// The library's words without its prefix and without bytes that a terminal
/// might act on.
static std::string plainWords(const char *what) {
  std::string text(what);
  size_t end = text.find("] ");
  if (end != std::string::npos)
    text.erase(0, end + 2);
  for (char &c : text)
    if (static_cast<unsigned char>(c) < 0x20 ||
        static_cast<unsigned char>(c) > 0x7e)
      c = '?';
  return text;
}

static Result<Json> parseHeader(const ByteSource &source,
                                const std::string &text) {
  if (text.empty() || text[0] != '{')
    return damagedAt(source, 8) << "the header does not begin with '{'";
  std::vector<std::set<std::string>> keys;
  std::string twice;
  auto watchKeys = [&](int, Json::parse_event_t event, Json &parsed) {
    if (event == Json::parse_event_t::object_start)
      keys.emplace_back();
    else if (event == Json::parse_event_t::object_end)
      keys.pop_back();
    else if (event == Json::parse_event_t::key &&
             !keys.back().insert(parsed.get<std::string>()).second &&
             twice.empty())
      twice = parsed.get<std::string>();
    return true;
  };
  try {
    Json header = Json::parse(text, watchKeys);
    if (!twice.empty())
      return damagedAt(source, 8)
             << "the header holds the name \"" << twice << "\" twice";
    return header;
  } catch (const Json::parse_error &error) {
    // The library counts bytes from 1.
    return damagedAt(source, 7 + static_cast<int64_t>(error.byte))
           << "header: " << plainWords(error.what());
  } catch (const std::exception &error) {
    return damagedAt(source, 8) << "header: " << plainWords(error.what());
  }
}

/// Reads a list of numbers that fit 63 bits.
static std::optional<std::vector<int64_t>> asSizes(const Json &list) {
  if (!list.is_array())
    return std::nullopt;
  std::vector<int64_t> sizes;
  for (const Json &item : list) {
    if (!item.is_number_unsigned() ||
        item.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX))
      return std::nullopt;
    sizes.push_back(item.get<int64_t>());
  }
  return sizes;
}

static Result<SafetensorsReader::Tensor> parseTensor(const ByteSource &source,
                                                     const std::string &name,
                                                     const Json &entry) {
  auto wrong = [&](const char *rule) {
    return damagedAt(source, 8) << "tensor \"" << name << "\": " << rule;
  };
  if (!entry.is_object() || entry.size() != 3 || !entry.contains("dtype") ||
      !entry.contains("shape") || !entry.contains("data_offsets"))
    return wrong("expected the keys dtype, shape, data_offsets and no other");
  if (!entry["dtype"].is_string())
    return wrong("dtype is no string");
  std::optional<std::vector<int64_t>> shape = asSizes(entry["shape"]);
  std::optional<std::vector<int64_t>> offsets = asSizes(entry["data_offsets"]);
  if (!shape)
    return wrong("shape is no list of sizes below 2^63");
  if (!offsets || offsets->size() != 2 || (*offsets)[1] < (*offsets)[0])
    return wrong("data_offsets is no pair of a begin and an end after it");

  SafetensorsReader::Tensor tensor{name, entry["dtype"].get<std::string>(),
                                   *shape, (*offsets)[0],
                                   (*offsets)[1] - (*offsets)[0]};
  const DTypeRow *dtype = findDType(tensor.dtype);
  if (!dtype)
    return wrong("unknown dtype ") << tensor.dtype;
  std::optional<int64_t> elements = elementProduct(*shape);
  int64_t bits;
  if (!elements || __builtin_mul_overflow(*elements, dtype->bits, &bits))
    return wrong("shape ") << shapeText(*shape)
                           << " has more bits than can be counted";
  if (bits % 8 != 0 || bits / 8 != tensor.byteCount)
    return wrong("shape ") << shapeText(*shape) << " of " << tensor.dtype
                           << " makes " << bits << " bits, data_offsets give "
                           << tensor.byteCount << " bytes";
  return tensor;
}

/// The format allows neither holes nor overlaps.
static Status checkCoverage(const ByteSource &source,
                            std::vector<SafetensorsReader::Tensor> &tensors,
                            int64_t dataBegin) {
  auto byOffset = [](const auto &a, const auto &b) {
    return std::tie(a.byteOffset, a.byteCount) <
           std::tie(b.byteOffset, b.byteCount);
  };
  std::sort(tensors.begin(), tensors.end(), byOffset);
  int64_t end = 0;
  for (SafetensorsReader::Tensor &tensor : tensors) {
    if (tensor.byteOffset != end)
      return damagedAt(source, dataBegin + end)
             << "tensor \"" << tensor.name << "\" begins at data byte "
             << tensor.byteOffset << ", expected " << end
             << ", where the one before ends";
    end += tensor.byteCount;
    tensor.byteOffset += dataBegin;
  }
  if (end != source.byteSize() - dataBegin)
    return damagedAt(source, dataBegin)
           << "the tensors have " << end << " bytes, the file holds "
           << source.byteSize() - dataBegin << " after its header";
  return Status::ok();
}

Result<SafetensorsReader>
SafetensorsReader::open(std::shared_ptr<const ByteSource> source) {
  DTC_ASSIGN_OR_RETURN(int64_t headerBytes, readHeaderLength(*source));
  std::string text(headerBytes, ' ');
  DTC_RETURN_IF_ERROR(source->read(8, text.data(), headerBytes));
  DTC_ASSIGN_OR_RETURN(Json header, parseHeader(*source, text));

  SafetensorsReader reader;
  for (const auto &[name, entry] : header.items()) {
    if (name != "__metadata__") {
      DTC_ASSIGN_OR_RETURN(Tensor tensor, parseTensor(*source, name, entry));
      reader.entries.push_back(std::move(tensor));
      continue;
    }
    if (!entry.is_object())
      return damagedAt(*source, 8) << "__metadata__ is no object";
    for (const auto &[key, value] : entry.items()) {
      if (!value.is_string())
        return damagedAt(*source, 8)
               << "__metadata__ \"" << key << "\" is no string";
      reader.notes[key] = value.get<std::string>();
    }
  }
  DTC_RETURN_IF_ERROR(checkCoverage(*source, reader.entries, 8 + headerBytes));
  reader.source = std::move(source);
  return reader;
}

Result<StoredArray>
SafetensorsReader::find(const std::string &tensorName) const {
  for (const Tensor &tensor : entries) {
    if (tensor.name != tensorName)
      continue;
    std::optional<StoredType> type = findDType(tensor.dtype)->type;
    if (!type)
      return Status::invalidArgument(ErrorCode::kDataFileUnsupported)
             << source->name() << ": tensor \"" << tensorName << "\" is "
             << tensor.dtype
             << ", expected BOOL, an integer type, F16, BF16, F32 or F64";
    return StoredArray{source, tensor.byteOffset, *type,
                       __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, tensor.shape};
  }
  Status status = Status::invalidArgument()
                  << source->name() << ": holds no tensor \"" << tensorName
                  << "\"; it holds " << entries.size();
  for (size_t i = 0; i < std::min<size_t>(entries.size(), 8); ++i)
    status << (i == 0 ? ": " : ", ") << entries[i].name;
  return std::move(status) << (entries.size() > 8 ? ", ..." : "");
}

} // namespace dtc::rt
