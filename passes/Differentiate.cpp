//===- Differentiate.cpp - Append the backward graph ----------------------===//
//
// Gradients are ordinary global ops, made before any layout is known, so that
// where they are reduced follows from one rule and collectives need no
// gradient.
//
// Reverse mode over the straight-line graph: the loss gives the cotangent of
// its prediction; then each forward op, last first, turns the cotangents of its
// results into contributions to its operands. A value's contributions are
// complete when its own op is reached, since all users come later in the block,
// and several become one n-ary dtc.sum, which later passes can cut by stages.
// Ends after one visit an op.
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"
#include "passes/StepFunctions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/StringMap.h"

#define DEBUG_TYPE "dtc-differentiate"

namespace mlir::dtc {
#define GEN_PASS_DEF_DIFFERENTIATEPASS
#include "passes/Passes.h.inc"

namespace {

/// One addend of a value's cotangent.
struct Contribution {
  Value cotangent;
  std::string user; ///< model name of the op that used the value
};

class Differentiation {
public:
  explicit Differentiation(func::FuncOp function)
      : function(function), builder(function.getContext()) {}

  LogicalResult run(ModuleOp module);

private:
  /// The op before the terminator, after which gradients are appended.
  Operation *getLastOp() {
    return function.front().getTerminator()->getPrevNode();
  }
  void findActiveValues();
  bool isTrainable(ReadOp read) const;
  LogicalResult startAtLoss(Loss loss);
  LogicalResult visit(Operation *op);
  void addContribution(OpOperand &operand, Value cotangent);
  Value getCotangent(Value value);
  Value makeSum(ArrayRef<Contribution> contributions, StringRef valueName,
                StringRef sumName);
  void finishParameter(VariableOp parameter);
  void nameNewOps(Operation *before, Operation *source, ValueRange gradients);

