//===- LossLowering.cpp - Cost and kernels of losses ----------------------===//
//
// Row ops read their logits once; exp and log count as one operation.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"

namespace mlir::dtc {

static int64_t getElements(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

int64_t CountValidOp::getFlops() { return 0; }
int64_t CountCorrectOp::getFlops() { return 0; }
int64_t RowMaxOp::getFlops() { return getElements(getLogits()); }
int64_t SumExpOp::getFlops() { return 3 * getElements(getLogits()); }
int64_t PickOp::getFlops() { return 0; }
int64_t CrossEntropyOp::getFlops() { return 4 * getElements(getMax()); }
int64_t CrossEntropyGradOp::getFlops() { return 4 * getElements(getLogits()); }
int64_t SquaredErrorOp::getFlops() { return 3 * getElements(getPrediction()); }
int64_t SquaredErrorGradOp::getFlops() {
  return 2 * getElements(getPrediction());
}
int64_t LinearLossOp::getFlops() { return getElements(getInput()); }
int64_t LinearLossGradOp::getFlops() { return 0; }

KernelTemplate CountValidOp::getKernelTemplate() { return KernelTemplate::Row; }
KernelTemplate CountCorrectOp::getKernelTemplate() {
  return KernelTemplate::Row;
}
KernelTemplate RowMaxOp::getKernelTemplate() { return KernelTemplate::Row; }
KernelTemplate SumExpOp::getKernelTemplate() { return KernelTemplate::Row; }
KernelTemplate PickOp::getKernelTemplate() { return KernelTemplate::Row; }
KernelTemplate CrossEntropyOp::getKernelTemplate() {
  return KernelTemplate::Row;
}
KernelTemplate CrossEntropyGradOp::getKernelTemplate() {
  return KernelTemplate::Row;
}
KernelTemplate SquaredErrorOp::getKernelTemplate() {
  return KernelTemplate::Row;
}
KernelTemplate SquaredErrorGradOp::getKernelTemplate() {
  return KernelTemplate::Row;
}
KernelTemplate LinearLossOp::getKernelTemplate() { return KernelTemplate::Row; }
KernelTemplate LinearLossGradOp::getKernelTemplate() {
  return KernelTemplate::Row;
}

/// Elements of the logits are read where the gradient is written.
int CrossEntropyGradOp::getInPlaceOperand() { return 0; }
int SquaredErrorGradOp::getInPlaceOperand() { return 0; }

/// Not in place: `like` is not read, and what dies here is not its storage.
int64_t LinearLossGradOp::getBytes() {
  return getOperandAndResultBytes(*this) -
         getTensorBytes(cast<RankedTensorType>(getLike().getType()));
}

} // namespace mlir::dtc
