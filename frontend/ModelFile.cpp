//===- ModelFile.cpp - A model as read from a file
//-------------------------===//
//
// A suffix says nothing (`.fbs` is also that of schemas), so the content does.
// The size prefix is what finds every truncation; a plain binary, as flatc
// makes it unasked, is taken too, though the loss of its last padding bytes
// can't be seen there.
//
//===----------------------------------------------------------------------===//

#include "frontend/ModelFile.h"

#include "frontend/FieldPath.h"
#include "frontend/ModelText.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace mlir::dtc {
namespace {

/// A model is a description: larger files are something else.
constexpr uint64_t kMaxModelBytes = 64 << 20;
constexpr llvm::StringLiteral kModelIdentifier = "DTCM";
constexpr llvm::StringLiteral kProgramIdentifier = "DTCX";
constexpr size_t kPrefixBytes = 4;
/// Prefix, root offset, identifier.
constexpr size_t kHeaderBytes = 12;

llvm::Error makeFileError(llvm::StringRef name, const llvm::Twine &text) {
  return makeModelError(name, text, kModelFileCode);
}

llvm::StringRef identifierAt(llvm::StringRef content, size_t offset) {
  return content.substr(offset, 4);
}

uint32_t readPrefix(llvm::StringRef content) {
  return llvm::support::endian::read32le(content.data());
}

/// Drops white space and comments at the start.
llvm::StringRef skipComments(llvm::StringRef text) {
  text.consume_front("\xef\xbb\xbf");
  while (true) {
    text = text.ltrim();
    if (text.starts_with("//"))
      text = text.drop_until([](char c) { return c == '\n'; });
    else if (text.starts_with("/*"))
      text = text.substr(std::min(text.find("*/"), text.size() - 2) + 2);
    else
      return text;
  }
}

bool isSchema(llvm::StringRef text) {
  for (llvm::StringRef word :
       {"namespace", "table", "struct", "enum", "union", "include", "attribute",
        "root_type", "file_identifier", "native_include", "rpc_service"})
    if (text.starts_with(word) && text.size() > word.size() &&
        llvm::isSpace(text[word.size()]))
      return true;
  return false;
}

/// Says what a file that is no model is, as far as its first bytes tell.
std::string describeForeign(llvm::StringRef content) {
  llvm::StringRef text = skipComments(content);
  if (isSchema(text))
    return "is a FlatBuffers schema; expected a model written in it";
  if (content.starts_with("\x93NUMPY"))
    return "is a numpy array; expected a model";
  if (content.starts_with("\x7f"
                          "ELF"))
    return "is an executable or object file; expected a model";
  if (content.starts_with("ML\xefR") || text.starts_with("module") ||
      text.starts_with("func.func") || text.starts_with("#dtc."))
    return "is MLIR; expected a model";
  if (content.size() > 8 && content[8] == '{' &&
      content.take_front(8).ends_with(llvm::StringRef("\0\0\0\0", 4)))
    return "is a safetensors file; expected a model";
  for (size_t offset : {size_t(8), size_t(4)}) {
    llvm::StringRef found = identifierAt(content, offset);
    if (found == kProgramIdentifier)
      return "is a compiled program (identifier \"DTCX\"); expected a model "
             "(\"DTCM\")";
    bool sized = content.size() >= kHeaderBytes &&
                 readPrefix(content) == content.size() - kPrefixBytes;
    if (found.size() == 4 && llvm::all_of(found, llvm::isPrint) &&
        (offset == 4 || sized))
      return "has file identifier \"" + found.str() + "\" at byte " +
             std::to_string(offset) + "; expected \"DTCM\"";
  }
  if (content.size() < kHeaderBytes)
    return "is too short at byte " + std::to_string(content.size()) +
           "; a binary model has at least 12 bytes, a text model starts with {";
  return "is no model: expected text that starts with { or the identifier "
         "\"DTCM\" at byte 8, found \"" +
         llvm::toHex(identifierAt(content, 8)) + "\" (hex)";
}

/// Finds out whether `content` is a binary model with its size prefix, or one
/// without; or why it is neither.
llvm::Expected<bool> isSizePrefixed(llvm::StringRef content,
                                    llvm::StringRef name) {
  if (identifierAt(content, 8) != kModelIdentifier) {
    if (identifierAt(content, 4) == kModelIdentifier)
      return false;
    return makeFileError(name, describeForeign(content));
  }
  uint64_t expected = uint64_t(readPrefix(content)) + kPrefixBytes;
  if (content.size() < expected)
    return makeFileError(
        name, "too short at byte " + llvm::Twine(content.size()) +
                  "; its size prefix says " + llvm::Twine(expected) + " bytes");
  if (content.size() > expected)
    return makeFileError(name, llvm::Twine(content.size()) +
                                   " bytes, its size prefix says " +
                                   llvm::Twine(expected) +
                                   "; bytes were added or the prefix is "
                                   "damaged");
  return true;
}

/// Verifies the binary model in `content` and reads it into `document`.
llvm::Error readBinary(llvm::StringRef content, const ModelSchema &schema,
                       ModelDocument &document) {
  llvm::Expected<bool> prefixed = isSizePrefixed(content, document.file);
  if (!prefixed)
    return prefixed.takeError();
  // The verifier wants the alignment that the writer gave, prefix included.
  std::vector<uint64_t> aligned(content.size() / sizeof(uint64_t) + 1);
  auto *bytes = reinterpret_cast<uint8_t *>(aligned.data());
  std::memcpy(bytes, content.data(), content.size());
  flatbuffers::Verifier verifier(bytes, content.size());
  if (!(*prefixed ? ::dtc::model::VerifySizePrefixedModelBuffer(verifier)
                  : ::dtc::model::VerifyModelBuffer(verifier)))
    return makeFileError(
        document.file,
        "damaged: identifier \"DTCM\" is there, but the tables behind it do "
        "not fit the schema of models; write it again");
  document.root = schema.decode(*prefixed ? bytes + kPrefixBytes : bytes);
  return llvm::Error::success();
}

bool isText(llvm::StringRef content) {
  llvm::StringRef text = skipComments(content);
  return (text.starts_with("{") || text.starts_with("[")) &&
         identifierAt(content, 8) != kModelIdentifier;
}

} // namespace

