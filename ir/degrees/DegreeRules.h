//===- DegreeRules.h - Arithmetic of degrees ------------------*- C++ -*-===//
//
// A degree counts how often the loss scale and 1/N are factors of a value.
// Products add them, sums need equal ones, and few ops need a certain one.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_DEGREES_DEGREERULES_H
#define DTC_IR_DEGREES_DEGREERULES_H

#include "ir/DtcInterfaces.h"

namespace mlir::dtc {

using Degrees = FailureOr<SmallVector<Degree>>;

inline Degree makeDegree(int scale, int count) {
  return {static_cast<int8_t>(scale), static_cast<int8_t>(count)};
}

/// As in messages: (1, 1).
std::string describeDegree(Degree degree);

/// Every result has `degree`.
Degrees giveAll(Operation *op, Degree degree);

/// Fails where operand `index` has another degree than `expected`.
LogicalResult expectDegree(Operation *op, ArrayRef<Degree> operands,
                           unsigned index, Degree expected);

/// All operands have the degree of the first, which the results get.
Degrees giveEqual(Operation *op, ArrayRef<Degree> operands);

} // namespace mlir::dtc

#endif // DTC_IR_DEGREES_DEGREERULES_H
