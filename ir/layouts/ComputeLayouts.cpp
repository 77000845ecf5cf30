//===- ComputeLayouts.cpp - Layout rules of compute ops -------------------===//
//
// Linear ops pass a partial value on, products of two partial values and
// nonlinear functions of one do not exist. Contractions turn a split of what
// they sum over into a partial result.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"
#include "ir/layouts/AxisRules.h"

namespace mlir::dtc {

//===-- Contractions
//--------------------------------------------------------===//

AxisRules MatMulOp::getAxisRules(StringRef) {
  int64_t m = getTransposeLhs() ? 1 : 0, lhsK = 1 - m;
  int64_t n = getTransposeRhs() ? 0 : 1, rhsK = 1 - n;
  AxisRules rules;
  addRule(rules, {R(), R()}, {R()});
  addRule(rules, {S(m), R()}, {S(0)});
  addRule(rules, {R(), S(n)}, {S(1)});
  addRule(rules, {S(lhsK), S(rhsK)}, {P()});
  addRule(rules, {P(), R()}, {P()});
  addRule(rules, {R(), P()}, {P()});
  return rules;
}

PadRule MatMulOp::inferPads(ArrayRef<PadVector> operands) {
  int64_t m = getTransposeLhs() ? 1 : 0, lhsK = 1 - m;
  int64_t n = getTransposeRhs() ? 0 : 1, rhsK = 1 - n;
  PadRule rule = makePadRule({{zeroOrAny(operands[0][m] == PadKind::Zero),
                               zeroOrAny(operands[1][n] == PadKind::Zero)}});
  // One zero factor is enough: the other is finite.
  if (isNotZero(operands[0][lhsK]) && operands[1][rhsK] != PadKind::Zero)
    needZero(rule, operands, 0, {lhsK});
  else if (isNotZero(operands[1][rhsK]) && operands[0][lhsK] != PadKind::Zero)
    needZero(rule, operands, 1, {rhsK});
  return rule;
}

bool MatMulOp::isContraction() { return true; }

AxisRules ReduceSumOp::getAxisRules(StringRef) {
  AxisRules rules;
  addRule(rules, {R()}, {R()});
  int64_t kept = 0;
  for (int64_t dim = 0, rank = getRank(getInput()); dim < rank; ++dim)
    if (llvm::is_contained(getDims(), dim))
      addRule(rules, {S(dim)}, {P()});
    else
      addRule(rules, {S(dim)}, {S(kept++)});
  addRule(rules, {P()}, {P()});
  return rules;
}

PadRule ReduceSumOp::inferPads(ArrayRef<PadVector> operands) {
  PadVector kept;
  for (auto [dim, kind] : llvm::enumerate(operands[0]))
    if (!llvm::is_contained(getDims(), static_cast<int64_t>(dim)))
      kept.push_back(zeroOrAny(kind == PadKind::Zero));
  PadRule rule = makePadRule({kept});
  needZero(rule, operands, 0, getDims());
  return rule;
}

//===-- Binary ops with broadcast
//-------------------------------------------===//

/// Rules of R and of splits, which binary ops share: dimension d of lhs is
/// dimension d - offset of rhs, or is broadcast.
static AxisRules getBroadcastRules(Value lhs, Value rhs) {
  AxisRules rules;
  addRule(rules, {R(), R()}, {R()});
  int64_t offset = getRank(lhs) - getRank(rhs);
  for (int64_t dim = 0; dim < getRank(lhs); ++dim)
    addRule(rules, {S(dim), dim < offset ? R() : S(dim - offset)}, {S(dim)});
  return rules;
}

/// f(0, 0) = 0, so pads stay zero where both are zero. A broadcast operand has
/// its values in the pads of the dimensions that it lacks.
static PadRule inferSumPads(ArrayRef<PadVector> operands) {
  PadVector pads;
  size_t offset = operands[0].size() - operands[1].size();
  for (auto [dim, kind] : llvm::enumerate(operands[0]))
    pads.push_back(zeroOrAny(kind == PadKind::Zero && dim >= offset &&
                             operands[1][dim - offset] == PadKind::Zero));
  return makePadRule({pads});
}

AxisRules AddOp::getAxisRules(StringRef) {
  AxisRules rules = getBroadcastRules(getLhs(), getRhs());
  addRule(rules, {P(), P()}, {P()});
  return rules;
}

PadRule AddOp::inferPads(ArrayRef<PadVector> operands) {
  return inferSumPads(operands);
}

AxisRules SubOp::getAxisRules(StringRef) {
  AxisRules rules = getBroadcastRules(getLhs(), getRhs());
  addRule(rules, {P(), P()}, {P()});
  return rules;
}

PadRule SubOp::inferPads(ArrayRef<PadVector> operands) {
  return inferSumPads(operands);
}

AxisRules MulOp::getAxisRules(StringRef) {
  AxisRules rules = getBroadcastRules(getLhs(), getRhs());
  addRule(rules, {P(), R()}, {P()});
  addRule(rules, {R(), P()}, {P()});
  return rules;
}

PadRule MulOp::inferPads(ArrayRef<PadVector> operands) {
  PadVector pads;
  size_t offset = operands[0].size() - operands[1].size();
  for (auto [dim, kind] : llvm::enumerate(operands[0]))
    pads.push_back(zeroOrAny(
        kind == PadKind::Zero ||
        (dim >= offset && operands[1][dim - offset] == PadKind::Zero)));
  return makePadRule({pads});
}

//===-- Unary ops
//-----------------------------------------------------------===//

/// R and every split, operands and result alike.
static AxisRules getAlikeRules(Operation *op) {
  Value result = op->getResult(0);
  AxisRules rules;
  auto addAll = [&](AxisState state) {
    SmallVector<AxisState> operands(op->getNumOperands(), state);
    addRule(rules, operands, {state});
  };
  addAll(R());
  for (int64_t dim = 0; dim < getRank(result); ++dim)
    addAll(S(dim));
  return rules;
}

static PadRule keepPads(ArrayRef<PadVector> operands) {
  PadVector pads;
  for (PadKind kind : operands[0])
    pads.push_back(zeroOrAny(kind == PadKind::Zero));
  return makePadRule({pads});
}

AxisRules ReluOp::getAxisRules(StringRef) { return getAlikeRules(*this); }

PadRule ReluOp::inferPads(ArrayRef<PadVector> operands) {
  return keepPads(operands);
}

AxisRules ReluGradOp::getAxisRules(StringRef) { return getAlikeRules(*this); }

/// Zero where the cotangent is, and where relu gave 0.
PadRule ReluGradOp::inferPads(ArrayRef<PadVector> operands) {
  PadVector pads;
  for (auto [cotangent, output] : llvm::zip(operands[0], operands[1]))
    pads.push_back(
        zeroOrAny(cotangent == PadKind::Zero || output == PadKind::Zero));
  return makePadRule({pads});
}

/// A partial value is never rounded down: its sum would be of rounded addends.
AxisRules CastOp::getAxisRules(StringRef) {
  AxisRules rules = getAlikeRules(*this);
  if (getElementTypeOrSelf(getResult()).getIntOrFloatBitWidth() >
      getElementTypeOrSelf(getInput()).getIntOrFloatBitWidth())
    addRule(rules, {P()}, {P()});
  return rules;
}

PadRule CastOp::inferPads(ArrayRef<PadVector> operands) {
  return keepPads(operands);
}

AxisRules MaskPadsOp::getAxisRules(StringRef) {
  AxisRules rules = getAlikeRules(*this);
  addRule(rules, {P()}, {P()});
  return rules;
}

PadRule MaskPadsOp::inferPads(ArrayRef<PadVector>) {
  return makePadRule({allPads(getResult(), PadKind::Zero)});
}

//===-- Shapes
//--------------------------------------------------------------===//

AxisRules BroadcastOp::getAxisRules(StringRef) {
  AxisRules rules;
  addRule(rules, {R()}, {R()});
  for (int64_t dim = 0; dim < getRank(getResult()); ++dim) {
    const int64_t *from = llvm::find(getDims(), dim);
    // A new dimension is split for free: each coordinate repeats less often.
    addRule(rules,
            {from == getDims().end() ? R() : S(from - getDims().begin())},
            {S(dim)});
  }
  addRule(rules, {P()}, {P()});
  return rules;
}

PadRule BroadcastOp::inferPads(ArrayRef<PadVector> operands) {
  PadVector pads = allPads(getResult(), PadKind::Any);
  for (auto [from, to] : llvm::enumerate(getDims()))
    pads[to] = zeroOrAny(operands[0][from] == PadKind::Zero);
  return makePadRule({pads});
}

/// Pairs (input, result) of dimensions that a reshape leaves alone: equal size,
/// and equally many elements before them.
static SmallVector<std::pair<int64_t, int64_t>>
getKeptDims(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<std::pair<int64_t, int64_t>> kept;
  int64_t before = 1, resultBefore = 1;
  for (size_t i = 0, j = 0; i < from.size() && j < to.size();) {
    if (before == resultBefore && from[i] == to[j]) {
      kept.push_back({i, j});
      before *= from[i++];
      resultBefore *= to[j++];
    } else if (before * from[i] <= resultBefore * to[j]) {
      before *= from[i++];
    } else {
      resultBefore *= to[j++];
    }
  }
  return kept;
}

AxisRules ReshapeOp::getAxisRules(StringRef) {
  AxisRules rules;
  addRule(rules, {R()}, {R()});
  for (auto [i, j] : getKeptDims(getGlobalShape(getInput().getType()),
                                 getGlobalShape(getResult().getType())))
    addRule(rules, {S(i)}, {S(j)});
  addRule(rules, {P()}, {P()});
  return rules;
}

PadRule ReshapeOp::inferPads(ArrayRef<PadVector> operands) {
  PadVector pads = allPads(getResult(), PadKind::Any);
  for (auto [i, j] : getKeptDims(getGlobalShape(getInput().getType()),
                                 getGlobalShape(getResult().getType())))
    pads[j] = operands[0][i];
  return makePadRule({pads});
}

AxisRules TransposeOp::getAxisRules(StringRef) {
  AxisRules rules;
  addRule(rules, {R()}, {R()});
  for (auto [to, from] : llvm::enumerate(getPermutation()))
    addRule(rules, {S(from)}, {S(to)});
  addRule(rules, {P()}, {P()});
  return rules;
}

PadRule TransposeOp::inferPads(ArrayRef<PadVector> operands) {
  PadVector pads;
  for (int64_t from : getPermutation())
    pads.push_back(operands[0][from]);
  return makePadRule({pads});
}

/// R, P, and a split of each dimension that the op keeps whole.
static AxisRules getBoxRules(Value input, Value result) {
  AxisRules rules;
  addRule(rules, {R()}, {R()});
  for (auto [dim, sizes] : llvm::enumerate(llvm::zip(
           getGlobalShape(input.getType()), getGlobalShape(result.getType()))))
    if (std::get<0>(sizes) == std::get<1>(sizes))
      addRule(rules, {S(dim)}, {S(dim)});
  addRule(rules, {P()}, {P()});
  return rules;
}

AxisRules SliceOp::getAxisRules(StringRef) {
  return getBoxRules(getInput(), getResult());
}

PadRule SliceOp::inferPads(ArrayRef<PadVector> operands) {
  return makePadRule({operands[0]});
}

AxisRules PadOp::getAxisRules(StringRef) {
  return getBoxRules(getInput(), getResult());
}

PadRule PadOp::inferPads(ArrayRef<PadVector> operands) {
  return keepPads(operands);
}

AxisRules ConstantOp::getAxisRules(StringRef) {
  AxisRules rules;
  addRule(rules, {}, {R()});
  return rules;
}

PadRule ConstantOp::inferPads(ArrayRef<PadVector>) {
  return makePadRule({allPads(getResult(), PadKind::None)});
}

//===-- Sums
//----------------------------------------------------------------===//

AxisRules SumOp::getAxisRules(StringRef) {
  AxisRules rules = getAlikeRules(*this);
  addRule(rules, SmallVector<AxisState>(getInputs().size(), P()), {P()});
  return rules;
}

PadRule SumOp::inferPads(ArrayRef<PadVector> operands) {
  PadVector pads;
  for (int64_t dim = 0; dim < getRank(getResult()); ++dim)
    pads.push_back(zeroOrAny(llvm::all_of(operands, [&](const PadVector &one) {
      return one[dim] == PadKind::Zero;
    })));
  return makePadRule({pads});
}

bool SumOp::joinsStages() { return true; }

/// "the term of in.weight (b0.whole)": contributions, and the name of what made
/// the operand.
std::string SumOp::describeOperand(unsigned index) {
  return describeTerm(getTerms(), getInputs()[index], index);
}

} // namespace mlir::dtc
