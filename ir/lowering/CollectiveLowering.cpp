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

/// What generated code computes, as `fuse` decided.
KernelTemplate FusedOp::getKernelTemplate() { return getKernel(); }

/// A map computes an index from the operands at this index only, and all its
/// results before it stores one. In a row kernel that is so where scalars alone
/// stand beside the op that makes the result, and the operand has no other
/// reader.
int FusedOp::getInPlaceOperandFor(unsigned result) {
  Block &body = getBody().front();
  Value yielded = body.getTerminator()->getOperand(result);
  auto maker = yielded.getDefiningOp<ElementwiseOp>();
  bool isMap = getKernel() == KernelTemplate::Map && getNumResults() == 1;
  bool isRow = getKernel() == KernelTemplate::Row && maker &&
               llvm::all_of(body.without_terminator(), [&](Operation &op) {
                 auto type = cast<RankedTensorType>(op.getResult(0).getType());
                 return &op == maker.getOperation() || type.getRank() == 0;
               });
  for (BlockArgument argument : body.getArguments()) {
    if (argument.getType() != yielded.getType())
      continue;
    bool isOnlyReader = maker && argument.hasOneUse() &&
                        *argument.getUsers().begin() == maker.getOperation();
    if (isMap || (isRow && isOnlyReader))
      return static_cast<int>(argument.getArgNumber());
  }
  return -1;
}

} // namespace mlir::dtc
