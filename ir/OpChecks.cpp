//===- OpChecks.cpp - Comparisons that verifiers share --------------------===//
//
// Messages name what was found and what was wanted in the form of a tensor type
// without encoding.
//
//===----------------------------------------------------------------------===//

#include "ir/OpChecks.h"

#include "mlir/IR/Operation.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::dtc {

std::string describeShape(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(shape, os, "x");
  return text;
}

std::string describeTensor(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (int64_t size : getGlobalShape(type))
    os << size << 'x';
  os << getElementTypeOrSelf(type);
  return text;
}

LogicalResult expectTensor(Operation *op, unsigned constraint, StringRef name,
                           Value value, ArrayRef<int64_t> shape,
                           Type elementType) {
  if (getShapeOf(value) == shape && getElementTypeOrSelf(value) == elementType)
    return success();
  return op->emitOpError("C")
         << constraint << ": " << name << " is "
         << describeTensor(value.getType()) << ", expected "
         << describeTensor(RankedTensorType::get(shape, elementType));
}

LogicalResult verifyTerms(Operation *op, ArrayAttr terms, size_t count,
                          bool mustBeDisjoint) {
  if (terms.size() != count)
    return op->emitOpError("C2: terms lists ")
           << terms.size() << " sets, expected one for each of the " << count
           << " operands";
  llvm::StringSet<> seen;
  for (auto [index, entry] : llvm::enumerate(terms)) {
    auto set = dyn_cast<ArrayAttr>(entry);
    if (!set || set.empty() || !llvm::all_of(set, llvm::IsaPred<StringAttr>))
      return op->emitOpError("C2: terms of operand ")
             << index << " is " << entry
             << ", expected a list of contribution names";
    for (auto name : set.getAsRange<StringAttr>())
      if (!seen.insert(name.getValue()).second && mustBeDisjoint)
        return op->emitOpError("C2: term ")
               << name
               << " stands twice, so the contribution would count twice";
  }
  return success();
}

} // namespace mlir::dtc
