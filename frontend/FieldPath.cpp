//===- FieldPath.cpp - Change one field of a model by its path
//-------------===//
//
// Walks tree and schema side by side: the tree says which elements a list has,
// the schema which fields a table may have and so which can be added.
//
//===----------------------------------------------------------------------===//

#include "frontend/FieldPath.h"

#include "frontend/ModelText.h"
#include "frontend/NearestName.h"

#include "llvm/ADT/StringExtras.h"

namespace mlir::dtc {
namespace {

using flatbuffers::FieldDef;
using flatbuffers::StructDef;

/// Returns what an element of a list is called: its name, or a group's pattern.
llvm::StringRef nameElement(const ModelNode &element) {
  for (const char *key : {"name", "match", "input"})
    if (const ModelNode *name = element.find(key))
      return name->text;
  return "";
}

/// Takes the next component of a path of fields: `plan` of `plan.dp`.
llvm::StringRef takeField(llvm::StringRef &path) {
  size_t end = path.find_first_of(".[");
  llvm::StringRef field = path.take_front(end);
  path = path.drop_front(field.size());
  path.consume_front(".");
  return field;
}

/// True if `path` starts with the whole component `name`.
bool startsWithComponent(llvm::StringRef path, llvm::StringRef name) {
  return !name.empty() && path.starts_with(name) &&
         (path.size() == name.size() || path[name.size()] == '.');
}

/// One `--set` on its way through tree and schema.
class PathWalk {
public:
  PathWalk(ModelDocument &document, size_t index)
      : document(document), position{-static_cast<int64_t>(index) - 1, 0} {}

  llvm::Error apply(const StructDef &root) {
    llvm::StringRef setting = document.settings[-position.line - 1];
    if (!setting.contains('='))
      return fail("expected path=value");
    std::tie(path, value) = setting.split('=');
    return enterTable(document.root, root, "model");
  }

private:
  llvm::Error fail(const llvm::Twine &text) const {
    return document.error(position, text);
  }

  llvm::Error enterTable(ModelNode &node, const StructDef &table,
                         const std::string &label);
  llvm::Error enterField(ModelNode &place, const FieldDef &field,
                         const std::string &label);
  llvm::Error enterList(ModelNode &list, const StructDef &element,
                        const std::string &label);
  llvm::Error assign(ModelNode &place, bool isText, const std::string &label);

  /// Returns the member `name` of `node`, made where it is absent.
  ModelNode &getOrMake(ModelNode &node, llvm::StringRef name) {
    if (node.kind != ModelNode::Kind::Object) {
      node = ModelNode();
      node.kind = ModelNode::Kind::Object;
      node.position = position;
    }
    if (ModelNode *found = node.find(name))
      return *found;
    node.members.push_back({name.str(), position, {}});
    node.members.back().value.position = position;
    return node.members.back().value;
  }

  /// Returns the value of the entry called `key` in a vector of `entries`
  /// written as a list.
  ModelNode &getOrMakeEntry(ModelNode &list, const FieldDef &entries,
                            llvm::StringRef key) {
    const auto &fields = entries.value.type.struct_def->fields.vec;
    for (ModelNode &element : list.elements)
      if (ModelNode *name = element.find(fields[0]->name);
          name && name->text == key)
        return getOrMake(element, fields[1]->name);
    ModelNode &added = list.elements.emplace_back();
    ModelNode &name = getOrMake(added, fields[0]->name);
    name.kind = ModelNode::Kind::String;
    name.text = key.str();
    return getOrMake(added, fields[1]->name);
  }

