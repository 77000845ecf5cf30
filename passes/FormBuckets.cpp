//===- FormBuckets.cpp - Buckets of parameters and layouts of the tail ----===//
//
// The tail is laid out apart from forward and backward because how a gradient
// is reduced is the plan's choice (ZeRO) and no matter of what its op's rules
// make cheapest. Once the gradients are reduced, the same sweep as before does
// the rest.
//
// Steps: 1. ZeRO 1: bucket variables, one chain of tail ops a bucket, gradients
// packed and reduced into shards; ZeRO 0: each gradient reduced over mb, then
// over the axes left; 2. the tail's ops in program order, each with its
// cheapest rule; partial results reduced once, where made; stores in the layout
// of their variable.
//
//===----------------------------------------------------------------------===//

#include "passes/BucketPlan.h"
#include "passes/LayoutSweep.h"
#include "passes/Passes.h"
#include "passes/StepFunctions.h"
#include "passes/TailBuckets.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#define DEBUG_TYPE "dtc-form-buckets"

namespace mlir::dtc {
#define GEN_PASS_DEF_FORMBUCKETSPASS
#include "passes/Passes.h.inc"

namespace {

SmallVector<Operation *> findTail(func::FuncOp function) {
  SmallVector<Operation *> tail;
  for (Operation &op : function.front())
    if (isUpdate(&op))
      tail.push_back(&op);
  return tail;
}

/// ZeRO 0: each gradient over mb, then over all axes left, for its whole
/// parameter.
void reduceGradients(func::FuncOp step) {
  SmallVector<Operation *> tail = findTail(step);
  OpBuilder builder(tail.front());
  for (Operation &op : step.front()) {
    if (!op.hasAttr(kGradientOfAttr))
      continue;
    Value gradient = op.getResult(0), reduced = gradient;
    LayoutAttr whole = getLayout(gradient);
    for (const MeshAxis &axis : getLayout(gradient).getAxes())
      if (axis.state.isPartial())
        whole = whole.with(axis.name, axis.name == kAxisPp
                                          ? AxisState::on(axis.state.stages)
                                          : AxisState::replicated());
    LayoutAttr once =
        getLayout(gradient).with(kAxisMb, AxisState::replicated());
    for (LayoutAttr layout : {once, whole}) {
      auto type = cast<RankedTensorType>(reduced.getType());
      if (getLayout(type).getAxes() == layout.getAxes())
        continue;
      auto change = builder.create<RelayoutOp>(
          gradient.getLoc(), withLayout(type, withPadsOfChange(type, layout)),
          reduced, findReduceDtype(gradient));
      describeAsValue(change, gradient, builder.getStringAttr("update"));
      reduced = change;
    }
    gradient.replaceUsesWithIf(reduced, [](OpOperand &use) {
      return isUpdate(use.getOwner()) && !isa<RelayoutOp>(use.getOwner());
    });
  }
}

/// Segments count what one coordinate of the split axes holds.
void setSegmentLengths(func::FuncOp step) {
  for (Operation *op : findTail(step)) {
    auto lengths = op->getAttrOfType<DenseI64ArrayAttr>("segment_lengths");
    if (!lengths || lengths.size() != 1)
      continue;
    Value value = op->getOperand(0);
    int64_t elements = ShapedType::getNumElements(
        getLocalShape(getGlobalShape(value.getType()), getLayout(value)));
    op->setAttr("segment_lengths",
                DenseI64ArrayAttr::get(op->getContext(), {elements}));
  }
}

LogicalResult formBuckets(ModuleOp module, func::FuncOp step) {
  std::vector<Bucket> buckets = planBuckets(module, step);
  llvm::StringMap<BucketPlace> places = createBucketVariables(module, buckets);
  for (func::FuncOp function : findStepFunctions(module))
    if (failed(mergeTail(function, buckets, places)))
      return failure();
  for (auto variable : llvm::to_vector(module.getOps<VariableOp>()))
    if (places.contains(variable.getSymName()))
      variable.erase();
  return success();
}

LogicalResult layOutOp(Operation *op, LayoutSweep &sweep, ModuleOp module) {
  for (Value operand : op->getOperands()) {
    if (sweep.getValues().isDefined(operand))
      continue;
    ValueFacts facts;
    facts.isParameter = isa_and_nonnull<ReadOp>(operand.getDefiningOp());
    sweep.getValues().define(operand, facts);
  }
  uint64_t stages = getStageSet(op);
  auto distributable = dyn_cast<Distributable>(op);
  if (distributable && op->hasAttr(kStagesAttr)) {
    if (failed(sweep.layOut(distributable)))
      return failure();
    for (Value result : op->getResults())
      sweep.settleForward(result);
    return success();
  }
  op->removeAttr(kStagesAttr);
  if (auto store = dyn_cast<StoreOp>(op)) {
    auto variable = module.lookupSymbol<VariableOp>(store.getVariable());
    return sweep.fitOperand(op, 0, getLayout(variable.getType()));
  }
  if (isa<ReportOp>(op))
    return sweep.fitOperand(op, 0, makeLayout(sweep.getPlan(), stages));
  return success(); // A read, or what was made with its layout.
}

struct FormBucketsPass : public impl::FormBucketsPassBase<FormBucketsPass> {
  using FormBucketsPassBase::FormBucketsPassBase;

  LogicalResult run() {
    ModuleOp module = getOperation();
    func::FuncOp step = findTrainStep(module);
    auto plan = module->getAttrOfType<PlanAttr>(kPlanAttr);
    if (!step)
      return failure();
    if (!plan)
      return module.emitError("has no ") << kPlanAttr;
    if (plan.getZero() != 0 && plan.getZero() != 1)
      return module.emitError("plan.zero is ")
             << plan.getZero()
             << ", expected 0 (all whole) or 1 (state and update in shards)";
    if (findTail(step).empty())
      return step.emitError("has no op of phase update, run dtc-optimize-step "
                            "before dtc-form-buckets");
    if (plan.getZero() == 0)
      reduceGradients(step);
    else if (failed(formBuckets(module, step)))
      return failure();
    LayoutSweep sweep(plan, ParameterStates());
    for (Operation *op : findTail(step))
      if (failed(layOutOp(op, sweep, module)))
        return failure();
    if (plan.getZero() == 0)
      setSegmentLengths(step);
    return success();
  }

  void runOnOperation() final {
    if (failed(run()))
      signalPassFailure();
  }
};

} // namespace
} // namespace mlir::dtc
