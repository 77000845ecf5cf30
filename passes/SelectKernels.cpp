//===- SelectKernels.cpp - Say what makes each op -------------------------===//
//
// After fuse, what is left of an op is one kernel template, a library call, a
// view or an instruction of the runtime. The op knows; this writes the answer
// into the IR, so that memory planning and emission see the same decision.
//
//===----------------------------------------------------------------------===//

#include "passes/MemoryAttributes.h"
#include "passes/Passes.h"
#include "passes/StepFunctions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::dtc {
#define GEN_PASS_DEF_SELECTKERNELSPASS
#include "passes/Passes.h.inc"

namespace {

struct SelectKernelsPass
    : public impl::SelectKernelsPassBase<SelectKernelsPass> {
  using SelectKernelsPassBase::SelectKernelsPassBase;

  void runOnOperation() final {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.getName().ends_with(kGraphSuffix))
        continue;
      for (Block &block : function.getBody())
        for (Operation &op : block)
          if (auto lowerable = dyn_cast<Lowerable>(op))
            op.setAttr(kKernelAttr,
                       KernelTemplateAttr::get(&getContext(),
                                               lowerable.getKernelTemplate()));
    }
  }
};

} // namespace
} // namespace mlir::dtc
