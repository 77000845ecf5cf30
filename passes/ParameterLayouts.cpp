//===- ParameterLayouts.cpp - Which parameters are split over tp ----------===//
//
// A linear layer is a contraction of an activation with a parameter. Its rules
// over `tp` say which dimension of the parameter gives split results (columns)
// and which gives partial ones (rows); a column layer followed by a row layer
// needs one reduction for both, so layers are paired between two values of the
// residual stream, which are whole.
//
// Steps: 1. find the layers; 2. walk from each result to the next layers,
// values of the residual stream or the loss, and from each input back; 3. name
// each layer first, last, both, neither or head; 4. split its parameter, and
// with it what follows a split result up to the next layer.
//
//===----------------------------------------------------------------------===//

#include "passes/ParameterLayouts.h"

#include "passes/StepFunctions.h"

namespace mlir::dtc {
namespace {

/// A contraction of an activation with a parameter.
struct LinearLayer {
  Distributable op;
  unsigned weight = 0; ///< operand that reads a parameter
  unsigned input = 0;  ///< the other one
  Value getInput() { return op->getOperand(input); }
  Value getResult() { return op->getResult(0); }
};

/// What lies next to a layer on the way to the loss or to the inputs.
struct Neighbours {
  bool hasLayer = false;
  bool hasResidual = false;
  bool hasLoss = false;
};

bool isForward(Operation *op) {
  auto phase = op->getAttrOfType<StringAttr>(kPhaseAttr);
  return phase && phase == "forward";
}

ReadOp getParameterRead(Value value) {
  auto read = value.getDefiningOp<ReadOp>();
  if (!read)
    return {};
  auto module = read->getParentOfType<ModuleOp>();
  auto variable = module.lookupSymbol<VariableOp>(read.getVariable());
  return variable && variable.getRole() == "parameter" ? read : ReadOp();
}

class ParameterChooser {
public:
  explicit ParameterChooser(func::FuncOp step) : step(step) {}
  FailureOr<ParameterStates> choose();

private:
  void findLayers();
  bool isResidual(Value value) const;
  Neighbours walkForward(LinearLayer &layer);
  Neighbours walkBackward(LinearLayer &layer);
  std::optional<AxisRule> findRule(LinearLayer &layer, bool byColumns);
  bool acceptsSplit(Value value, AxisState state);
  LogicalResult split(LinearLayer &layer, StringRef how, bool isOverride);
  LogicalResult setState(Operation *user, ReadOp read, AxisState state,
                         bool isOverride);
  LogicalResult splitFollowers(Value value, AxisState state);

  func::FuncOp step;
  SmallVector<LinearLayer> layers;
  DenseSet<Operation *> layerOps;
  DenseSet<Value> headInputs;
  ParameterStates states;
  llvm::StringMap<Operation *> overrides; ///< parameters set by dtc.tp
};

void ParameterChooser::findLayers() {
  for (Operation &op : step.front()) {
    auto distributable = dyn_cast<Distributable>(op);
    if (!distributable || !distributable.isContraction() || !isForward(&op) ||
        op.getNumOperands() != 2)
      continue;
    for (unsigned weight : {1u, 0u}) {
      if (!getParameterRead(op.getOperand(weight)) ||
          getParameterRead(op.getOperand(1 - weight)))
        continue;
      layers.push_back({distributable, weight, 1 - weight});
      layerOps.insert(&op);
      break;
    }
  }
}

bool ParameterChooser::isResidual(Value value) const {
  Operation *op = value.getDefiningOp();
  return !op || op->hasAttr(kResidualAttr) || headInputs.contains(value);
}

Neighbours ParameterChooser::walkForward(LinearLayer &layer) {
  Neighbours found;
  SmallVector<Value> work{layer.getResult()};
  DenseSet<Value> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (isResidual(value)) {
      found.hasResidual = true;
      continue;
    }
    for (Operation *user : value.getUsers()) {
      if (!isForward(user))
        continue;
      found.hasLoss |= isa<Loss>(user);
      if (layerOps.contains(user))
        found.hasLayer = true;
      else
        llvm::append_range(work, user->getResults());
    }
  }
  return found;
}

Neighbours ParameterChooser::walkBackward(LinearLayer &layer) {
  Neighbours found;
  SmallVector<Value> work{layer.getInput()};
  DenseSet<Value> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (isResidual(value))
      found.hasResidual = true;
    else if (layerOps.contains(value.getDefiningOp()))
      found.hasLayer = true;
    else
      llvm::append_range(work, value.getDefiningOp()->getOperands());
  }
  return found;
}

/// The rule by which the layer's parameter is split: by columns a whole input
/// gives a split result, by rows a split input gives a partial one.
std::optional<AxisRule> ParameterChooser::findRule(LinearLayer &layer,
                                                   bool byColumns) {
  for (AxisRule &rule : layer.op.getAxisRules(kAxisTp)) {
    bool columns =
        rule.operands[layer.input].isReplicated() && rule.results[0].isSplit();
    bool rows =
        rule.operands[layer.input].isSplit() && rule.results[0].isPartial();
    if (rule.operands[layer.weight].isSplit() && (byColumns ? columns : rows))
      return rule;
  }
  return std::nullopt;
}

