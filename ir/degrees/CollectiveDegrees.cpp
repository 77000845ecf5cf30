//===- CollectiveDegrees.cpp - Degrees through changes of layout ----------===//
//
// One global value: its degree stays.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"
#include "ir/degrees/DegreeRules.h"

namespace mlir::dtc {

Degrees RelayoutOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveAll(*this, operands[0]);
}
Degrees ToPartialOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveAll(*this, operands[0]);
}
Degrees LocalSliceOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveAll(*this, operands[0]);
}
Degrees AllReduceOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveAll(*this, operands[0]);
}
Degrees ReduceScatterOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveAll(*this, operands[0]);
}
Degrees AllGatherOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveAll(*this, operands[0]);
}
Degrees AccumulateOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveAll(*this, operands[0]);
}
Degrees SendRecvOp::inferDegrees(ArrayRef<Degree> operands) {
  return giveAll(*this, operands[0]);
}

} // namespace mlir::dtc
