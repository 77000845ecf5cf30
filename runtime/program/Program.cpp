//===- Program.cpp - A compiled program, loaded and believed --------------===//
//
// FlatBuffers' verifier guards memory, not meaning: unknown enum values and ids
// out of range pass it. validate() looks at the rest.
//
//===----------------------------------------------------------------------===//

#include "runtime/program/Program.h"

#include "runtime/program/ContentHash.h"
#include "runtime/program/ValidateProgram.h"

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace dtc::rt {
namespace {

/// FlatBuffers' own limit for one buffer.
constexpr uint64_t kMaxBytes = (uint64_t(1) << 31) - 1;

Status checkContainer(const std::vector<uint8_t> &bytes) {
  constexpr size_t kHeaderBytes = 12;
  if (bytes.size() < kHeaderBytes)
    return Status::invalidProgram() << "a program has at least " << kHeaderBytes
                                    << " bytes, found " << bytes.size();
  if (bytes.size() > kMaxBytes)
    return Status::invalidProgram() << "a program has at most " << kMaxBytes
                                    << " bytes, found " << bytes.size();
  if (!program::SizePrefixedProgramBufferHasIdentifier(bytes.data())) {
    std::string found(reinterpret_cast<const char *>(bytes.data()) + 8, 4);
    for (char &letter : found)
      if (letter < ' ' || letter > '~')
        letter = '?';
    return Status::invalidProgram()
           << "file identifier is '" << found << "', expected '"
           << program::ProgramIdentifier() << "'";
  }
  uint64_t announced = flatbuffers::ReadScalar<uint32_t>(bytes.data());
  if (announced + 4 != bytes.size())
    return Status::invalidProgram() << "its length says " << announced + 4
                                    << " bytes, the file has " << bytes.size();
  // Long schedules have many tables; each takes at least four bytes.
  flatbuffers::Verifier verifier(bytes.data(), bytes.size(), /*depth=*/64,
                                 /*tables=*/1u << 28);
  if (!program::VerifySizePrefixedProgramBuffer(verifier))
    return Status::invalidProgram() << "its tables are damaged";
  return Status::ok();
}

} // namespace

Result<std::unique_ptr<Program>> Program::load(std::vector<uint8_t> bytes) {
  DTC_RETURN_IF_ERROR(checkContainer(bytes));
  auto loaded = std::make_unique<Program>();
  loaded->bytes = std::move(bytes);
  loaded->root = program::GetSizePrefixedProgram(loaded->bytes.data());
  const program::Program &root = *loaded->root;
  if (root.format_major() != kFormatMajor || root.format_minor() > kFormatMinor)
    return Status::invalidProgram()
           << "format " << root.format_major() << "." << root.format_minor()
           << " was written by '" << root.producer()->str()
           << "'; this runtime reads " << kFormatMajor << ".0 to "
           << kFormatMajor << "." << kFormatMinor;
  ContentHash hash = hashProgram(loaded->bytes);
  if (hash.low != root.content_hash_low() ||
      hash.high != root.content_hash_high())
    return Status::invalidProgram()
           << "its content hash does not fit its content; compile it again";
  DTC_RETURN_IF_ERROR(validateProgram(root));
  return loaded;
}

Result<std::unique_ptr<Program>> Program::read(const std::string &path) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code))
    return Status::invalidArgument(ErrorCode::kFileUnreadable)
           << path << ": is a folder, expected a program file";
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return Status::invalidArgument(ErrorCode::kFileUnreadable)
           << path << ": " << std::strerror(errno);
  std::vector<uint8_t> bytes((std::istreambuf_iterator<char>(file)), {});
  auto loaded = load(std::move(bytes));
  if (!loaded.isOk())
    return loaded.takeStatus().at(path);
  return loaded;
}

std::string Program::hashText() const {
  char text[33];
  std::snprintf(text, sizeof(text), "%016llx%016llx",
                static_cast<unsigned long long>(root->content_hash_high()),
                static_cast<unsigned long long>(root->content_hash_low()));
  return text;
}

DType toDType(program::DType dtype) {
  switch (dtype) {
  case program::DType::F32:
    return DType::kF32;
  case program::DType::F64:
    return DType::kF64;
  case program::DType::F16:
    return DType::kF16;
  case program::DType::BF16:
    return DType::kBF16;
  case program::DType::I32:
    return DType::kI32;
  case program::DType::I64:
    return DType::kI64;
  }
  return DType::kF32;
}

int64_t localElementCount(const program::Value &value) {
  int64_t count = 1;
  if (value.local_shape())
    for (uint64_t size : *value.local_shape())
      count *= static_cast<int64_t>(size);
  return count;
}

} // namespace dtc::rt