/// The rule of `op` in which every operand that is `value` lies as `state`.
std::optional<AxisRule> findRuleWith(Distributable op, Value value,
                                     AxisState state) {
  for (AxisRule &rule : op.getAxisRules(kAxisTp)) {
    bool fits = true;
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      fits &= operand != value || rule.operands[i] == state;
    if (fits)
      return rule;
  }
  return std::nullopt;
}

/// True where all users of `value` take it split as `state`, and all users of
/// what then is split too.
bool ParameterChooser::acceptsSplit(Value value, AxisState state) {
  for (Operation *user : value.getUsers()) {
    auto op = dyn_cast<Distributable>(user);
    std::optional<AxisRule> rule =
        op ? findRuleWith(op, value, state) : std::nullopt;
    if (!rule)
      return false;
    if (!isForward(user))
      continue;
    for (auto [result, to] : llvm::zip(user->getResults(), rule->results))
      if (to.isSplit() && !acceptsSplit(result, to))
        return false;
  }
  return true;
}

LogicalResult ParameterChooser::setState(Operation *user, ReadOp read,
                                         AxisState state, bool isOverride) {
  StringRef name = read.getVariable();
  auto known = states.find(name);
  Operation *overriding = overrides.lookup(name);
  if (isOverride)
    overrides[name] = user;
  if (known == states.end() || known->second == state ||
      (isOverride && !overriding)) {
    states[name] = state;
    return success();
  }
  if (overriding && isOverride) {
    user->emitWarning() << getModelName(user) << ": parameter " << name
                        << " stays whole over "
                        << "\"tp\": this layer wants " << state.str()
                        << " of it, " << getModelName(overriding) << " "
                        << known->second.str();
    states[name] = AxisState::replicated();
    return success();
  }
  if (!overriding)
    states[name] = AxisState::replicated();
  return success();
}

/// Splits parameters that meet the split `value` elementwise, up to the next
/// layer or value of the residual stream.
LogicalResult ParameterChooser::splitFollowers(Value value, AxisState state) {
  if (isResidual(value))
    return success();
  for (Operation *user : value.getUsers()) {
    auto op = dyn_cast<Distributable>(user);
    if (!op || !isForward(user) || layerOps.contains(user))
      continue;
    std::optional<AxisRule> rule = findRuleWith(op, value, state);
    if (!rule)
      continue;
    for (auto [operand, to] : llvm::zip(user->getOperands(), rule->operands))
      if (ReadOp read = getParameterRead(operand))
        if (failed(setState(user, read, to, /*isOverride=*/false)))
          return failure();
    for (auto [result, to] : llvm::zip(user->getResults(), rule->results))
      if (to.isSplit() && failed(splitFollowers(result, to)))
        return failure();
  }
  return success();
}

LogicalResult ParameterChooser::split(LinearLayer &layer, StringRef how,
                                      bool isOverride) {
  ReadOp read = getParameterRead(layer.op->getOperand(layer.weight));
  if (how == "whole")
    return setState(layer.op, read, AxisState::replicated(), isOverride);
  std::optional<AxisRule> rule = findRule(layer, how == "column");
  if (!rule)
    return layer.op->emitError(getModelName(layer.op))
           << ": no rule of the op splits its parameter by " << how
           << "s over \"tp\"";
  if (failed(
          setState(layer.op, read, rule->operands[layer.weight], isOverride)))
    return failure();
  // Where another layer made the parameter whole, its result is whole too.
  if (how == "column" && states[read.getVariable()].isSplit())
    return splitFollowers(layer.getResult(), rule->results[0]);
  return success();
}

FailureOr<ParameterStates> ParameterChooser::choose() {
  findLayers();
  DenseSet<Operation *> heads;
  for (LinearLayer &layer : layers)
    if (walkForward(layer).hasLoss)
      heads.insert(layer.op);
  for (LinearLayer &layer : layers)
    if (heads.contains(layer.op))
      headInputs.insert(layer.getInput());
  for (LinearLayer &layer : layers) {
    if (auto how = layer.op->getAttrOfType<StringAttr>(kTensorParallelAttr)) {
      if (how != "column" && how != "row" && how != "whole")
        return layer.op->emitError(getModelName(layer.op))
               << ": " << kTensorParallelAttr << " is " << how
               << ", expected \"column\", \"row\" or \"whole\"";
      if (failed(split(layer, how, /*isOverride=*/true)))
        return failure();
      continue;
    }
    bool isFirst = !walkBackward(layer).hasLayer;
    bool isLast = !walkForward(layer).hasLayer;
    StringRef how = isFirst == isLast ? "whole" : isFirst ? "column" : "row";
    if (heads.contains(layer.op)) {
      std::optional<AxisRule> rule = findRule(layer, /*byColumns=*/true);
      bool byClasses =
          rule && acceptsSplit(layer.getResult(), rule->results[0]);
      how = byClasses ? "column" : "whole";
    }
    if (failed(split(layer, how, /*isOverride=*/false)))
      return failure();
  }
  return std::move(states);
}

} // namespace

FailureOr<ParameterStates> chooseParameterStates(func::FuncOp step,
                                                 PlanAttr plan) {
  if (plan.getTp() == 1)
    return ParameterStates();
  return ParameterChooser(step).choose();
}

} // namespace mlir::dtc
