//===- FieldPath.h - Change one field of a model by its path --*- C++ -*-===//
//
// `--set path=value` reaches every field of a model file without another copy
// of the file: a sweep over rates or plans is a shell loop.
//
//===--------------------------------------------------------------------===//

#ifndef DTC_FRONTEND_FIELDPATH_H
#define DTC_FRONTEND_FIELDPATH_H

#include "frontend/ModelSchema.h"

namespace mlir::dtc {

/// Applies `document.settings[index]`, a `path=value`, to `document.root`.
///
/// A path is field names joined by dots: `plan.dp=2`. An element of a list is
/// named by its index or by its name (a group by its `match`):
/// `layers[0].width=64`, `layers.0.width=64`, `layers.fc1.width=64`. Tables
/// that are absent are made; elements of lists are not. A string or a name of
/// an enum is written without quotes.
///
/// Errors:  `--set path=value: error: …` for a path that names no field, with
///          the nearest that does. Whether the value fits the field is for
///          ModelSchema::encode to say.
llvm::Error applySetting(const ModelSchema &schema, ModelDocument &document,
                         size_t index);

/// Returns where the node at `path` (as in `layers[2].layers[0]`) was written,
/// or where the innermost node on the way to it was.
SourcePosition findPosition(const ModelNode &root, llvm::StringRef path);

} // namespace mlir::dtc

#endif // DTC_FRONTEND_FIELDPATH_H
