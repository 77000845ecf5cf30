//===- RandomOps.cpp - Constraints of ops that draw -----------------------===//
//
// See RandomOps.td.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"
#include "ir/OpChecks.h"

namespace mlir::dtc {

LogicalResult DropoutOp::verify() {
  // C1
  double rate = getRate().convertToDouble();
  if (!(rate >= 0 && rate < 1))
    return emitOpError("C1: rate = ") << rate << ", expected 0 <= rate < 1";
  // C2
  return expectTensor(*this, 2, "result", getResult(), getShapeOf(getInput()),
                      getElementTypeOrSelf(getInput()));
}

} // namespace mlir::dtc
