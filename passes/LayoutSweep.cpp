//===- LayoutSweep.cpp - Lay out ops in program order ---------------------===//
//
// Per op: 1. over dp, tp and mb the cheapest rule, each axis for itself; 2.
// each operand in a version that lies as the rules say, on a stage of the
// op; 3. pads masked where the op needs zero; 4. the results' types. A value is
// never revisited: what its users need is asked when it is made (settle*), so
// one pass over the block is enough.
//
//===----------------------------------------------------------------------===//

#include "passes/LayoutSweep.h"

#include "passes/StepFunctions.h"

namespace mlir::dtc {
namespace {

constexpr StringRef kRuleAxes[] = {kAxisDp, kAxisTp, kAxisMb};

int64_t getElements(Value value) {
  return ShapedType::getNumElements(getGlobalShape(value.getType()));
}

/// How an op that joins stages reduces: the kind of its partial rule.
ReductionKind getJoinKind(Distributable op) {
  for (const AxisRule &rule : op.getAxisRules(kAxisTp))
    if (rule.results[0].isPartial())
      return rule.results[0].reduction;
  return ReductionKind::Sum;
}

bool isPartialRule(const AxisRule &rule) {
  auto isPartial = [](const AxisState &state) { return state.isPartial(); };
  return llvm::all_of(rule.operands, isPartial) &&
         llvm::all_of(rule.results, isPartial);
}

} // namespace

uint64_t getStageSet(Operation *op) {
  uint64_t set = 0;
  if (auto stages = op->getAttrOfType<DenseI64ArrayAttr>(kStagesAttr))
    for (int64_t stage : stages.asArrayRef())
      set |= uint64_t(1) << stage;
  return set;
}

//===-- Choice of a rule --------------------------------------------------===//

/// R may enter a partial sum where it is a broadcast operand, and in sums that
/// end in the tail; elsewhere the other operand is reduced.
bool LayoutSweep::mayEnterSum(Distributable op, unsigned index) const {
  if (op.joinsStages())
    return endsInTail(op);
  auto getRank = [](Value value) {
    return getGlobalShape(value.getType()).size();
  };
  return op->getNumResults() == 1 &&
         getRank(op->getOperand(index)) < getRank(op->getResult(0));
}

std::optional<int64_t> LayoutSweep::getOperandCost(Distributable op,
                                                   unsigned index,
                                                   StringRef axis,
                                                   AxisState wanted) const {
  Value operand = op->getOperand(index);
  int64_t elements = getElements(operand);
  bool isParameter = values.getFacts(operand).isParameter;
  std::optional<int64_t> best;
  auto offer = [&](int64_t cost) {
    best = std::min(best.value_or(cost), cost);
  };
  for (Value version : values.getUsable(operand, op)) {
    AxisState state = getLayout(version).on(axis);
    if (state == wanted)
      offer(0);
    else if (wanted.isPartial() && state.isReplicated() &&
             mayEnterSum(op, index))
      offer(0);
    else if (wanted.isPartial() || wanted.isOpaque() || state.isOpaque())
      continue;
    else if (state.isReplicated())
      offer(1);
    else if (state.isPartial() && (wanted.isReplicated() || axis != kAxisMb))
      offer(elements); // Into a shard no cheaper: the other operand decides.
    else if (state.isSplit() && axis == kAxisTp && !isParameter)
      offer(elements);
  }
  return best;
}

/// What a rule costs: its operands, and what its results will cost later.
std::optional<int64_t> LayoutSweep::getCost(Distributable op, StringRef axis,
                                            const AxisRule &rule) const {
  int64_t cost = 0;
  bool isPartial = false;
  for (auto [index, wanted] : llvm::enumerate(rule.operands)) {
    std::optional<int64_t> one = getOperandCost(op, index, axis, wanted);
    if (!one)
      return std::nullopt;
    cost += *one;
    isPartial |= wanted.isPartial();
  }
  if (axis != kAxisTp || rule.results.empty())
    return cost;
  const AxisState &result = rule.results[0];
  int64_t elements = getElements(op->getResult(0));
  // A gradient lies as its parameter or is an addend of it.
  if (auto of = op->getAttrOfType<FlatSymbolRefAttr>(kGradientOfAttr)) {
    AxisState state = states.lookup(of.getValue());
    if (result != state && !(state.isReplicated() && result.isPartial()))
      return std::nullopt;
  }
  if (op->hasAttr(kResidualAttr) && !result.isReplicated())
    cost += result.isPartial() ? 2 * elements : elements;
  else if (op.isContraction() && result.isPartial() && !isPartial)
    cost += elements;
  return cost;
}

/// True for an op that reads inputs of the model and nothing of the loop: the
/// micro-batches begin here.
bool LayoutSweep::startsLoop(Distributable op) const {
  bool readsInput = false;
  for (Value operand : op->getOperands()) {
    if (!getLayout(values.getBase(operand)).on(kAxisMb).isReplicated())
      return false;
    readsInput |= values.getFacts(operand).isInput;
  }
  return readsInput;
}

FailureOr<AxisRule> LayoutSweep::chooseRule(Distributable op,
                                            StringRef axis) const {
  SmallVector<AxisRule> rules = op.getAxisRules(axis);
  std::optional<Choice> best;
  auto choose = [&](llvm::function_ref<bool(const AxisRule &)> isCandidate) {
    for (const AxisRule &rule : rules) {
      if (!isCandidate(rule))
        continue;
      std::optional<int64_t> cost = getCost(op, axis, rule);
      if (cost && (!best || *cost < best->cost))
        best = {rule, *cost};
    }
  };
  // Rows of the step are cut into micro-batches at their first use, unless the
  // op reduces them: a count of labels is made once, before the loop.
  if (axis == kAxisMb && startsLoop(op))
    choose([&](const AxisRule &rule) {
      for (auto [operand, state] : llvm::zip(op->getOperands(), rule.operands))
        if (values.getFacts(operand).isInput && !state.isSplit(0))
          return false;
      return llvm::all_of(rule.results,
                          [](const AxisState &s) { return s.isSplit(); });
    });
  if (!best)
    choose([](const AxisRule &) { return true; });
  if (best)
    return best->rule;
  InFlightDiagnostic diagnostic = op->emitOpError(getModelName(op))
                                  << ": no rule over axis \"" << axis
                                  << "\" fits what the operands hold (";
  llvm::interleaveComma(op->getOperands(), diagnostic, [&](Value operand) {
    diagnostic << getLayout(values.getBase(operand)).on(axis).str();
  });
  diagnostic << "), expected ";
  llvm::interleave(
      rules, diagnostic,
      [&](const AxisRule &rule) {
        diagnostic << '(';
        llvm::interleaveComma(rule.operands, diagnostic,
                              [&](AxisState s) { diagnostic << s.str(); });
        diagnostic << ')';
      },
      " or ");
  return diagnostic << "; nothing but parameters and their gradients is "
                       "gathered over \"dp\" or \"mb\"";
}

/// A reduction over mb ends the loop: its result has no use inside it.
LogicalResult LayoutSweep::checkLoop(Distributable op,
                                     const AxisRule &overMb) const {
  auto isLooped = [](const AxisState &state) { return !state.isReplicated(); };
  if (!llvm::any_of(overMb.operands, isLooped) &&
      !llvm::any_of(overMb.results, isLooped))
    return success();
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    bool isReducedHere =
        overMb.operands[index].isReplicated() &&
        getLayout(values.getBase(operand)).on(kAxisMb).isPartial();
    if (!isReducedHere && !values.getFacts(operand).isAfterLoop)
      continue;
    Operation *made = operand.getDefiningOp();
    return op->emitOpError(getModelName(op))
           << ": " << op.describeOperand(index) << " ("
           << (made ? getModelName(made) : StringRef("an input"))
           << ") is a reduction over the micro-batches and is used inside the "
              "loop over them, where it does not exist yet";
  }
  return success();
}

