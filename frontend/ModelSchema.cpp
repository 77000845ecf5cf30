//===- ModelSchema.cpp - What a model may say
//------------------------------===//
//
// FlatBuffers' own JSON reader builds the binary form, but its messages know
// neither the nearest name nor which layer is meant. So the tree is first held
// to the schema here, table by table, and handed on in the reader's own form:
// objects for `named` and `entries` vectors unfolded, enums as numbers.
//
//===----------------------------------------------------------------------===//

#include "frontend/ModelSchema.h"

#include "frontend/BinaryTree.h"
#include "frontend/NearestName.h"
#include "frontend/schema/model_fbs.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include <cmath>

namespace mlir::dtc {

using flatbuffers::BaseType;
using flatbuffers::EnumDef;
using flatbuffers::FieldDef;
using flatbuffers::StructDef;
using flatbuffers::Type;

std::vector<std::string> getFieldNames(const StructDef &table) {
  std::vector<std::string> names;
  for (const FieldDef *field : table.fields.vec)
    names.push_back(field->name);
  return names;
}

const FieldDef *findEntriesField(const StructDef &table) {
  for (const FieldDef *field : table.fields.vec)
    if (field->attributes.Lookup("entries"))
      return field;
  return nullptr;
}

bool isNamedVector(const FieldDef &field) {
  return field.attributes.Lookup("named");
}

namespace {

std::vector<std::string> getEnumNames(const EnumDef &values) {
  std::vector<std::string> names;
  for (const flatbuffers::EnumVal *value : values.Vals())
    names.push_back(printEnumValue(value->name));
  return names;
}

/// Writes a tree as JSON of the schema and stops at the first fault.
class TreeWriter {
public:
  explicit TreeWriter(const ModelDocument &document) : document(document) {}

  llvm::Error writeTable(const ModelNode &node, const StructDef &table,
                         const std::string &label, llvm::StringRef givenName);

  std::string json;

private:
  llvm::Error writeField(const ModelMember &member, const FieldDef &field,
                         const std::string &label);
  llvm::Error writeValue(const ModelNode &node, const Type &type,
                         const std::string &label);
  llvm::Error writeVector(const ModelNode &node, const FieldDef &field,
                          const std::string &label);
  llvm::Error writeEnum(const ModelNode &node, const EnumDef &values,
                        const std::string &label);
  llvm::Error writeNumber(const ModelNode &node, BaseType type,
                          const std::string &label);
  llvm::Error writeEntries(llvm::ArrayRef<const ModelMember *> entries,
                           const FieldDef &field, const std::string &label);
  llvm::Error checkKind(const ModelNode &node, const StructDef &table,
                        const std::string &label);

  llvm::Error expected(const ModelNode &node, const std::string &label,
                       const llvm::Twine &what) {
    std::string found = node.describeKind().str();
    if (node.kind == ModelNode::Kind::Number ||
        node.kind == ModelNode::Kind::Bool)
      found = node.text;
    else if (node.kind == ModelNode::Kind::String)
      found = "\"" + node.text + "\"";
    return document.error(node.position,
                          label + ": expected " + what + ", found " + found);
  }

