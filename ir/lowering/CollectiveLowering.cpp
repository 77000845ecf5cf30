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

/// Rows of a row-major tensor lie side by side; other blocks are copied.
KernelTemplate LocalSliceOp::getKernelTemplate() {
  return getLayout(getResult()).on(getAxis()).isSplit(0)
             ? KernelTemplate::View
             : KernelTemplate::Map;
}

/// What generated code computes, as `fuse` decided.
KernelTemplate FusedOp::getKernelTemplate() { return getKernel(); }

} // namespace mlir::dtc
