//===- RandomGradients.cpp - Gradients of ops that draw -------------------===//
//
// The gradient draws the same numbers again, by the same key, so no mask is
// kept.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"

namespace mlir::dtc {

void DropoutOp::buildGradients(OpBuilder &builder, ArrayRef<Value> cotangents,
                               ArrayRef<bool> wanted,
                               SmallVectorImpl<Value> &gradients) {
  gradients.assign(1, Value());
  if (cotangents[0] && wanted[0])
    gradients[0] =
        builder.create<DropoutOp>(getLoc(), getInput().getType(), cotangents[0],
                                  getRateAttr(), getKeyAttr());
}

} // namespace mlir::dtc
