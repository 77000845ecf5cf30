//===- CollectiveLowering.cpp - What makes a change of layout -------------===//
//
// Communication is the runtime's. The two changes without any are a view or a
// small copy.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"

namespace mlir::dtc {

/// Becomes collectives, each an instruction, before anything is lowered.
KernelTemplate RelayoutOp::getKernelTemplate() {
  return KernelTemplate::Instruction;
}
KernelTemplate AllReduceOp::getKernelTemplate() {
  return KernelTemplate::Instruction;
}
KernelTemplate ReduceScatterOp::getKernelTemplate() {
  return KernelTemplate::Instruction;
}
KernelTemplate AllGatherOp::getKernelTemplate() {
  return KernelTemplate::Instruction;
}
KernelTemplate AccumulateOp::getKernelTemplate() {
  return KernelTemplate::Instruction;
}
KernelTemplate SendRecvOp::getKernelTemplate() {
  return KernelTemplate::Instruction;
}
KernelTemplate ToPartialOp::getKernelTemplate() { return KernelTemplate::Map; }

/// A micro-batch's rows of a row-major tensor lie side by side. Other blocks
/// are copied: where they start depends on the rank, and a place does not.
KernelTemplate LocalSliceOp::getKernelTemplate() {
  return getAxis() == kAxisMb && getLayout(getResult()).on(getAxis()).isSplit(0)
             ? KernelTemplate::View
             : KernelTemplate::Map;
}

int AllReduceOp::getInPlaceOperand() { return 0; }
int ToPartialOp::getInPlaceOperand() { return 0; }

/// A map computes an index from the operands at this index only.
int FusedOp::getInPlaceOperand() {
  if (getKernel() != KernelTemplate::Map || getNumResults() != 1)
    return -1;
  for (auto [index, type] : llvm::enumerate(getOperandTypes()))
    if (type == getResult(0).getType())
      return static_cast<int>(index);
  return -1;
}

/// What generated code computes, as `fuse` decided.
KernelTemplate FusedOp::getKernelTemplate() { return getKernel(); }

} // namespace mlir::dtc
