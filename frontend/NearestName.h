//===- NearestName.h - Which known name was meant -------------*- C++ -*-===//
//
// A misspelt field, layer or kind is the most frequent mistake in a model file.
// Every message about an unknown name ends with the known one nearest to it.
//
//===--------------------------------------------------------------------===//

#ifndef DTC_FRONTEND_NEARESTNAME_H
#define DTC_FRONTEND_NEARESTNAME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir::dtc {

/// Returns the name nearest to `name` by edit distance, empty where none is
/// near enough to be what was meant (more than a third of its letters, plus
/// one, would have to change).
llvm::StringRef findNearestName(llvm::StringRef name,
                                llvm::ArrayRef<std::string> known);

/// Returns the end of a message about an unknown `name`: `; did you mean "x"?`
/// where one is near, otherwise `; expected one of a, b, c` (the first dozen).
std::string suggestName(llvm::StringRef name,
                        llvm::ArrayRef<std::string> known);

/// Returns `a, b, c`, at most `limit` names and then an ellipsis.
std::string joinNames(llvm::ArrayRef<std::string> names, size_t limit = 12);

} // namespace mlir::dtc

#endif // DTC_FRONTEND_NEARESTNAME_H
