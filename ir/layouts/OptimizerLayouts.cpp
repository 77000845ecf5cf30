//===- OptimizerLayouts.cpp - Layout rules of the tail --------------------===//
//
// In the tail a value is whole, a shard, or (in a bucket of split parameters)
// opaque; shards and opaque parts count once in sums. What the update reads is
// reduced, so all copies of a parameter stay equal bit for bit.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"
#include "ir/layouts/AxisRules.h"

namespace mlir::dtc {

static PadRule noPads(Operation *op) {
  PadRule rule;
  rule.results.assign(op->getNumResults(), PadVector());
  return rule;
}

/// All R, for ops on scalars of the step.
static AxisRules getWholeRules(Operation *op) {
  AxisRules rules;
  addRule(rules, SmallVector<AxisState>(op->getNumOperands(), R()),
          SmallVector<AxisState>(op->getNumResults(), R()));
  return rules;
}

/// A scalar summary of one tensor: whole stays whole, parts are addends.
static AxisRules getSummaryRules(Value input, ReductionKind kind) {
  AxisRules rules;
  addRule(rules, {R()}, {R()});
  for (int64_t dim = 0; dim < getRank(input); ++dim)
    addRule(rules, {S(dim)}, {P(kind)});
  addRule(rules, {X()}, {P(kind)});
  return rules;
}

AxisRules NonfiniteBitOp::getAxisRules(StringRef) {
  return getSummaryRules(getInput(), ReductionKind::Or);
}

PadRule NonfiniteBitOp::inferPads(ArrayRef<PadVector>) { return noPads(*this); }

AxisRules EmptyBitOp::getAxisRules(StringRef) { return getWholeRules(*this); }

PadRule EmptyBitOp::inferPads(ArrayRef<PadVector>) { return noPads(*this); }

AxisRules OrOp::getAxisRules(StringRef) {
  AxisRules rules = getWholeRules(*this);
  AxisState bits = P(ReductionKind::Or);
  addRule(rules, SmallVector<AxisState>(getInputs().size(), bits), {bits});
  return rules;
}

PadRule OrOp::inferPads(ArrayRef<PadVector>) { return noPads(*this); }

bool OrOp::joinsStages() { return true; }

std::string OrOp::describeOperand(unsigned index) {
  return describeTerm(getTerms(), getInputs()[index], index);
}

/// The tensor operands named by `tensors` and all results lie alike (R, S, X),
/// the scalars are R.
static AxisRules getUpdateRules(Operation *op, ArrayRef<unsigned> tensors) {
  AxisRules rules = getWholeRules(op);
  auto addState = [&](AxisState state) {
    SmallVector<AxisState> operands(op->getNumOperands(), R());
    for (unsigned index : tensors)
      operands[index] = state;
    addRule(rules, operands,
            SmallVector<AxisState>(op->getNumResults(), state));
  };
  for (int64_t dim = 0; dim < getRank(op->getResult(0)); ++dim)
    addState(S(dim));
  addState(X());
  return rules;
}

/// Zero gradient, zero state and zero value stay zero.
static PadRule inferUpdatePads(Operation *op, ArrayRef<PadVector> operands,
                               ArrayRef<unsigned> tensors) {
  PadVector pads;
  for (int64_t dim = 0; dim < getRank(op->getResult(0)); ++dim)
    pads.push_back(zeroOrAny(llvm::all_of(tensors, [&](unsigned index) {
      return operands[index][dim] == PadKind::Zero;
    })));
  PadRule rule;
  rule.results.assign(op->getNumResults(), pads);
  return rule;
}

AxisRules UnscaleOp::getAxisRules(StringRef) {
  return getUpdateRules(*this, {0});
}

PadRule UnscaleOp::inferPads(ArrayRef<PadVector> operands) {
  return inferUpdatePads(*this, operands, {0});
}

AxisRules SumSquaresOp::getAxisRules(StringRef) {
  return getSummaryRules(getInput(), ReductionKind::Sum);
}

PadRule SumSquaresOp::inferPads(ArrayRef<PadVector> operands) {
  PadRule rule = noPads(*this);
  for (int64_t dim = 0; dim < getRank(getInput()); ++dim)
    needZero(rule, operands, 0, {dim});
  return rule;
}

AxisRules SqrtOp::getAxisRules(StringRef) {
  AxisRules rules = getWholeRules(*this);
  for (int64_t dim = 0; dim < getRank(getInput()); ++dim)
    addRule(rules, {S(dim)}, {S(dim)});
  return rules;
}

PadRule SqrtOp::inferPads(ArrayRef<PadVector> operands) {
  PadVector pads;
  for (PadKind kind : operands[0])
    pads.push_back(zeroOrAny(kind == PadKind::Zero));
  return makePadRule({pads});
}

AxisRules ClipFactorOp::getAxisRules(StringRef) { return getWholeRules(*this); }

PadRule ClipFactorOp::inferPads(ArrayRef<PadVector>) { return noPads(*this); }

AxisRules LearningRateOp::getAxisRules(StringRef) {
  return getWholeRules(*this);
}

PadRule LearningRateOp::inferPads(ArrayRef<PadVector>) { return noPads(*this); }

/// Indices of sgd's tensors: value, momentum where there is one, gradient.
static SmallVector<unsigned> getTensors(SgdOp op) {
  return op.getMomentumState() ? SmallVector<unsigned>{0, 1, 2}
                               : SmallVector<unsigned>{0, 1};
}

AxisRules SgdOp::getAxisRules(StringRef) {
  return getUpdateRules(*this, getTensors(*this));
}

PadRule SgdOp::inferPads(ArrayRef<PadVector> operands) {
  return inferUpdatePads(*this, operands, getTensors(*this));
}

AxisRules AdamWOp::getAxisRules(StringRef) {
  return getUpdateRules(*this, {0, 1, 2, 3});
}

PadRule AdamWOp::inferPads(ArrayRef<PadVector> operands) {
  return inferUpdatePads(*this, operands, {0, 1, 2, 3});
}

AxisRules AdvanceOp::getAxisRules(StringRef) { return getWholeRules(*this); }

PadRule AdvanceOp::inferPads(ArrayRef<PadVector>) { return noPads(*this); }

//===-- Buckets
//-------------------------------------------------------------===//

/// Which dimension a member splits is the member's own affair, so the rule of a
/// bucket that is X takes the splits that the types have (dimension 0 before
/// there are layouts).
static SmallVector<AxisState> getSplits(ValueRange members, StringRef axis) {
  SmallVector<AxisState> states;
  for (Value member : members) {
    LayoutAttr layout = getLayout(member);
    bool isSplit = layout && layout.on(axis).isSplit();
    states.push_back(isSplit ? layout.on(axis) : S(0));
  }
  return states;
}

AxisRules PackOp::getAxisRules(StringRef axis) {
  AxisRules rules = getWholeRules(*this);
  if (axis == kAxisMb)
    return rules; // gradients are accumulated before they are packed
  addRule(rules, getSplits(getMembers(), axis), {X()});
  addRule(rules, SmallVector<AxisState>(getMembers().size(), P()), {P()});
  return rules;
}

/// Pads of the members become elements of the bucket, which are summed.
PadRule PackOp::inferPads(ArrayRef<PadVector> operands) {
  PadRule rule = makePadRule({{PadKind::Zero}});
  for (auto [index, pads] : llvm::enumerate(operands))
    for (size_t dim = 0; dim < pads.size(); ++dim)
      needZero(rule, operands, index, {static_cast<int64_t>(dim)});
  return rule;
}

/// "the gradient of up.weight": a bucket's members are variables, listed at the
/// variable that holds the bucket.
std::string PackOp::describeOperand(unsigned index) {
  auto module = (*this)->getParentOfType<ModuleOp>();
  auto bucket =
      module ? module.lookupSymbol<VariableOp>(getBucket()) : VariableOp();
  if (!bucket || !bucket.getMembers() || index >= bucket.getMembers()->size())
    return "member " + std::to_string(index);
  Attribute name = (*bucket.getMembers())[index];
  std::string text = "the gradient of ";
  if (auto symbol = dyn_cast<FlatSymbolRefAttr>(name))
    return text + symbol.getValue().str();
  if (auto string = dyn_cast<StringAttr>(name))
    return text + string.getValue().str();
  return "member " + std::to_string(index);
}

AxisRules UnpackOp::getAxisRules(StringRef axis) {
  AxisRules rules = getWholeRules(*this);
  if (axis != kAxisMb)
    addRule(rules, {X()}, getSplits(getMembers(), axis));
  return rules;
}

/// A bucket is zero wherever a member has pads.
PadRule UnpackOp::inferPads(ArrayRef<PadVector>) {
  PadRule rule;
  for (Value member : getMembers())
    rule.results.push_back(allPads(member, PadKind::Zero));
  return rule;
}

} // namespace mlir::dtc