llvm::Expected<ModelFile>
ModelFile::parse(llvm::StringRef content, llvm::StringRef name,
                 llvm::ArrayRef<std::string> settings) {
  ModelFile file;
  ModelDocument &document = file.document;
  document.file = name.str();
  document.settings = settings.vec();
  if (content.empty())
    return makeFileError(name, "the file is empty; expected a model");
  if (content.size() > kMaxModelBytes)
    return makeFileError(name, "is " + llvm::Twine(content.size()) +
                                   " bytes; a model has at most " +
                                   llvm::Twine(kMaxModelBytes));

  ModelSchema schema;
  if (llvm::Error error = isText(content)
                              ? parseModelText(content, document)
                              : readBinary(content, schema, document))
    return std::move(error);
  for (size_t i = 0; i < settings.size(); ++i)
    if (llvm::Error error = applySetting(schema, document, i))
      return std::move(error);
  llvm::Expected<std::vector<uint8_t>> binary = schema.encode(document);
  if (!binary)
    return binary.takeError();
  file.binary = std::move(*binary);
  return std::move(file);
}

llvm::Expected<ModelFile>
ModelFile::read(llvm::StringRef path, llvm::ArrayRef<std::string> settings) {
  if (llvm::sys::fs::is_directory(path))
    return makeFileError(path, "is a directory; expected a model file");
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(
      path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeFileError(path, buffer.getError().message());
  return parse((*buffer)->getBuffer(), path == "-" ? "<stdin>" : path,
               settings);
}

const ::dtc::model::Model &ModelFile::model() const {
  return *::dtc::model::GetSizePrefixedModel(binary.data());
}

std::string ModelFile::resolvePath(llvm::StringRef path) const {
  llvm::SmallString<256> absolute;
  if (!llvm::sys::path::is_absolute(path))
    absolute = llvm::sys::path::parent_path(document.file);
  llvm::sys::path::append(absolute, path);
  if (llvm::sys::fs::make_absolute(absolute))
    return path.str(); // The working folder is gone; the reader will say so.
  llvm::sys::path::remove_dots(absolute, /*remove_dot_dot=*/true);
  return absolute.str().str();
}

SourcePosition ModelFile::position(llvm::StringRef path) const {
  return findPosition(document.root, path);
}

llvm::Error ModelFile::error(llvm::StringRef path, const llvm::Twine &text,
                             llvm::StringRef code) const {
  return document.error(position(path), text, code);
}

} // namespace mlir::dtc
