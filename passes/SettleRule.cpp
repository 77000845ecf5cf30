//===- SettleRule.cpp - Where partial values are reduced ------------------===//
//
// A partial value is reduced once, where it is made, so that all its users
// share the reduction: a forward value if any user refuses it, an activation's
// cotangent when it is complete, unless only contractions use it. What a user
// accepts its own rules say, with its other operands as they lie already.
//
//===----------------------------------------------------------------------===//

#include "passes/LayoutSweep.h"

#include "passes/StepFunctions.h"

namespace mlir::dtc {

/// The state on `pp` as rules of a partial value see it.
static AxisState withoutStages(AxisState state) {
  if (state.isPartial())
    state.stages = 0;
  return state;
}

static bool joinsStages(Operation *op) {
  auto distributable = dyn_cast<Distributable>(op);
  return distributable && distributable.joinsStages();
}

bool endsInTail(Operation *op) {
  return isUpdate(op) || op->hasAttr(kGradientOfAttr) ||
         llvm::any_of(op->getUsers(), [](Operation *user) {
           return joinsStages(user) && user->hasAttr(kGradientOfAttr);
         });
}

/// True where the user takes the value as it is, partial over `axis`, with its
/// other operands as they are known to lie.
bool LayoutSweep::acceptsPartial(OpOperand &use, StringRef axis) const {
  auto user = dyn_cast<Distributable>(use.getOwner());
  if (!user)
    return false;
  AxisState state = getLayout(use.get()).on(axis);
  uint64_t there = getStages(getLayout(use.get())), stages = getStageSet(user);
  bool joins = user.joinsStages() && llvm::popcount(stages) > 1;
  if (!joins && (stages & ~there))
    return false;
  if (user.joinsStages() && endsInTail(user))
    return true;
  for (const AxisRule &rule : user.getAxisRules(axis)) {
    bool fits = true;
    for (auto [index, operand] : llvm::enumerate(user->getOperands())) {
      const AxisState &wanted = rule.operands[index];
      if (operand == use.get()) {
        fits &= wanted == withoutStages(state);
        continue;
      }
      if (!values.isDefined(operand)) {
        fits = false;
        continue;
      }
      AxisState other = getLayout(values.getBase(operand)).on(axis);
      bool enters = wanted.isPartial() && other.isReplicated() &&
                    mayEnterSum(user, index);
      fits &= withoutStages(other) == wanted || enters ||
              (wanted.isSplit() && other.isReplicated());
    }
    if (fits)
      return true;
  }
  return false;
}

void LayoutSweep::reduceOver(Value result,
                             llvm::function_ref<bool(StringRef)> isRefused) {
  LayoutAttr layout = getLayout(result), settled = layout;
  for (const MeshAxis &axis : layout.getAxes())
    if (axis.state.isPartial() && isRefused(axis.name))
      settled = settled.with(axis.name, axis.name == kAxisPp
                                            ? AxisState::on(axis.state.stages)
                                            : AxisState::replicated());
  Operation *op = result.getDefiningOp();
  if (op->hasAttr(kResidualAttr))
    settled = settled.with(kAxisTp, AxisState::replicated());
  if (settled != layout)
    values.settle(result, settled);
}

void LayoutSweep::settleForward(Value result) {
  reduceOver(result, [&](StringRef axis) {
    return llvm::any_of(result.getUses(), [&](OpOperand &use) {
      return !acceptsPartial(use, axis);
    });
  });
}

bool LayoutSweep::staysPartialBackward(Value value, StringRef axis) const {
  uint64_t there = getStages(getLayout(value));
  // A sum reduces its terms itself where it has one that is whole.
  bool onlySums = true, onlyContractions = true;
  for (OpOperand &use : value.getUses()) {
    auto user = dyn_cast<Distributable>(use.getOwner());
    if (!user)
      return false;
    uint64_t stages = getStageSet(user);
    bool isHere = (stages & ~there) == 0 ||
                  (user.joinsStages() && llvm::popcount(stages) > 1);
    onlySums &= user.joinsStages() && isHere;
    onlyContractions &= user.isContraction() && acceptsPartial(use, axis);
  }
  return onlySums || onlyContractions;
}

void LayoutSweep::settleBackward(Value result) {
  // What is not cut into micro-batches is the cotangent of a parameter (or of
  // what was made of one): reduced in the tail, unless some user refuses it.
  if (!getLayout(result).on(kAxisMb).isSplit())
    return settleForward(result);
  reduceOver(result, [&](StringRef axis) {
    return !staysPartialBackward(result, axis);
  });
}

} // namespace mlir::dtc
