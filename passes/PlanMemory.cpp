//===- PlanMemory.cpp - One arena a stage ---------------------------------===//
//
// Nothing is allocated while a program runs: each value has its offset before
// the first step, and how much a rank needs is known without running it. This
// pass puts the parts together: lifetimes (StepLiveness), sharing
// (StageMemory), offsets (ArenaPacking), and the limit that a user may set.
//
//===----------------------------------------------------------------------===//

#include "passes/MemoryAttributes.h"
#include "passes/Passes.h"
#include "passes/StepFunctions.h"
#include "passes/StepLiveness.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#define DEBUG_TYPE "dtc-plan-memory"

namespace mlir::dtc {
#define GEN_PASS_DEF_PLANMEMORYPASS
#include "passes/Passes.h.inc"

namespace {

constexpr size_t kContributorsShown = 5;

struct PlanMemoryPass : public impl::PlanMemoryPassBase<PlanMemoryPass> {
  using PlanMemoryPassBase::PlanMemoryPassBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    auto plan = module->getAttrOfType<PlanAttr>(kPlanAttr);
    if (!plan) {
      module.emitError("has no ")
          << kPlanAttr << ", which says how many stages there are";
      return signalPassFailure();
    }
    SmallVector<Attribute> reports;
    DenseMap<Operation *, SmallVector<Attribute>> variablePlaces;
    for (int64_t stage = 0; stage < plan.getPp(); ++stage) {
      StageMemory memory(module, stage);
      planStage(memory, plan.getMicroBatches());
      if (failed(checkLimit(memory)))
        return signalPassFailure();
      reports.push_back(memory.makeReport());
      memory.forEachVariable([&](VariableOp variable, PlaceAttr place) {
        auto &places = variablePlaces[variable];
        places.resize(static_cast<size_t>(plan.getPp()),
                      UnitAttr::get(&getContext()));
        places[static_cast<size_t>(stage)] = place;
      });
    }
    for (auto &[variable, places] : variablePlaces)
      variable->setAttr(kStagePlacesAttr,
                        ArrayAttr::get(&getContext(), places));
    module->setAttr(kMemoryAttr, ArrayAttr::get(&getContext(), reports));
  }

  void planStage(StageMemory &memory, int64_t microBatches) {
    ModuleOp module = getOperation();
    int64_t tick = 0;
    SmallVector<func::FuncOp> tasks;
    for (StringRef kind : {"train", "evaluate"}) {
      tick = addStep(memory, module, kind, microBatches, tick);
      llvm::append_range(tasks, findTasks(module, memory.getStage(), kind));
    }
    memory.pack(tick);
    memory.writePlaces(tasks);
  }

  LogicalResult checkLimit(const StageMemory &memory) {
    int64_t need = memory.getSize().arenaBytes;
    if (memoryLimit <= 0 || need <= memoryLimit)
      return success();
    return getOperation().emitError("stage ")
           << memory.getStage() << " needs " << need
           << " bytes, memory-limit is " << int64_t(memoryLimit)
           << "; largest at the peak: "
           << memory.describePeak(kContributorsShown);
  }
};

} // namespace
} // namespace mlir::dtc