  func::FuncOp function;
  OpBuilder builder;
  /// Values that depend on a trainable parameter.
  DenseSet<Value> active;
  DenseMap<Value, SmallVector<Contribution, 2>> contributions;
  llvm::StringMap<SmallVector<Contribution, 2>> parameterContributions;
};

bool Differentiation::isTrainable(ReadOp read) const {
  auto variable = SymbolTable::lookupNearestSymbolFrom<VariableOp>(
      read, read.getVariableAttr());
  return variable && isTrainableParameter(variable);
}

void Differentiation::findActiveValues() {
  for (Operation &op : function.front()) {
    auto read = dyn_cast<ReadOp>(op);
    bool depends = read ? isTrainable(read)
                        : llvm::any_of(op.getOperands(), [&](Value operand) {
                            return active.contains(operand);
                          });
    if (depends)
      active.insert(op.result_begin(), op.result_end());
  }
}

/// Names and marks what was appended after `before` on behalf of `source`. An
/// op that makes the gradient of operand i is `<source>.input_grad` (from the
/// second operand on with i), a step on the way there ends in its op's name.
void Differentiation::nameNewOps(Operation *before, Operation *source,
                                 ValueRange gradients) {
  std::string prefix = getModelName(source).str();
  for (auto [index, gradient] : llvm::enumerate(gradients)) {
    Operation *op = gradient ? gradient.getDefiningOp() : nullptr;
    if (!op || op->hasAttr(kNameAttr) || op->getBlock() != before->getBlock())
      continue;
    std::string name = prefix + ".input_grad";
    if (index > 0)
      name += std::to_string(index);
    setNameAndPhase(op, name, StepPhase::Backward);
  }
  for (Operation *op = before->getNextNode(); op; op = op->getNextNode()) {
    if (op->hasTrait<OpTrait::IsTerminator>())
      break;
    if (!op->hasAttr(kNameAttr))
      setNameAndPhase(op, prefix + ".grad." + getShortName(op),
                      StepPhase::Backward);
    op->setAttr(kForwardAttr, builder.getStringAttr(prefix));
  }
}

LogicalResult Differentiation::startAtLoss(Loss loss) {
  Operation *before = getLastOp();
  Value prediction;
  Value gradient = loss.buildLossGradient(builder, prediction);
  if (!gradient)
    return failure();
  if (!active.contains(prediction))
    return loss->emitOpError("depends on no trainable parameter");
  if (Operation *op = gradient.getDefiningOp())
    setNameAndPhase(op, getModelName(loss) + ".grad", StepPhase::Backward);
  nameNewOps(before, loss, {});
  if (Operation *op = prediction.getDefiningOp())
    op->setAttr(kPredictionAttr, builder.getUnitAttr());
  contributions[prediction].push_back({gradient, getModelName(loss).str()});
  return success();
}

void Differentiation::addContribution(OpOperand &operand, Value cotangent) {
  Operation *user = operand.getOwner();
  std::string name = getModelName(user).str();
  // The same value twice in one op: both contributions count, under two names.
  for (OpOperand &other : user->getOpOperands())
    if (other.getOperandNumber() < operand.getOperandNumber() &&
        other.get() == operand.get())
      name =
          (getModelName(user) + "#" + Twine(operand.getOperandNumber())).str();
  contributions[operand.get()].push_back({cotangent, name});
}

Value Differentiation::makeSum(ArrayRef<Contribution> addends,
                               StringRef valueName, StringRef sumName) {
  SmallVector<Value> inputs;
  SmallVector<Attribute> terms;
  for (const Contribution &addend : addends) {
    StringAttr term = builder.getStringAttr(valueName + "/" + addend.user);
    inputs.push_back(addend.cotangent);
    terms.push_back(builder.getArrayAttr({term}));
    if (Operation *op = addend.cotangent.getDefiningOp())
      if (!op->hasAttr(kTermAttr))
        op->setAttr(kTermAttr, term);
  }
  auto sum = builder.create<SumOp>(function.getLoc(), inputs.front().getType(),
                                   inputs, builder.getArrayAttr(terms));
  setNameAndPhase(sum, sumName, StepPhase::Backward);
  sum->setAttr(kForwardAttr, builder.getStringAttr(valueName));
  return sum.getResult();
}

Value Differentiation::getCotangent(Value value) {
  auto found = contributions.find(value);
  if (found == contributions.end())
    return {};
  if (found->second.size() == 1)
    return found->second.front().cotangent;
  std::string name = getModelName(value.getDefiningOp()).str();
  return makeSum(found->second, name, name + ".grad");
}

LogicalResult Differentiation::visit(Operation *op) {
  if (auto read = dyn_cast<ReadOp>(op)) {
    auto found = contributions.find(read.getResult());
    if (found != contributions.end())
      llvm::append_range(parameterContributions[read.getVariable()],
                         found->second);
    return success();
  }
  SmallVector<Value> cotangents;
  for (Value result : op->getResults())
    cotangents.push_back(getCotangent(result));
  if (llvm::none_of(cotangents, [](Value value) { return bool(value); }))
    return success();
  auto differentiable = dyn_cast<Differentiable>(op);
  if (!differentiable)
    return op->emitOpError("has no gradient, and the loss depends on a "
                           "trainable parameter through it");
  SmallVector<bool> wanted;
  for (Value operand : op->getOperands())
    wanted.push_back(active.contains(operand));
  SmallVector<Value> gradients;
  Operation *before = getLastOp();
  differentiable.buildGradients(builder, cotangents, wanted, gradients);
  assert(gradients.size() == op->getNumOperands() &&
         "buildGradients gives one value an operand");
  nameNewOps(before, op, gradients);
  for (OpOperand &operand : op->getOpOperands())
    if (Value gradient = gradients[operand.getOperandNumber()])
      addContribution(operand, gradient);
  return success();
}

/// Gives the parameter's gradient one op of its own and marks it. A cotangent
/// that is also something else (an activation's, or another parameter's) gets a
/// sum of one term, so that a mark never means two things.
void Differentiation::finishParameter(VariableOp parameter) {
  StringRef name = parameter.getSymName();
  auto found = parameterContributions.find(name);
  if (found == parameterContributions.end()) {
    parameter.emitWarning("parameter ")
        << name
        << " does not reach the loss: it gets no gradient, no optimizer "
        << "state and no update";
    return;
  }
  std::string gradientName = (name + ".grad").str();
  ArrayRef<Contribution> addends = found->second;
  Value gradient = addends.front().cotangent;
  if (addends.size() > 1) {
    for (const Contribution &addend : addends)
      if (Operation *op = addend.cotangent.getDefiningOp();
          op && !op->hasAttr(kGradientOfAttr) && addend.cotangent.use_empty())
        op->setAttr(kNameAttr,
                    builder.getStringAttr(gradientName + "." + addend.user));
    gradient = makeSum(addends, name, gradientName);
  } else {
    Operation *op = gradient.getDefiningOp();
    if (op->hasAttr(kGradientOfAttr) || !gradient.use_empty()) {
      gradient = makeSum(addends, name, gradientName);
      op = gradient.getDefiningOp();
    }
    op->setAttr(kNameAttr, builder.getStringAttr(gradientName));
    op->setAttr(kTermAttr, builder.getStringAttr(name));
  }
  gradient.getDefiningOp()->setAttr(
      kGradientOfAttr, FlatSymbolRefAttr::get(parameter.getSymNameAttr()));
}

LogicalResult Differentiation::run(ModuleOp module) {
  FailureOr<Loss> loss = findLoss(function);
  if (failed(loss))
    return failure();
  findActiveValues();
  SmallVector<Operation *> forward;
  for (Operation &op : function.front().without_terminator())
    forward.push_back(&op);
  builder.setInsertionPoint(function.front().getTerminator());
  if (failed(startAtLoss(*loss)))
    return failure();
  for (Operation *op : llvm::reverse(forward))
    if (failed(visit(op)))
      return failure();
  for (VariableOp parameter : module.getOps<VariableOp>())
    if (isTrainableParameter(parameter))
      finishParameter(parameter);
  return success();
}

struct DifferentiatePass
    : public impl::DifferentiatePassBase<DifferentiatePass> {
  using DifferentiatePassBase::DifferentiatePassBase;

  void runOnOperation() final {
    func::FuncOp step = findTrainStep(getOperation());
    if (!step || failed(Differentiation(step).run(getOperation())))
      return signalPassFailure();
  }
};

} // namespace
} // namespace mlir::dtc
