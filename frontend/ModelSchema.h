//===- ModelSchema.h - What a model may say -------------------*- C++ -*-===//
//
// Holds a tree to frontend/schema/model.fbs and turns it into the binary form,
// and back. Knows the schema only through its text, so a new field needs no
// line here.
//
//===--------------------------------------------------------------------===//

#ifndef DTC_FRONTEND_MODELSCHEMA_H
#define DTC_FRONTEND_MODELSCHEMA_H

#include "frontend/ModelTree.h"

#include "flatbuffers/idl.h"

#include "llvm/ADT/ArrayRef.h"

#include <memory>

namespace mlir::dtc {

class ModelSchema {
public:
  ModelSchema();

  /// Returns the size-prefixed binary form of `document`.
  ///
  /// Errors:  unknown field or kind with the nearest known one, a value of
  ///          another type, a missing field, a field that `kind` has no use
  ///          for; each with its place.
  llvm::Expected<std::vector<uint8_t>>
  encode(const ModelDocument &document) const;

  /// Returns the tree of `model`, a verified binary model behind its size
  /// prefix. What the verifier does not look at (enums out of range, text that
  /// is no UTF-8) is still in the tree and is refused by `encode`.
  ModelNode decode(const uint8_t *model) const;

  /// Returns the table of a whole model.
  const flatbuffers::StructDef &rootTable() const;

private:
  std::unique_ptr<flatbuffers::Parser> parser;
};

/// Returns the fields of `table` by name.
std::vector<std::string> getFieldNames(const flatbuffers::StructDef &table);

/// Returns the field of `table` whose vector takes names that are no field
/// (attribute `entries`), null where there is none.
const flatbuffers::FieldDef *
findEntriesField(const flatbuffers::StructDef &table);

/// True for a vector of tables that may be written as an object (`named`).
bool isNamedVector(const flatbuffers::FieldDef &field);

} // namespace mlir::dtc

#endif // DTC_FRONTEND_MODELSCHEMA_H
