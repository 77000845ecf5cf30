//===- NearestName.cpp - Which known name was meant
//------------------------===//
//
// Edit distance is LLVM's; what is decided here is how far off a name may be.
// A suggestion that is not what was meant costs more than none.
//
//===----------------------------------------------------------------------===//

#include "frontend/NearestName.h"

#include "llvm/ADT/STLExtras.h"

namespace mlir::dtc {

/// Edit distance in which letters in another order are one mistake.
static unsigned measureDistance(llvm::StringRef name, llvm::StringRef known,
                                unsigned limit) {
  std::string a = name.str(), b = known.str();
  llvm::sort(a);
  llvm::sort(b);
  if (a == b)
    return name != known;
  return name.edit_distance(known, /*AllowReplacements=*/true, limit);
}

llvm::StringRef findNearestName(llvm::StringRef name,
                                llvm::ArrayRef<std::string> known) {
  unsigned allowed = name.size() / 3 + 1;
  unsigned best = allowed + 1;
  llvm::StringRef nearest;
  for (const std::string &candidate : known) {
    unsigned distance = measureDistance(name, candidate, allowed);
    if (distance < best && distance < candidate.size()) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string joinNames(llvm::ArrayRef<std::string> names, size_t limit) {
  std::string text;
  for (size_t i = 0; i < names.size() && i < limit; ++i) {
    if (i)
      text += ", ";
    text += names[i];
  }
  if (names.size() > limit)
    text += ", …";
  return text;
}

std::string suggestName(llvm::StringRef name,
                        llvm::ArrayRef<std::string> known) {
  llvm::StringRef nearest = findNearestName(name, known);
  if (!nearest.empty())
    return "; did you mean \"" + nearest.str() + "\"?";
  if (known.empty())
    return "; none is known here";
  return "; expected one of " + joinNames(known);
}

} // namespace mlir::dtc
