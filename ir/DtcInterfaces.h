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

/// Bytes of all operands and results, by their types' shapes.
int64_t getOperandAndResultBytes(Operation *op);

} // namespace mlir::dtc

#include "ir/DtcInterfaces.h.inc"

#endif // DTC_IR_DTCINTERFACES_H
