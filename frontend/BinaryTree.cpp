//===- BinaryTree.cpp - A binary model as a tree
//---------------------------===//
//
// FlatBuffers can print a buffer as text, but rounds numbers to twelve digits;
// a rate or a pixel scale must survive the way through a file bit for bit.
//
//===----------------------------------------------------------------------===//

#include "frontend/BinaryTree.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::dtc {

using flatbuffers::FieldDef;
using flatbuffers::StructDef;
using flatbuffers::Type;

std::string spellEnumValue(llvm::StringRef written) {
  if (written == "1f1b")
    return "one_f_one_b";
  if (written == "zero-bubble")
    return "zero_bubble";
  return written.str();
}

std::string printEnumValue(llvm::StringRef name) {
  if (name == "one_f_one_b")
    return "1f1b";
  if (name == "zero_bubble")
    return "zero-bubble";
  return name.str();
}

namespace {

template <typename T>
std::string readInteger(const flatbuffers::Table &table,
                        const FieldDef &field) {
  return std::to_string(table.GetField<T>(field.value.offset, T()));
}

std::string printDouble(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.17g", value);
  return text;
}

ModelNode makeScalar(const FieldDef &field, std::string text) {
  ModelNode node;
  const Type &type = field.value.type;
  node.kind = ModelNode::Kind::Number;
  node.text = std::move(text);
  if (type.enum_def) {
    int64_t number = 0;
    llvm::StringRef(node.text).getAsInteger(10, number);
    if (const auto *value = type.enum_def->ReverseLookup(number)) {
      node.kind = ModelNode::Kind::String;
      node.text = printEnumValue(value->name);
    }
  } else if (type.base_type == flatbuffers::BASE_TYPE_BOOL) {
    node.kind = ModelNode::Kind::Bool;
    node.text = node.text == "0" ? "false" : "true";
  }
  return node;
}

ModelNode makeString(const flatbuffers::String &text) {
  ModelNode node;
  node.kind = ModelNode::Kind::String;
  node.text = text.str();
  return node;
}

ModelNode readVector(const flatbuffers::Table &table, const FieldDef &field) {
  ModelNode node;
  node.kind = ModelNode::Kind::Array;
  auto add = [&](const auto &values, auto print) {
    for (auto value : values) {
      ModelNode &element = node.elements.emplace_back();
      element.kind = ModelNode::Kind::Number;
      element.text = print(value);
    }
  };
  auto offset = field.value.offset;
  switch (field.value.type.element) {
  case flatbuffers::BASE_TYPE_DOUBLE:
    add(*table.GetPointer<const flatbuffers::Vector<double> *>(offset),
        printDouble);
    break;
  case flatbuffers::BASE_TYPE_LONG:
    add(*table.GetPointer<const flatbuffers::Vector<int64_t> *>(offset),
        [](int64_t value) { return std::to_string(value); });
    break;
  default:
    assert(field.value.type.element == flatbuffers::BASE_TYPE_STRUCT &&
           "the schema has vectors of double, long and tables");
    for (const flatbuffers::Table *element :
         *table.GetPointer<const flatbuffers::Vector<
              flatbuffers::Offset<flatbuffers::Table>> *>(offset))
      node.elements.push_back(
          readBinaryTree(*element, *field.value.type.struct_def));
  }
  return node;
}

ModelNode readField(const flatbuffers::Table &table, const FieldDef &field) {
  auto offset = field.value.offset;
  switch (field.value.type.base_type) {
  case flatbuffers::BASE_TYPE_STRING:
    return makeString(*table.GetPointer<const flatbuffers::String *>(offset));
  case flatbuffers::BASE_TYPE_STRUCT:
    return readBinaryTree(*table.GetPointer<const flatbuffers::Table *>(offset),
                          *field.value.type.struct_def);
  case flatbuffers::BASE_TYPE_VECTOR:
    return readVector(table, field);
  case flatbuffers::BASE_TYPE_DOUBLE:
    return makeScalar(field, printDouble(table.GetField<double>(offset, 0)));
  case flatbuffers::BASE_TYPE_ULONG:
    return makeScalar(field, readInteger<uint64_t>(table, field));
  case flatbuffers::BASE_TYPE_LONG:
    return makeScalar(field, readInteger<int64_t>(table, field));
  case flatbuffers::BASE_TYPE_INT:
    return makeScalar(field, readInteger<int32_t>(table, field));
  default:
    assert(flatbuffers::SizeOf(field.value.type.base_type) == 1 &&
           "the schema's other scalars are bools and enums of a byte");
    return makeScalar(field, readInteger<int8_t>(table, field));
  }
}

} // namespace

ModelNode readBinaryTree(const flatbuffers::Table &table,
                         const StructDef &def) {
  ModelNode node;
  node.kind = ModelNode::Kind::Object;
  for (const FieldDef *field : def.fields.vec)
    if (table.CheckField(field->value.offset))
      node.members.push_back({field->name, {}, readField(table, *field)});
  return node;
}

} // namespace mlir::dtc