  ModelDocument &document;
  SourcePosition position;
  llvm::StringRef path;
  llvm::StringRef value;
};

llvm::Error PathWalk::assign(ModelNode &place, bool isText,
                             const std::string &label) {
  if (!path.empty())
    return fail(label + " has no parts, found \"" + path + "\" behind it");
  if (isText && !value.starts_with("\"")) {
    place = ModelNode();
    place.kind = ModelNode::Kind::String;
    place.position = position;
    place.text = value.str();
    return llvm::Error::success();
  }
  llvm::Expected<ModelNode> parsed = parseModelValue(value, document, position);
  if (!parsed)
    return parsed.takeError();
  place = std::move(*parsed);
  return llvm::Error::success();
}

/// Goes to the element of `list` that `path` names.
llvm::Error PathWalk::enterList(ModelNode &list, const StructDef &element,
                                const std::string &label) {
  std::vector<ModelNode *> elements;
  std::vector<std::string> names;
  for (ModelNode &node : list.elements) {
    elements.push_back(&node);
    names.push_back(nameElement(node).str());
  }
  for (ModelMember &member : list.members) {
    elements.push_back(&member.value);
    names.push_back(member.name);
  }

  bool inBrackets = path.consume_front("[");
  llvm::StringRef index = path.take_while(llvm::isDigit);
  size_t number = 0;
  if (!index.empty() && !index.getAsInteger(10, number) &&
      (inBrackets ? path.drop_front(index.size()).starts_with("]")
                  : startsWithComponent(path, index))) {
    path = path.drop_front(index.size() + inBrackets);
    path.consume_front(".");
    if (number >= elements.size())
      return fail(label + " has " + llvm::Twine(elements.size()) +
                  " elements, found index " + index);
    return enterTable(*elements[number], element,
                      label + "[" + index.str() + "]");
  }

  size_t best = elements.size();
  for (size_t i = 0; i < names.size(); ++i)
    if (startsWithComponent(path, names[i]) &&
        (best == elements.size() || names[i].size() > names[best].size()))
      best = i;
  if (best == elements.size()) {
    llvm::StringRef written = path.take_until([](char c) { return c == '.'; });
    return fail(label + " has no element \"" + written + "\"" +
                suggestName(written, names));
  }
  path = path.drop_front(names[best].size());
  path.consume_front(".");
  return enterTable(*elements[best], element, label + "." + names[best]);
}

llvm::Error PathWalk::enterField(ModelNode &place, const FieldDef &field,
                                 const std::string &label) {
  const flatbuffers::Type &type = field.value.type;
  if (type.base_type == flatbuffers::BASE_TYPE_STRUCT && !path.empty())
    return enterTable(place, *type.struct_def, label);
  if (type.base_type == flatbuffers::BASE_TYPE_VECTOR && type.struct_def &&
      !path.empty())
    return enterList(place, *type.struct_def, label);
  bool isText =
      type.base_type == flatbuffers::BASE_TYPE_STRING || type.enum_def;
  return assign(place, isText, label);
}

llvm::Error PathWalk::enterTable(ModelNode &node, const StructDef &table,
                                 const std::string &label) {
  if (path.empty())
    return assign(node, /*isText=*/false, label);
  llvm::StringRef whole = path;
  llvm::StringRef name = takeField(path);
  if (const FieldDef *field = table.fields.Lookup(name.str()))
    return enterField(getOrMake(node, name), *field, label + "." + name.str());
  const FieldDef *entries = findEntriesField(table);
  if (entries && !whole.contains('[')) {
    // The rest of the path is the entry's name, dots and all.
    path = "";
    ModelNode *list = node.find(entries->name);
    return assign(list ? getOrMakeEntry(*list, *entries, whole)
                       : getOrMake(node, whole),
                  /*isText=*/true, label);
  }
  return fail(label + " has no field \"" + name + "\"" +
              suggestName(name, getFieldNames(table)));
}

} // namespace

llvm::Error applySetting(const ModelSchema &schema, ModelDocument &document,
                         size_t index) {
  return PathWalk(document, index).apply(schema.rootTable());
}

SourcePosition findPosition(const ModelNode &root, llvm::StringRef path) {
  const ModelNode *node = &root;
  SourcePosition position = root.position;
  while (!path.empty()) {
    if (path.consume_front("[")) {
      size_t index = 0;
      if (path.consumeInteger(10, index))
        return position;
      path.consume_front("]");
      path.consume_front(".");
      if (index < node->elements.size()) {
        node = &node->elements[index];
        position = node->position;
      } else if (index < node->members.size()) {
        position = node->members[index].position;
        node = &node->members[index].value;
      } else {
        return position;
      }
      continue;
    }
    llvm::StringRef name = takeField(path);
    bool found = false;
    for (const ModelMember &member : node->members)
      if (member.name == name) {
        position = member.position;
        node = &member.value;
        found = true;
        break;
      }
    if (!found)
      return position;
  }
  return position;
}

} // namespace mlir::dtc
