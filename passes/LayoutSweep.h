//===- LayoutSweep.h - Lay out ops in program order -------------*- C++ -*-===//
//
// What assign-layouts (forward, backward) and form-buckets (the tail) share: an
// op's rules, the cheapest of them, and operands and types that fit it.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_LAYOUTSWEEP_H
#define DTC_PASSES_LAYOUTSWEEP_H

#include "passes/ParameterLayouts.h"
#include "passes/ValueVersions.h"

#include <optional>

namespace mlir::dtc {

/// Stages of an op that still carries `dtc.stages`, as a set of bits.
uint64_t getStageSet(Operation *op);

/// True for the n-ary sums that end in the tail: of parameters' cotangents,
/// norm, flag. What is whole enters these once.
bool endsInTail(Operation *op);

/// One forward sweep over the ops of a function.
///
/// Each op takes, axis by axis, the rule whose operands cost least to bring
/// about: nothing where they lie so already; a slice (R to S) or entering a sum
/// (R to P) next to nothing; a reduction or a gather by its elements.
/// Parameters are never gathered over tp, and nothing is gathered over dp or
/// mb.
class LayoutSweep {
public:
  LayoutSweep(PlanAttr plan, ParameterStates states)
      : plan(plan), states(std::move(states)) {}

  ValueVersions &getValues() { return values; }
  PlanAttr getPlan() const { return plan; }

  /// Chooses rules for `op`, changes its operands to fit, and gives its results
  /// their types. Fails with an error at the op where no rule can be met.
  LogicalResult layOut(Distributable op);

  /// Reduces the P axes of a result that some use refuses, and the result of an
  /// op with `dtc.residual` over tp.
  void settleForward(Value result);
  /// The same for the cotangent of an activation: reduced when complete, unless
  /// only contractions use it.
  void settleBackward(Value result);

  /// Changes operand `index` of `op`, which has no rules, into `target`.
  LogicalResult fitOperand(Operation *op, unsigned index, LayoutAttr target);

private:
  struct Choice {
    AxisRule rule;
    int64_t cost = 0;
  };
  std::optional<int64_t> getCost(Distributable op, StringRef axis,
                                 const AxisRule &rule) const;
  std::optional<int64_t> getOperandCost(Distributable op, unsigned index,
                                        StringRef axis, AxisState wanted) const;
  FailureOr<AxisRule> chooseRule(Distributable op, StringRef axis) const;
  bool mayEnterSum(Distributable op, unsigned index) const;
  bool startsLoop(Distributable op) const;
  LogicalResult checkLoop(Distributable op, const AxisRule &overMb) const;
  AxisState getOperandStages(Distributable op, Value operand) const;
  AxisState getResultStages(Distributable op) const;
  FailureOr<PadRule> inferPads(Distributable op);
  Value maskPads(Value value, Operation *user);
  void defineResults(Distributable op, ArrayRef<Value> originals,
                     ArrayRef<AxisRule> rules, const PadRule &pads,
                     AxisState stages);
  bool acceptsPartial(OpOperand &use, StringRef axis) const;
  bool staysPartialBackward(Value value, StringRef axis) const;
  void reduceOver(Value result, llvm::function_ref<bool(StringRef)> isRefused);

  PlanAttr plan;
  ParameterStates states;
  ValueVersions values;
  DenseMap<Value, Value> masked;
};

} // namespace mlir::dtc

#endif // DTC_PASSES_LAYOUTSWEEP_H
