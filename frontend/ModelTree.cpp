//===- ModelTree.cpp - A model as a tree of named values
//-------------------===//
//
// Lookup, printing and the one form that errors about model files have.
//
//===----------------------------------------------------------------------===//

#include "frontend/ModelTree.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::dtc {

const ModelNode *ModelNode::find(llvm::StringRef name) const {
  for (const ModelMember &member : members)
    if (member.name == name)
      return &member.value;
  return nullptr;
}

ModelNode *ModelNode::find(llvm::StringRef name) {
  return const_cast<ModelNode *>(
      static_cast<const ModelNode *>(this)->find(name));
}

llvm::StringRef ModelNode::describeKind() const {
  switch (kind) {
  case Kind::Null:
    return "null";
  case Kind::Bool:
    return "true or false";
  case Kind::Number:
    return "a number";
  case Kind::String:
    return "a string";
  case Kind::Array:
    return "a list";
  case Kind::Object:
    return "an object";
  }
  return "a value";
}

std::string ModelDocument::where(SourcePosition position) const {
  if (position.line < 0)
    return "--set " + settings[-position.line - 1];
  if (position.line == 0)
    return file;
  return file + ":" + std::to_string(position.line) + ":" +
         std::to_string(position.column);
}

llvm::Error ModelDocument::error(SourcePosition position,
                                 const llvm::Twine &text,
                                 llvm::StringRef code) const {
  return makeModelError(where(position), text, code);
}

llvm::Error makeModelError(const llvm::Twine &where, const llvm::Twine &text,
                           llvm::StringRef code) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 where + ": error: " + text + " [" + code +
                                     "]");
}

std::string quoteJson(llvm::StringRef text) {
  std::string quoted;
  llvm::raw_string_ostream(quoted)
      << llvm::json::Value(llvm::json::fixUTF8(text));
  return quoted;
}

static bool isFlat(const ModelNode &node) {
  for (const ModelNode &element : node.elements)
    if (!element.elements.empty() || !element.members.empty())
      return false;
  return true;
}

static void print(const ModelNode &node, unsigned indent, std::string &out) {
  const char *separator = "";
  switch (node.kind) {
  case ModelNode::Kind::Null:
    out += "null";
    return;
  case ModelNode::Kind::Bool:
  case ModelNode::Kind::Number:
    out += node.text;
    return;
  case ModelNode::Kind::String:
    out += quoteJson(node.text);
    return;
  case ModelNode::Kind::Array: {
    bool oneLine = isFlat(node);
    std::string line = "\n" + std::string(indent + 2, ' ');
    out += "[";
    for (const ModelNode &element : node.elements) {
      out += separator;
      out += oneLine ? "" : line;
      print(element, indent + 2, out);
      separator = oneLine ? ", " : ",";
    }
    out += oneLine ? "]" : "\n" + std::string(indent, ' ') + "]";
    return;
  }
  case ModelNode::Kind::Object:
    out += "{";
    for (const ModelMember &member : node.members) {
      out += separator;
      out +=
          "\n" + std::string(indent + 2, ' ') + quoteJson(member.name) + ": ";
      print(member.value, indent + 2, out);
      separator = ",";
    }
    out += "\n" + std::string(indent, ' ') + "}";
    return;
  }
}

std::string printModelTree(const ModelNode &node) {
  std::string text;
  print(node, 0, text);
  return text + "\n";
}

} // namespace mlir::dtc
