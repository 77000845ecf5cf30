//===- DegreeRules.cpp - Arithmetic of degrees ----------------------------===//
//
// See DegreeRules.h.
//
//===----------------------------------------------------------------------===//

#include "ir/degrees/DegreeRules.h"

namespace mlir::dtc {

std::string describeDegree(Degree degree) {
  return "(" + std::to_string(degree.scale) + ", " +
         std::to_string(degree.count) + ")";
}

Degrees giveAll(Operation *op, Degree degree) {
  return SmallVector<Degree>(op->getNumResults(), degree);
}

static std::string describe(Operation *op, unsigned index) {
  if (auto distributable = dyn_cast<Distributable>(op))
    return distributable.describeOperand(index);
  return "operand " + std::to_string(index);
}

LogicalResult expectDegree(Operation *op, ArrayRef<Degree> operands,
                           unsigned index, Degree expected) {
  if (operands[index] == expected)
    return success();
  return op->emitOpError(describe(op, index))
         << " has degree " << describeDegree(operands[index])
         << " in (scale, 1/N), expected " << describeDegree(expected);
}

Degrees giveEqual(Operation *op, ArrayRef<Degree> operands) {
  for (unsigned index = 1; index < operands.size(); ++index)
    if (failed(expectDegree(op, operands, index, operands[0])))
      return failure();
  return giveAll(op, operands.empty() ? Degree() : operands[0]);
}

} // namespace mlir::dtc
