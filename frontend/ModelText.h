//===- ModelText.h - The commented JSON form of a model -------*- C++ -*-===//
//
// Reads text into a tree that knows line and column of each value.
//
//===--------------------------------------------------------------------===//

#ifndef DTC_FRONTEND_MODELTEXT_H
#define DTC_FRONTEND_MODELTEXT_H

#include "frontend/ModelTree.h"

namespace mlir::dtc {

/// Deepest nesting of brackets that is read.
inline constexpr unsigned kMaxTextNesting = 48;

/// Reads JSON with comments (`//`, `/* */`) from `text` into `document.root`.
///
/// Errors:  `file:line:column: error: …` for what is no JSON (NaN and
/// infinities
///          are none), a repeated key, text after the end, brackets nested
///          deeper than kMaxTextNesting.
llvm::Error parseModelText(llvm::StringRef text, ModelDocument &document);

/// Reads one JSON value from `text`, all of it at `position` (a `--set`).
llvm::Expected<ModelNode> parseModelValue(llvm::StringRef text,
                                          const ModelDocument &document,
                                          SourcePosition position);

} // namespace mlir::dtc

#endif // DTC_FRONTEND_MODELTEXT_H
