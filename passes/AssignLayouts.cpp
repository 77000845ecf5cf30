//===- AssignLayouts.cpp - Say how each value lies over the mesh ----------===//
//
// Nothing is searched: parameters follow from the plan, inputs from the data,
// and one sweep in program order does the rest, since each op's rules say what
// its result is from what its operands are. Where a partial value is reduced is
// the settle rule: once, where it is made, if any user refuses it.
//
// Steps: 1. ops without users go; 2. states of parameters over tp
// (ParameterLayouts); 3. types of variables and inputs; 4. the ops of forward
// and backward (LayoutSweep), the settle rule after each; 5. the tail keeps its
// stages and global types, its operands are what values were settled into.
//
//===----------------------------------------------------------------------===//

#include "passes/LayoutSweep.h"
#include "passes/Passes.h"
#include "passes/StepFunctions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#define DEBUG_TYPE "dtc-assign-layouts"

namespace mlir::dtc {
#define GEN_PASS_DEF_ASSIGNLAYOUTSPASS
#include "passes/Passes.h.inc"

namespace {

/// Erases ops whose results nobody uses: they would hold a parameter on a stage
/// that has no gradient of it.
void eraseDeadOps(func::FuncOp function) {
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(function.front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

class LayoutAssignment {
public:
  LayoutAssignment(ModuleOp module, PlanAttr plan)
      : module(module), plan(plan), functions(findStepFunctions(module)) {}
  LogicalResult assign();

private:
  void assignVariables();
  LogicalResult assignInputs(func::FuncOp function, LayoutSweep &sweep);
  LogicalResult assignFunction(func::FuncOp function);
  LogicalResult assignOp(Operation *op, LayoutSweep &sweep);

  ModuleOp module;
  PlanAttr plan;
  SmallVector<func::FuncOp> functions;
  ParameterStates states;
};

/// A variable lies on the stages of all that use or store it; one that nothing
/// uses, on stage 0.
void LayoutAssignment::assignVariables() {
  llvm::StringMap<uint64_t> stages;
  for (func::FuncOp function : functions) {
    for (auto read : function.getOps<ReadOp>())
      for (Operation *user : read->getUsers())
        stages[read.getVariable()] |= getStageSet(user);
    for (auto store : function.getOps<StoreOp>())
      stages[store.getVariable()] |= getStageSet(store);
  }
  for (auto variable : module.getOps<VariableOp>()) {
    // State lies as its parameter.
    StringRef name = variable.getOf().value_or(variable.getSymName());
    uint64_t set = stages.lookup(name);
    LayoutAttr layout =
        makeLayout(plan, set ? set : 1).with(kAxisTp, states.lookup(name));
    auto type = cast<RankedTensorType>(variable.getType());
    SmallVector<PadKind> zeros(type.getRank(), PadKind::Zero);
    layout = withPads(layout, type.getShape(), zeros);
    variable.setType(withLayout(type, layout));
  }
}

/// Rows over dp; of the whole step until an op of the loop takes its rows.
LogicalResult LayoutAssignment::assignInputs(func::FuncOp function,
                                             LayoutSweep &sweep) {
  SmallVector<Type> types;
  for (BlockArgument input : function.getArguments()) {
    uint64_t stages = 0;
    for (Operation *user : input.getUsers())
      stages |= getStageSet(user);
    auto type = cast<RankedTensorType>(input.getType());
    if (type.getRank() == 0)
      return function.emitError("input ")
             << input.getArgNumber()
             << " is a scalar, expected one value a sample in dimension 0";
    LayoutAttr layout = makeLayout(plan, stages ? stages : 1)
                            .with(kAxisDp, AxisState::split(0));
    PadKind kind =
        type.getElementType().isInteger() ? PadKind::Fill : PadKind::Zero;
    layout = withPads(layout, type.getShape(),
                      SmallVector<PadKind>(type.getRank(), kind));
    input.setType(withLayout(type, layout));
    types.push_back(input.getType());
    ValueFacts facts;
    facts.isInput = true;
    sweep.getValues().define(input, facts);
  }
  function.setType(FunctionType::get(function.getContext(), types,
                                     function.getResultTypes()));
  return success();
}

LogicalResult LayoutAssignment::assignOp(Operation *op, LayoutSweep &sweep) {
  if (auto distributable = dyn_cast<Distributable>(op)) {
    if (failed(sweep.layOut(distributable)))
      return failure();
    if (op->hasAttr(kGradientOfAttr))
      return success(); // Reduced in the tail.
    StringAttr phase = getPhase(op);
    for (Value result : op->getResults()) {
      if (phase && phase == "backward")
        sweep.settleBackward(result);
      else
        sweep.settleForward(result);
    }
    return success();
  }
  if (!isa<ReportOp>(op))
    return op->emitOpError(getModelName(op))
           << ": has no layout rules, expected an op of the step graph";
  uint64_t stages = getStageSet(op);
  op->removeAttr(kStagesAttr);
  return sweep.fitOperand(op, 0, makeLayout(plan, stages));
}

LogicalResult LayoutAssignment::assignFunction(func::FuncOp function) {
  LayoutSweep sweep(plan, states);
  if (failed(assignInputs(function, sweep)))
    return failure();
  SmallVector<Operation *> swept, tail;
  // Reads first: a value settles by what its users' other operands are.
  for (Operation &op : function.front().without_terminator()) {
    if (!op.hasAttr(kStagesAttr))
      return op.emitOpError(getModelName(&op))
             << ": has no " << kStagesAttr << ", run dtc-assign-stages before "
             << "dtc-assign-layouts";
    if (auto read = dyn_cast<ReadOp>(op)) {
      auto variable = module.lookupSymbol<VariableOp>(read.getVariable());
      read.getResult().setType(cast<RankedTensorType>(variable.getType()));
      ValueFacts facts;
      facts.isParameter = variable.getRole() == "parameter";
      sweep.getValues().define(read, facts);
      op.removeAttr(kStagesAttr);
    } else if (isUpdate(&op)) {
      tail.push_back(&op);
    } else if (op.getNumOperands() == 0) {
      if (failed(assignOp(&op, sweep)))
        return failure();
    } else {
      swept.push_back(&op);
    }
  }
  for (Operation *op : swept)
    if (failed(assignOp(op, sweep)))
      return failure();
  for (Operation *op : tail)
    for (OpOperand &operand : op->getOpOperands())
      operand.set(sweep.getValues().getBase(operand.get()));
  return success();
}

LogicalResult LayoutAssignment::assign() {
  func::FuncOp step = findTrainStep(module);
  if (!step)
    return failure();
  FailureOr<ParameterStates> chosen = chooseParameterStates(step, plan);
  if (failed(chosen))
    return failure();
  states = std::move(*chosen);
  for (func::FuncOp function : functions)
    eraseDeadOps(function);
  assignVariables();
  for (func::FuncOp function : functions)
    if (failed(assignFunction(function)))
      return failure();
  return success();
}

struct AssignLayoutsPass
    : public impl::AssignLayoutsPassBase<AssignLayoutsPass> {
  using AssignLayoutsPassBase::AssignLayoutsPassBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    auto plan = module->getAttrOfType<PlanAttr>(kPlanAttr);
    if (!plan) {
      module.emitError("has no ") << kPlanAttr;
      return signalPassFailure();
    }
    if (failed(LayoutAssignment(module, plan).assign()))
      signalPassFailure();
  }
};

} // namespace
} // namespace mlir::dtc
