//===- AssignStages.cpp - Cut the model into pipeline stages --------------===//
//
// Stages are decided on global ops, by the cost of the forward graph alone:
// backward costs twice the same and follows. Only the position between layers
// is a choice; everything else follows from where the values are.
//
// Steps: 1. the ops that lead to the loss's prediction, grouped into layers;
// 2. the best contiguous cut of the layers (StageCut); 3. the stage of each
// forward op, then of each backward op from its forward op; 4. the stages of
// variables from their users; 5. those of the tail from its operands; 6. sums
// whose operands now lie on several stages are cut.
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"
#include "passes/StageCut.h"
#include "passes/StepFunctions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <map>

#define DEBUG_TYPE "dtc-assign-stages"

namespace mlir::dtc {
#define GEN_PASS_DEF_ASSIGNSTAGESPASS
#include "passes/Passes.h.inc"

namespace {

/// A set of stages, bit k for stage k, as in AxisState.
using StageSet = uint64_t;

StageSet only(int64_t stage) { return StageSet(1) << stage; }

int64_t firstOf(StageSet set) { return llvm::countr_zero(set); }

bool isPhase(Operation *op, StringRef phase) {
  auto attr = op->getAttrOfType<StringAttr>(kPhaseAttr);
  return attr && attr.getValue() == phase;
}

class StageAssignment {
public:
  StageAssignment(func::FuncOp function, int64_t stageCount)
      : function(function), stageCount(stageCount), last(stageCount - 1),
        builder(function.getContext()) {}

  /// Cuts the training step and assigns all its ops.
  LogicalResult assignTraining();
  /// Assigns evaluation's ops where `training` has those of the same names.
  void assignEvaluation(const StageAssignment &training);

private:
  LogicalResult cutForward();
  void assignForward(Operation *op);
  void assignFromUsers();
  void assignBackward();
  void assignUpdate();
  void cutSums();
  void cutActivationSum(SumOp sum);
  void cutParameterSum(SumOp sum);
  SumOp makePartialSum(SumOp whole, ArrayRef<Value> inputs,
                       ArrayRef<Attribute> terms, int64_t stage);
  void writeStages();
  StageSet of(Value value) const;
  StageSet join(Operation *op) const;
  void setStages(Operation *op, StageSet set);

