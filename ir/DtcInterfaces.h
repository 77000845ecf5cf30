//===- DtcInterfaces.h - Interfaces of dtc ops -----------------*- C++ -*-===//
//
// Declarations that the generated interfaces refer to, then the interfaces.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_DTCINTERFACES_H
#define DTC_IR_DTCINTERFACES_H

#include "ir/DtcDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace mlir::dtc {

struct HostTensor;
class PlaceContext;

/// Holds an op's types to its rules: where operands and results have a layout,
/// some AxisRule must match on each axis but `pp`; on `pp` each operand must be
/// on the stages of the result. The error names the operand, what it holds on
/// which axis, and what was expected, taken from the rule that fits best:
///   operand N holds P(sum) on axis "dp", expected R
LogicalResult verifyDistributable(Operation *op);

/// What messages call a term of an n-ary op: `the term of in.weight (b0.whole)`,
/// by its contributions and the name of what made it.
std::string describeTerm(ArrayAttr terms, Value operand, unsigned index);

/// Bytes of all operands and results, by their types' shapes.
int64_t getOperandAndResultBytes(Operation *op);

} // namespace mlir::dtc

#include "ir/DtcInterfaces.h.inc"

#endif // DTC_IR_DTCINTERFACES_H