  const ModelDocument &document;
};

/// `layer "fc1"` for a table with a name, `optimizer` for others.
std::string labelTable(const ModelNode &node, const StructDef &table,
                       const std::string &outer, llvm::StringRef givenName) {
  llvm::StringRef name = givenName;
  for (const char *key : {"name", "match"})
    if (const ModelNode *found = node.find(key);
        name.empty() && found && table.fields.Lookup(key))
      name = found->text;
  if (name.empty() || outer.empty())
    return outer.empty() ? "model" : outer;
  return llvm::StringRef(table.name).lower() + " \"" + name.str() + "\"";
}

bool listsWord(llvm::StringRef words, llvm::StringRef word) {
  llvm::SmallVector<llvm::StringRef> parts;
  words.split(parts, ' ');
  return llvm::is_contained(parts, word);
}

/// Refuses a missing `kind`, and fields that the kind has no use for.
llvm::Error TreeWriter::checkKind(const ModelNode &node, const StructDef &table,
                                  const std::string &label) {
  const FieldDef *kindField = table.fields.Lookup("kind");
  if (!kindField)
    return llvm::Error::success();
  std::vector<std::string> kinds =
      getEnumNames(*kindField->value.type.enum_def);
  const ModelNode *kind = node.find("kind");
  if (!kind)
    return document.error(node.position,
                          label + ": kind is missing; expected one of " +
                              joinNames(kinds));
  if (kind->kind != ModelNode::Kind::String ||
      !llvm::is_contained(kinds, kind->text))
    return document.error(kind->position, label + ": unknown kind \"" +
                                              kind->text + "\"" +
                                              suggestName(kind->text, kinds));
  for (const ModelMember &member : node.members) {
    const FieldDef *field = table.fields.Lookup(member.name);
    auto *users = field ? field->attributes.Lookup("kinds") : nullptr;
    if (users && !listsWord(users->constant, kind->text))
      return document.error(
          member.position, label + ": kind " + kind->text + " has no " +
                               member.name + "; a field of " + users->constant);
  }
  return llvm::Error::success();
}

llvm::Error TreeWriter::writeEnum(const ModelNode &node, const EnumDef &values,
                                  const std::string &label) {
  std::vector<std::string> names = getEnumNames(values);
  if (node.kind != ModelNode::Kind::String)
    return expected(node, label, "one of " + joinNames(names));
  const auto *value = values.Lookup(spellEnumValue(node.text));
  if (!value || !llvm::is_contained(names, node.text))
    return document.error(node.position, label + ": unknown value \"" +
                                             node.text + "\"" +
                                             suggestName(node.text, names));
  json += std::to_string(value->GetAsInt64());
  return llvm::Error::success();
}

llvm::Error TreeWriter::writeNumber(const ModelNode &node, BaseType type,
                                    const std::string &label) {
  bool isFloat = flatbuffers::IsFloat(type);
  if (node.kind != ModelNode::Kind::Number)
    return expected(node, label, isFloat ? "a number" : "an integer");
  if (isFloat) {
    double value = 0;
    if (llvm::StringRef(node.text).getAsDouble(value) || !std::isfinite(value))
      return expected(node, label, "a finite number");
    json += node.text;
    return llvm::Error::success();
  }
  int64_t value = 0;
  uint64_t large = 0;
  llvm::StringRef text = node.text;
  if (type == flatbuffers::BASE_TYPE_ULONG ? text.getAsInteger(10, large)
                                           : text.getAsInteger(10, value))
    return expected(node, label,
                    type == flatbuffers::BASE_TYPE_ULONG
                        ? "an integer from 0 to 18446744073709551615"
                        : "an integer of 64 bits");
  if (type == flatbuffers::BASE_TYPE_INT &&
      value != static_cast<int32_t>(value))
    return expected(node, label, "an integer of 32 bits");
  json += node.text;
  return llvm::Error::success();
}

llvm::Error TreeWriter::writeValue(const ModelNode &node, const Type &type,
                                   const std::string &label) {
  if (type.enum_def)
    return writeEnum(node, *type.enum_def, label);
  switch (type.base_type) {
  case flatbuffers::BASE_TYPE_STRING:
    if (node.kind != ModelNode::Kind::String)
      return expected(node, label, "a string");
    if (!llvm::json::isUTF8(node.text))
      return document.error(node.position,
                            label + ": expected text in UTF-8, found bytes " +
                                llvm::toHex(node.text));
    json += quoteJson(node.text);
    return llvm::Error::success();
  case flatbuffers::BASE_TYPE_STRUCT:
    return writeTable(node, *type.struct_def, label, "");
  case flatbuffers::BASE_TYPE_BOOL:
    if (node.kind != ModelNode::Kind::Bool)
      return expected(node, label, "true or false");
    json += node.text;
    return llvm::Error::success();
  default:
    return writeNumber(node, type.base_type, label);
  }
}

llvm::Error TreeWriter::writeVector(const ModelNode &node,
                                    const FieldDef &field,
                                    const std::string &label) {
  Type element = field.value.type.VectorType();
  bool asObject = node.kind == ModelNode::Kind::Object && isNamedVector(field);
  if (node.kind != ModelNode::Kind::Array && !asObject)
    return expected(node, label,
                    isNamedVector(field) ? "an object or a list" : "a list");
  json += "[";
  const char *separator = "";
  for (size_t i = 0; i < node.elements.size(); ++i) {
    json += separator;
    separator = ",";
    if (llvm::Error error = writeValue(node.elements[i], element,
                                       label + "[" + std::to_string(i) + "]"))
      return error;
  }
  for (const ModelMember &member : node.members) {
    json += separator;
    separator = ",";
    if (llvm::Error error = writeTable(member.value, *element.struct_def,
                                       label + "." + member.name, member.name))
      return error;
  }
  json += "]";
  return llvm::Error::success();
}

/// Writes members that are no field as entries: first field, second field.
llvm::Error
TreeWriter::writeEntries(llvm::ArrayRef<const ModelMember *> entries,
                         const FieldDef &field, const std::string &label) {
  const StructDef &table = *field.value.type.struct_def;
  json += quoteJson(field.name) + ":[";
  const char *separator = "";
  for (const ModelMember *entry : entries) {
    json += separator;
    separator = ",";
    json += "{" + quoteJson(table.fields.vec[0]->name) + ":" +
            quoteJson(entry->name) + "," +
            quoteJson(table.fields.vec[1]->name) + ":";
    if (llvm::Error error =
            writeValue(entry->value, table.fields.vec[1]->value.type,
                       label + "." + entry->name))
      return error;
    json += "}";
  }
  json += "]";
  return llvm::Error::success();
}

llvm::Error TreeWriter::writeField(const ModelMember &member,
                                   const FieldDef &field,
                                   const std::string &label) {
  std::string path = label == "model"      ? member.name
                     : label.back() == '"' ? label + ": " + member.name
                                           : label + "." + member.name;
  json += quoteJson(field.name) + ":";
  if (field.value.type.base_type == flatbuffers::BASE_TYPE_VECTOR)
    return writeVector(member.value, field, path);
  return writeValue(member.value, field.value.type, path);
}

llvm::Error TreeWriter::writeTable(const ModelNode &node,
                                   const StructDef &table,
                                   const std::string &outer,
                                   llvm::StringRef givenName) {
  std::string label = labelTable(node, table, outer, givenName);
  if (node.kind != ModelNode::Kind::Object)
    return expected(node, label, "an object");
  if (llvm::Error error = checkKind(node, table, label))
    return error;

  const char *separator = "";
  json += "{";
  if (!givenName.empty()) {
    json += "\"name\":" + quoteJson(givenName);
    separator = ",";
  }
  const FieldDef *entriesField = findEntriesField(table);
  std::vector<const ModelMember *> entries;
  for (const ModelMember &member : node.members) {
    const FieldDef *field = table.fields.Lookup(member.name);
    if (!field && entriesField && !node.find(entriesField->name)) {
      entries.push_back(&member);
      continue;
    }
    if (!field || (!givenName.empty() && member.name == "name"))
      return document.error(member.position,
                            label + ": unknown field \"" + member.name + "\"" +
                                suggestName(member.name, getFieldNames(table)));
    if (member.value.kind == ModelNode::Kind::Null)
      continue;
    json += separator;
    separator = ",";
    if (llvm::Error error = writeField(member, *field, label))
      return error;
  }
  if (!entries.empty()) {
    json += separator;
    if (llvm::Error error = writeEntries(entries, *entriesField, label))
      return error;
  }
  json += "}";

  for (const FieldDef *field : table.fields.vec)
    if (field->IsRequired() && !node.find(field->name) &&
        !(field->name == "name" && !givenName.empty()))
      return document.error(node.position,
                            label + ": " + field->name + " is missing");
  return llvm::Error::success();
}

} // namespace

//===----------------------------------------------------------------------===//
// ModelSchema
//===----------------------------------------------------------------------===//

ModelSchema::ModelSchema() : parser(std::make_unique<flatbuffers::Parser>()) {
  parser->opts.size_prefixed = true;
  [[maybe_unused]] bool parsed = parser->Parse(model_fbs);
  assert(parsed && "model.fbs was compiled by flatc before");
}

const StructDef &ModelSchema::rootTable() const {
  return *parser->root_struct_def_;
}

llvm::Expected<std::vector<uint8_t>>
ModelSchema::encode(const ModelDocument &document) const {
  TreeWriter writer(document);
  if (llvm::Error error = writer.writeTable(document.root, rootTable(), "", ""))
    return std::move(error);
  if (!parser->ParseJson(writer.json.c_str()))
    return makeModelError(document.file, parser->error_, kModelFieldCode);
  const flatbuffers::FlatBufferBuilder &builder = parser->builder_;
  return std::vector<uint8_t>(builder.GetBufferPointer(),
                              builder.GetBufferPointer() + builder.GetSize());
}

ModelNode ModelSchema::decode(const uint8_t *model) const {
  return readBinaryTree(*flatbuffers::GetRoot<flatbuffers::Table>(model),
                        rootTable());
}

} // namespace mlir::dtc
