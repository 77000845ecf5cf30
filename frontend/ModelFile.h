//===- ModelFile.h - A model as read from a file --------------*- C++ -*-===//
//
// The one way into the compiler: tells the forms of a model file apart by their
// content, applies `--set`, and gives a model that is held to the schema. What
// the model means is looked at later (ModelGraph.h, PlanCheck.h).
//
//===--------------------------------------------------------------------===//

#ifndef DTC_FRONTEND_MODELFILE_H
#define DTC_FRONTEND_MODELFILE_H

#include "frontend/ModelSchema.h"
#include "frontend/schema/model_generated.h"

namespace mlir::dtc {

class ModelFile {
public:
  /// Reads the model at `path` (`-`: standard input), binary or text, and
  /// applies `settings` (each `path=value`, FieldPath.h).
  ///
  /// Errors:  `where: error: …`; a directory, an empty, damaged, truncated or
  ///          foreign file and a FlatBuffers schema are each called that.
  static llvm::Expected<ModelFile>
  read(llvm::StringRef path, llvm::ArrayRef<std::string> settings = {});

  /// The same for `content`, called `name` in messages.
  static llvm::Expected<ModelFile>
  parse(llvm::StringRef content, llvm::StringRef name,
        llvm::ArrayRef<std::string> settings = {});

  /// The model, settings applied.
  const ::dtc::model::Model &model() const;

  /// Its binary form, size-prefixed.
  llvm::ArrayRef<uint8_t> bytes() const { return binary; }

  /// Its text form.
  std::string text() const { return printModelTree(document.root); }

  llvm::StringRef name() const { return document.file; }

  /// Returns `path` as an absolute path; a relative one starts from the folder
  /// of the model file.
  std::string resolvePath(llvm::StringRef path) const;

  /// Makes the error `where: error: text [code]`, at what `path` (as in
  /// `layers[2]`) names.
  llvm::Error error(llvm::StringRef path, const llvm::Twine &text,
                    llvm::StringRef code = kModelGraphCode) const;

  /// Returns line and column of what `path` names; line 0 in binary files.
  SourcePosition position(llvm::StringRef path) const;

private:
  ModelDocument document;
  std::vector<uint8_t> binary;
};

} // namespace mlir::dtc

#endif // DTC_FRONTEND_MODELFILE_H
