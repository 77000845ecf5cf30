//===- ModelTree.h - A model as a tree of named values --------*- C++ -*-===//
//
// Both forms of a model file, and the changes made by `--set`, meet in one
// tree, so that each is held to the schema by the same code. A node knows where
// it was written, because an error that can't be found costs the user more than
// the error.
//
//===--------------------------------------------------------------------===//

#ifndef DTC_FRONTEND_MODELTREE_H
#define DTC_FRONTEND_MODELTREE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mlir::dtc {

/// Codes of errors about models; the runtime's page of errors explains each.
inline constexpr llvm::StringLiteral kModelFileCode = "DTC-MODEL-FILE";
inline constexpr llvm::StringLiteral kModelTextCode = "DTC-MODEL-TEXT";
inline constexpr llvm::StringLiteral kModelFieldCode = "DTC-MODEL-FIELD";
inline constexpr llvm::StringLiteral kModelGraphCode = "DTC-MODEL-GRAPH";
inline constexpr llvm::StringLiteral kModelSettingCode = "DTC-MODEL-SETTING";

/// Where a node was written. Line 0: in a binary file, which has no lines; line
/// -k: in the k-th `--set`.
struct SourcePosition {
  int64_t line = 0;
  int64_t column = 0;
};

struct ModelMember;

/// A value of the tree.
struct ModelNode {
  enum class Kind { Null, Bool, Number, String, Array, Object };

  Kind kind = Kind::Null;
  SourcePosition position;
  /// A number or bool as written, or the characters of a string.
  std::string text;
  std::vector<ModelNode> elements;  ///< Array
  std::vector<ModelMember> members; ///< Object, in the order written

  /// Returns the member called `name`, null where there is none.
  ModelNode *find(llvm::StringRef name);
  const ModelNode *find(llvm::StringRef name) const;

  /// Returns the node's kind as a user says it: "a number", "an object".
  llvm::StringRef describeKind() const;
};

/// A named value of an object; `position` is that of the name.
struct ModelMember {
  std::string name;
  SourcePosition position;
  ModelNode value;
};

/// A tree and the names of what it was read from.
struct ModelDocument {
  std::string file;
  std::vector<std::string> settings; ///< the `--set` arguments, in order
  ModelNode root;

  /// Returns `file:line:column`, `file` or `--set …`.
  std::string where(SourcePosition position) const;

  /// Makes the error `where: error: text [code]`.
  llvm::Error error(SourcePosition position, const llvm::Twine &text,
                    llvm::StringRef code = kModelFieldCode) const;
};

/// Makes the error `where: error: text [code]`.
llvm::Error makeModelError(const llvm::Twine &where, const llvm::Twine &text,
                           llvm::StringRef code);

/// Returns `text` as a JSON string, quotes included.
std::string quoteJson(llvm::StringRef text);

/// Prints `node` as indented JSON.
std::string printModelTree(const ModelNode &node);

} // namespace mlir::dtc

#endif // DTC_FRONTEND_MODELTREE_H
