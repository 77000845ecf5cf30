//===- BinaryTree.h - A binary model as a tree ----------------*- C++ -*-===//
//
// Reads any table of the schema into the tree that text gives too, so that both
// forms of a model are held to the schema by the same code.
//
//===--------------------------------------------------------------------===//

#ifndef DTC_FRONTEND_BINARYTREE_H
#define DTC_FRONTEND_BINARYTREE_H

#include "frontend/ModelTree.h"

#include "flatbuffers/idl.h"

namespace mlir::dtc {

/// Returns the tree of `table`, which is verified and laid out as `def` says.
/// Fields that hold their default are absent; an enum's value out of range
/// stays a number.
ModelNode readBinaryTree(const flatbuffers::Table &table,
                         const flatbuffers::StructDef &def);

/// Returns the schema's name for an enum's value written in text, where the
/// text can't be an identifier of the schema ("1f1b").
std::string spellEnumValue(llvm::StringRef written);

/// Returns how text writes the enum value that the schema calls `name`.
std::string printEnumValue(llvm::StringRef name);

} // namespace mlir::dtc

#endif // DTC_FRONTEND_BINARYTREE_H
