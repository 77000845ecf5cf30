//===- OutlineTasks.cpp - Cut a stage's step into tasks -------------------===//
//
// A rank runs its part of the step in pieces, some of them once and some for
// each micro-batch. This pass writes these pieces as functions without
// arguments: what one leaves for another goes through a buffer, what goes to
// another stage through a channel. A task receives only at its start and sends
// only at its end, so the order of tasks is the order of communication and the
// schedule can be judged without looking inside.
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"
#include "passes/StageOutliner.h"
#include "passes/StepFunctions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::dtc {
#define GEN_PASS_DEF_OUTLINETASKSPASS
#include "passes/Passes.h.inc"

namespace {

struct OutlineTasksPass : public impl::OutlineTasksPassBase<OutlineTasksPass> {
  using OutlineTasksPassBase::OutlineTasksPassBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> steps = findStepFunctions(module);
    if (steps.empty())
      return;
    auto plan = module->getAttrOfType<PlanAttr>(kPlanAttr);
    if (!plan) {
      module.emitError("has no ") << kPlanAttr
                                  << ", which says how many "
                                     "stages the step has";
      return signalPassFailure();
    }
    ChannelTable channels(steps);
    for (func::FuncOp step : steps)
      for (int64_t stage = 0; stage < plan.getPp(); ++stage)
        if (failed(outlineStage(step, stage, channels)))
          return signalPassFailure();
    for (func::FuncOp step : steps)
      step.erase();
  }
};

} // namespace
} // namespace mlir::dtc