//===-- Stages ------------------------------------------------------------===//

AxisState LayoutSweep::getOperandStages(Distributable op, Value operand) const {
  AxisState state = getLayout(values.getBase(operand)).on(kAxisPp);
  uint64_t stages = getStageSet(op);
  if (op.joinsStages() && llvm::popcount(stages) > 1) {
    // Equal bits on several stages enter the sum on the first of them.
    if (state.isOn() && llvm::popcount(state.stages) > 1)
      return AxisState::partial(getJoinKind(op), state.stages);
    return state;
  }
  if (state.isPartial() &&
      llvm::any_of(op.getAxisRules(kAxisPp), isPartialRule))
    return state;
  return AxisState::on(stages);
}

/// From the operands as they are after they were fitted.
AxisState LayoutSweep::getResultStages(Distributable op) const {
  uint64_t stages = getStageSet(op);
  bool joins = op.joinsStages() && llvm::popcount(stages) > 1;
  uint64_t together = 0;
  for (Value operand : op->getOperands()) {
    AxisState state = getLayout(operand).on(kAxisPp);
    if (!joins && state.isPartial())
      return state;
    together |= state.stages;
  }
  if (!joins)
    return AxisState::on(stages);
  return llvm::popcount(together) > 1
             ? AxisState::partial(getJoinKind(op), together)
             : AxisState::on(together);
}

