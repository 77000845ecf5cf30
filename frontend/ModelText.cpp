//===- ModelText.cpp - The commented JSON form of a model
//------------------===//
//
// The grammar is the JSON library's; its events carry no positions, so the
// iterator it reads through counts, and each value's start is found by looking
// back from where the library stands. The library keeps its own stack, so
// nesting is bounded here, before it can grow.
//
//===----------------------------------------------------------------------===//

#include "frontend/ModelText.h"

#include "llvm/ADT/StringExtras.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace mlir::dtc {
namespace {

using Json = nlohmann::json;

/// Reads characters and says, through `reached`, how far the library has read.
struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char *;
  using reference = const char &;

  const char *at = nullptr;
  const char **reached = nullptr;

  reference operator*() const { return *at; }
  CountingIterator &operator++() {
    *reached = ++at;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  bool operator==(const CountingIterator &other) const {
    return at == other.at;
  }
  bool operator!=(const CountingIterator &other) const {
    return at != other.at;
  }
};

/// Builds the tree from the library's events.
class TreeBuilder {
public:
  TreeBuilder(llvm::StringRef text, const char *const &reached)
      : text(text), reached(reached), lineStarts{text.begin()} {
    for (const char &c : text)
      if (c == '\n')
        lineStarts.push_back(&c + 1);
  }

  bool null() { return addScalar(ModelNode::Kind::Null, "null"); }
  bool boolean(bool value) {
    return addScalar(ModelNode::Kind::Bool, value ? "true" : "false");
  }
  bool number_integer(Json::number_integer_t value) {
    return addScalar(ModelNode::Kind::Number, std::to_string(value));
  }
  bool number_unsigned(Json::number_unsigned_t value) {
    return addScalar(ModelNode::Kind::Number, std::to_string(value));
  }
  bool number_float(Json::number_float_t value, const std::string &written) {
    if (!std::isfinite(value))
      return fail(startOfNumber(),
                  "number " + written + " does not fit 64 bits");
    return addScalar(ModelNode::Kind::Number, written);
  }
  bool string(std::string &value) {
    add(ModelNode::Kind::String, startOfString()).text = std::move(value);
    return true;
  }
  bool binary(Json::binary_t &) { return false; }
  bool start_object(std::size_t) { return open(ModelNode::Kind::Object); }
  bool start_array(std::size_t) { return open(ModelNode::Kind::Array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string &name) {
    SourcePosition position = locate(startOfString());
    for (const ModelMember &member : stack.back()->members)
      if (member.name == name)
        return fail(startOfString(), "repeated key \"" + name +
                                         "\"; first given on line " +
                                         std::to_string(member.position.line));
    stack.back()->members.push_back({std::move(name), position, {}});
    return true;
  }

  template <typename Exception>
  bool parse_error(std::size_t, const std::string &,
                   const Exception &exception) {
    if (!message.empty())
      return false;
    // The library stands behind the first character that does not fit.
    const char *at = reached == text.begin() ? reached : reached - 1;
    llvm::StringRef rest(at, text.end() - at);
    for (llvm::StringRef word : {"NaN", "nan", "Infinity", "inf"})
      if (rest.starts_with(word))
        return fail(at,
                    word.str() + " is no JSON number; expected a finite one");
    // "[json.exception.parse_error.101] parse error at line 1, column 2: …"
    llvm::StringRef what = exception.what();
    llvm::StringRef reason = what.split("column ").second.split(": ").second;
    if (reason.empty())
      reason = what.split("] ").second;
    if (reason.contains("expected end of input"))
      return fail(at, "text behind the end of the model");
    reason.consume_front("syntax error ");
    return fail(at, "no JSON: " + reason.str());
  }

  ModelNode root;
  std::string message; ///< empty where all went well
  SourcePosition failedAt;

private:
  SourcePosition locate(const char *at) const {
    auto next = std::upper_bound(lineStarts.begin(), lineStarts.end(), at);
    return {next - lineStarts.begin(), at - *std::prev(next) + 1};
  }

  /// The library stands behind the closing quote.
  const char *startOfString() const {
    const char *at = reached - 2;
    while (at > text.data()) {
      size_t slashes = 0;
      if (*at == '"') {
        while (at - slashes > text.data() &&
               at[-1 - (std::ptrdiff_t)slashes] == '\\')
          ++slashes;
        if (slashes % 2 == 0)
          break;
      }
      --at;
    }
    return at;
  }

  /// The library stands behind the number or one character further.
  const char *startOfNumber() const {
    auto isPart = [](char c) {
      return llvm::isAlnum(c) || c == '+' || c == '-' || c == '.';
    };
    const char *at = reached;
    if (at > text.data() && !isPart(at[-1]))
      --at;
    while (at > text.data() && isPart(at[-1]))
      --at;
    return at;
  }

  bool fail(const char *at, std::string why) {
    message = std::move(why);
    failedAt = locate(at);
    return false;
  }

  ModelNode &add(ModelNode::Kind kind, const char *start) {
    ModelNode *place = &root;
    if (!stack.empty()) {
      ModelNode *parent = stack.back();
      if (parent->kind == ModelNode::Kind::Array)
        place = &parent->elements.emplace_back();
      else
        place = &parent->members.back().value;
    }
    place->kind = kind;
    place->position = locate(start);
    return *place;
  }

  bool addScalar(ModelNode::Kind kind, std::string written) {
    add(kind, startOfNumber()).text = std::move(written);
    return true;
  }

  bool open(ModelNode::Kind kind) {
    if (stack.size() == kMaxTextNesting)
      return fail(reached - 1, "brackets nested deeper than " +
                                   std::to_string(kMaxTextNesting) + " levels");
    stack.push_back(&add(kind, reached - 1));
    return true;
  }

  bool close() {
    stack.pop_back();
    return true;
  }

  llvm::StringRef text;
  const char *const &reached;
  std::vector<const char *> lineStarts;
  /// Open containers. A parent's vector does not grow while a child is open, so
  /// the pointers stay.
  std::vector<ModelNode *> stack;
};

} // namespace

llvm::Error parseModelText(llvm::StringRef text, ModelDocument &document) {
  const char *reached = text.begin();
  TreeBuilder builder(text, reached);
  CountingIterator first{text.begin(), &reached};
  CountingIterator last{text.end(), &reached};
  bool parsed =
      Json::sax_parse(first, last, &builder, Json::input_format_t::json,
                      /*strict=*/true, /*ignore_comments=*/true);
  if (!parsed)
    return document.error(builder.failedAt, builder.message, kModelTextCode);
  document.root = std::move(builder.root);
  return llvm::Error::success();
}

static void placeAll(ModelNode &node, SourcePosition position) {
  node.position = position;
  for (ModelNode &element : node.elements)
    placeAll(element, position);
  for (ModelMember &member : node.members) {
    member.position = position;
    placeAll(member.value, position);
  }
}

llvm::Expected<ModelNode> parseModelValue(llvm::StringRef text,
                                          const ModelDocument &document,
                                          SourcePosition position) {
  ModelDocument scratch;
  scratch.file = "value";
  if (llvm::Error error = parseModelText(text, scratch)) {
    llvm::consumeError(std::move(error));
    return document.error(position,
                          "expected a JSON value, found \"" + text + "\"");
  }
  placeAll(scratch.root, position);
  return std::move(scratch.root);
}

} // namespace mlir::dtc