  func::FuncOp function;
  int64_t stageCount;
  int64_t last;
  OpBuilder builder;
  DenseMap<Operation *, StageSet> stages;
  llvm::StringMap<StageSet> byName; ///< forward ops by model name
  llvm::StringMap<StageSet> variables;
};

StageSet StageAssignment::of(Value value) const {
  Operation *op = value.getDefiningOp();
  return op ? stages.lookup(op) : 0;
}

/// Stages of all operands together.
StageSet StageAssignment::join(Operation *op) const {
  StageSet set = 0;
  for (Value operand : op->getOperands())
    set |= of(operand);
  return set;
}

void StageAssignment::setStages(Operation *op, StageSet set) {
  stages[op] = set;
  if (isPhase(op, "forward"))
    byName[getModelName(op)] = set;
}

//===-- Forward -----------------------------------------------------------===//

/// Forward ops that the prediction depends on, in block order, without reads
/// and constants, which go where they are used.
SmallVector<Operation *> findSpine(Operation *prediction) {
  DenseSet<Operation *> seen;
  SmallVector<Operation *> work{prediction};
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    if (!op || op->getNumOperands() == 0 || !seen.insert(op).second)
      continue;
    for (Value operand : op->getOperands())
      work.push_back(operand.getDefiningOp());
  }
  SmallVector<Operation *> spine;
  for (Operation &op : *prediction->getBlock())
    if (seen.contains(&op))
      spine.push_back(&op);
  return spine;
}

/// The layer of an op: the longest proper prefix of its name that is itself the
/// name of an op (a layer's last op has the layer's name), else its own name.
StringRef getLayer(Operation *op, const llvm::StringSet<> &names) {
  StringRef name = getModelName(op);
  for (StringRef prefix = name.rsplit('.').first; prefix.size() < name.size();
       prefix = prefix.rsplit('.').first) {
    if (names.contains(prefix))
      return prefix;
    if (!prefix.contains('.'))
      break;
  }
  return name;
}

LogicalResult StageAssignment::cutForward() {
  Operation *prediction = nullptr;
  for (Operation &op : function.front())
    if (op.hasAttr(kPredictionAttr))
      prediction = &op;
  if (!prediction)
    return function.emitOpError("has no op with ")
           << kPredictionAttr << ", run dtc-differentiate first";
  SmallVector<Operation *> spine = findSpine(prediction);
  FailureOr<Loss> loss = findLoss(function);
  if (failed(loss))
    return failure();
  llvm::StringSet<> names;
  for (Operation &op : function.front())
    if (isPhase(&op, "forward"))
      names.insert(getModelName(&op));

  SmallVector<SmallVector<Operation *>> layers;
  SmallVector<int64_t> costs;
  StringRef previous;
  for (Operation *op : spine) {
    StringRef layer = getLayer(op, names);
    // What the loss makes of its inputs belongs to the layer before it.
    bool isLoss = layer == getModelName(*loss) && !layers.empty();
    if (layers.empty() || (layer != previous && !isLoss)) {
      layers.emplace_back();
      costs.push_back(0);
    }
    previous = layer;
    layers.back().push_back(op);
    if (auto costed = dyn_cast<Costed>(op))
      costs.back() += costed.getFlops();
  }
  int64_t layerCount = static_cast<int64_t>(layers.size());
  if (layerCount < stageCount)
    return function.emitError("plan.pp is ")
           << stageCount << ", but the model has " << layerCount
           << (layerCount == 1 ? " layer" : " layers") << ": " << layerCount
           << " layers or blocks cannot be cut into " << stageCount
           << " stages; lower pp to " << layerCount;
  SmallVector<int64_t> stageOf = cutBalanced(costs, stageCount);
  // A model that names a stage for each layer (the loss has none: the last) is
  // taken at its word; the frontend checked that stages rise from 0 to pp - 1.
  auto givenStage = [](ArrayRef<Operation *> layer) {
    return layer.front()->getAttrOfType<DenseI64ArrayAttr>(kStagesAttr);
  };
  if (llvm::any_of(layers, givenStage))
    for (auto [layer, stage] : llvm::zip_equal(layers, stageOf))
      stage = givenStage(layer) ? givenStage(layer)[0] : last;
  for (auto [layer, stage] : llvm::zip_equal(layers, stageOf))
    for (Operation *op : layer)
      setStages(op, only(stage));
  return success();
}

/// What is not on the way to the prediction: after it, the last stage; a count
/// of labels or the like goes there too.
void StageAssignment::assignForward(Operation *op) {
  if (stages.contains(op) || op->getNumOperands() == 0)
    return;
  StageSet set = join(op);
  setStages(op, set ? only(63 - llvm::countl_zero(set)) : only(last));
}

/// Reads and constants of the forward graph: wherever a user is; unused ones on
/// stage 0. A variable's stages are those of all its reads.
void StageAssignment::assignFromUsers() {
  for (Operation &op : function.front()) {
    if (op.getNumOperands() != 0 || op.getNumResults() == 0 ||
        isPhase(&op, "update"))
      continue;
    StageSet set = 0;
    for (Operation *user : op.getUsers())
      set |= stages.lookup(user);
    auto read = dyn_cast<ReadOp>(op);
    if (read)
      set = variables[read.getVariable()] |= set;
    setStages(&op, set ? set : only(0));
  }
}

//===-- Backward and tail -------------------------------------------------===//

void StageAssignment::assignBackward() {
  for (Operation &op : function.front()) {
    auto forward = op.getAttrOfType<StringAttr>(kForwardAttr);
    if (!forward)
      continue;
    auto found = byName.find(forward.getValue());
    // A sum for a parameter has no forward op: it is where its terms are.
    stages[&op] = found == byName.end() ? join(&op) : found->second;
  }
}

/// An op of the tail runs where all its operands are; flag and norm join their
/// operands' stages, and scalars are read wherever one of these is.
void StageAssignment::assignUpdate() {
  StageSet everywhere = only(last);
  for (Operation &op : function.front())
    if (op.hasAttr(kGradientOfAttr))
      everywhere |= variables.lookup(
          op.getAttrOfType<FlatSymbolRefAttr>(kGradientOfAttr).getValue());
  auto module = function->getParentOfType<ModuleOp>();
  for (Operation &op : function.front()) {
    auto read = dyn_cast<ReadOp>(op);
    if (read) {
      auto variable = module.lookupSymbol<VariableOp>(read.getVariable());
      if (variable && variable.getRole() == "scalar")
        setStages(&op, everywhere);
      else if (variable && variable.getOf())
        setStages(&op, variables.lookup(*variable.getOf()));
      continue;
    }
    if (!isPhase(&op, "update"))
      continue;
    auto distributable = dyn_cast<Distributable>(op);
    StageSet set = op.getNumOperands() == 0 ? everywhere : ~StageSet(0);
    for (Value operand : op.getOperands())
      set &= of(operand);
    if (distributable && distributable.joinsStages())
      set = join(&op);
    stages[&op] = set;
  }
}

//===-- Sums --------------------------------------------------------------===//

SumOp StageAssignment::makePartialSum(SumOp whole, ArrayRef<Value> inputs,
                                      ArrayRef<Attribute> terms,
                                      int64_t stage) {
  auto sum = builder.create<SumOp>(whole.getLoc(), whole.getType(), inputs,
                                   builder.getArrayAttr(terms));
  sum->setDiscardableAttrs(whole->getDiscardableAttrDictionary());
  sum->removeAttr(kGradientOfAttr);
  setNameAndPhase(sum, getModelName(whole) + ".stage" + Twine(stage),
                  StepPhase::Backward);
  stages[sum] = only(stage);
  return sum;
}

/// All terms of the operands of one sum, as one set.
ArrayAttr unite(OpBuilder &builder, ArrayRef<Attribute> sets) {
  SmallVector<Attribute> all;
  for (Attribute set : sets)
    llvm::append_range(all, cast<ArrayAttr>(set));
  return builder.getArrayAttr(all);
}

/// Operands of `sum` and their terms by stage; a value on a set of stages
/// counts for the first.
struct StageTerms {
  SmallVector<Value> inputs;
  SmallVector<Attribute> terms;
};

/// Last stage first, each adds its terms to what the next one sends. The whole
/// sum ends on the first stage that has terms.
void StageAssignment::cutActivationSum(SumOp sum) {
  std::map<int64_t, StageTerms, std::greater<>> byStage;
  for (auto [input, terms] : llvm::zip_equal(sum.getInputs(), sum.getTerms())) {
    StageTerms &here = byStage[firstOf(of(input))];
    here.inputs.push_back(input);
    here.terms.push_back(terms);
  }
  if (byStage.size() == 1) {
    stages[sum] = only(byStage.begin()->first);
    return;
  }
  builder.setInsertionPoint(sum);
  StageTerms carried;
  for (auto &[stage, here] : byStage) {
    // What comes from later stages stands first, as the graph has it.
    StageTerms all = carried;
    llvm::append_range(all.inputs, here.inputs);
    llvm::append_range(all.terms, here.terms);
    bool isLast = stage == byStage.rbegin()->first;
    if (isLast) {
      sum.getInputsMutable().assign(all.inputs);
      sum.setTermsAttr(builder.getArrayAttr(all.terms));
      stages[sum] = only(stage);
    } else if (all.inputs.size() == 1) {
      carried = all;
    } else {
      SumOp partial = makePartialSum(sum, all.inputs, all.terms, stage);
      carried.inputs = {partial.getResult()};
      carried.terms = {unite(builder, all.terms)};
    }
  }
}

/// One operand a stage is left: P over the set of stages, reduced in the tail.
void StageAssignment::cutParameterSum(SumOp sum) {
  std::map<int64_t, StageTerms> byStage;
  for (auto [input, terms] : llvm::zip_equal(sum.getInputs(), sum.getTerms())) {
    StageTerms &here = byStage[firstOf(of(input))];
    here.inputs.push_back(input);
    here.terms.push_back(terms);
  }
  if (byStage.size() == 1)
    return;
  builder.setInsertionPoint(sum);
  StageTerms whole;
  for (auto &[stage, here] : byStage) {
    Value input = here.inputs.front();
    if (here.inputs.size() > 1)
      input = makePartialSum(sum, here.inputs, here.terms, stage);
    whole.inputs.push_back(input);
    whole.terms.push_back(unite(builder, here.terms));
  }
  sum.getInputsMutable().assign(whole.inputs);
  sum.setTermsAttr(builder.getArrayAttr(whole.terms));
}

void StageAssignment::cutSums() {
  for (SumOp sum : llvm::to_vector(function.getOps<SumOp>())) {
    if (!isPhase(sum, "backward"))
      continue;
    if (sum->hasAttr(kGradientOfAttr))
      cutParameterSum(sum);
    else
      cutActivationSum(sum);
  }
}

void StageAssignment::writeStages() {
  for (Operation &op : function.front().without_terminator()) {
    SmallVector<int64_t> list;
    for (int64_t stage = 0; stage < stageCount; ++stage)
      if (stages.lookup(&op) & only(stage))
        list.push_back(stage);
    op.setAttr(kStagesAttr, builder.getDenseI64ArrayAttr(list));
    op.removeAttr(kForwardAttr);
    op.removeAttr(kPredictionAttr);
  }
}

LogicalResult StageAssignment::assignTraining() {
  if (failed(cutForward()))
    return failure();
  for (Operation &op : function.front())
    if (isPhase(&op, "forward"))
      assignForward(&op);
  assignFromUsers();
  assignBackward();
  assignFromUsers(); // A read may have a user in the backward graph only.
  assignUpdate();
  cutSums();
  writeStages();
  return success();
}

void StageAssignment::assignEvaluation(const StageAssignment &training) {
  for (Operation &op : function.front().without_terminator()) {
    if (op.getNumOperands() == 0)
      continue;
    auto found = training.byName.find(getModelName(&op));
    if (found != training.byName.end())
      setStages(&op, found->second);
    else
      assignForward(&op);
  }
  assignFromUsers();
  writeStages();
}

struct AssignStagesPass : public impl::AssignStagesPassBase<AssignStagesPass> {
  using AssignStagesPassBase::AssignStagesPassBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    func::FuncOp step = findTrainStep(module);
    if (!step)
      return signalPassFailure();
    auto plan = module->getAttrOfType<PlanAttr>(kPlanAttr);
    if (!plan || plan.getPp() < 1 || plan.getPp() > 64) {
      module.emitError("has no ") << kPlanAttr << " with pp from 1 to 64";
      return signalPassFailure();
    }
    StageAssignment training(step, plan.getPp());
    if (failed(training.assignTraining()))
      return signalPassFailure();
    for (func::FuncOp function : findStepFunctions(module))
      if (function != step)
        StageAssignment(function, plan.getPp()).assignEvaluation(training);
  }
};

} // namespace
} // namespace mlir::dtc