//===-- Pads and types ----------------------------------------------------===//

Value LayoutSweep::maskPads(Value value, Operation *user) {
  Value &mask = masked[value];
  if (mask && getPhase(mask.getDefiningOp()) == getPhase(user))
    return mask;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<PadKind> zeros(type.getRank(), PadKind::Zero);
  LayoutAttr layout = withPads(getLayout(type), getGlobalShape(type), zeros);
  OpBuilder builder(user);
  auto op = builder.create<MaskPadsOp>(value.getLoc(), withLayout(type, layout),
                                       value);
  describeAsValue(op, value, getPhase(user));
  return mask = op.getResult();
}

FailureOr<PadRule> LayoutSweep::inferPads(Distributable op) {
  while (true) {
    SmallVector<PadVector> pads;
    for (Value operand : op->getOperands())
      pads.push_back(getPads(operand.getType()));
    PadRule rule = op.inferPads(pads);
    if (rule.mustBeFill >= 0)
      return op->emitOpError(getModelName(op))
             << ": " << op.describeOperand(rule.mustBeFill) << " has pads "
             << stringifyPadKind(pads[rule.mustBeFill][rule.dim])
             << " in dimension " << rule.dim
             << ", expected fill: labels come from the data as they are";
    if (rule.mustBeZero < 0)
      return rule;
    unsigned index = rule.mustBeZero;
    op->setOperand(index, maskPads(op->getOperand(index), op));
  }
}

void LayoutSweep::defineResults(Distributable op, ArrayRef<Value> originals,
                                ArrayRef<AxisRule> rules, const PadRule &pads,
                                AxisState stages) {
  ValueFacts facts;
  facts.reduceDtype = op->getAttrOfType<TypeAttr>("reduce_dtype");
  for (Value original : originals) {
    const ValueFacts &known = values.getFacts(original);
    if (!facts.reduceDtype)
      facts.reduceDtype = known.reduceDtype;
    facts.isAfterLoop |= known.isAfterLoop;
  }
  for (auto [index, result] : llvm::enumerate(op->getResults())) {
    LayoutAttr layout = makeLayout(plan, ~uint64_t(0) >> (64 - plan.getPp()))
                            .with(kAxisPp, stages);
    for (auto [axis, rule] : llvm::zip(kRuleAxes, rules))
      layout = layout.with(axis, rule.results[index]);
    auto type = cast<RankedTensorType>(result.getType());
    layout = withPads(layout, getGlobalShape(type), pads.results[index]);
    result.setType(withLayout(type, layout));
    values.define(result, facts);
  }
}

LogicalResult LayoutSweep::layOut(Distributable op) {
  SmallVector<AxisRule, 3> rules;
  for (StringRef axis : kRuleAxes) {
    FailureOr<AxisRule> rule = chooseRule(op, axis);
    if (failed(rule))
      return failure();
    rules.push_back(*rule);
  }
  if (failed(checkLoop(op, rules[2])))
    return failure();

  SmallVector<Value> originals(op->getOperands());
  for (auto [index, original] : llvm::enumerate(originals)) {
    LayoutAttr target = getLayout(values.getBase(original))
                            .with(kAxisPp, getOperandStages(op, original));
    for (auto [axis, rule] : llvm::zip(kRuleAxes, rules))
      target = target.with(axis, rule.operands[index]);
    FailureOr<Value> fitted = values.fit(original, target, op);
    if (failed(fitted))
      return failure();
    op->setOperand(index, *fitted);
  }
  FailureOr<PadRule> pads = inferPads(op);
  if (failed(pads))
    return failure();
  defineResults(op, originals, rules, *pads, getResultStages(op));
  op->removeAttr(kStagesAttr);
  return success();
}

LogicalResult LayoutSweep::fitOperand(Operation *op, unsigned index,
                                      LayoutAttr target) {
  FailureOr<Value> fitted = values.fit(op->getOperand(index), target, op);
  if (failed(fitted))
    return failure();
  op->setOperand(index, *fitted);
  return success();
}

} // namespace mlir::dtc
