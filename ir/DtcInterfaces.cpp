//===- DtcInterfaces.cpp - Types held to the rules of their ops -----------===//
//
// A type with a layout is a claim. The one verifier here compares the claims of
// an op's operands and results, axis by axis, with the rules that the op itself
// states, so a partial value in a nonlinear op, a sum of partial and whole or a
// pad that is not zero where a sum needs it is no IR.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcInterfaces.h"

#include "ir/LayoutMath.h"

#include <tuple>

#include "ir/DtcInterfaces.cpp.inc"

namespace mlir::dtc {
namespace {

/// An op's layouts, indexed as the op's operands and results.
struct OpLayouts {
  SmallVector<LayoutAttr> operands, results;
  LayoutAttr any; ///< the first of them
};

/// The rule that fits an op best, and how well: a rule that all operands obey
/// fits best, since they are given and a result is a claim.
struct Fit {
  const AxisRule *rule = nullptr;
  bool operandsObey = false;
  unsigned matches = 0;
};

std::string describeResult(Operation *op, unsigned index) {
  if (op->getNumResults() == 1)
    return "result";
  return "result " + std::to_string(index);
}

/// State of a value on an axis as rules speak of it: stages are no part of it.
AxisState getRuleState(LayoutAttr layout, StringRef axis) {
  AxisState state = layout.on(axis);
  if (state.isOn())
    return AxisState::replicated();
  state.stages = 0;
  return state;
}

Fit findBestRule(ArrayRef<AxisRule> rules, const OpLayouts &layouts,
                 StringRef axis) {
  auto countMatches = [&](ArrayRef<LayoutAttr> found,
                          ArrayRef<AxisState> wanted) {
    unsigned matches = 0;
    for (auto [layout, state] : llvm::zip_equal(found, wanted))
      matches += getRuleState(layout, axis) == state;
    return matches;
  };
  Fit best;
  for (const AxisRule &rule : rules) {
    Fit fit;
    fit.rule = &rule;
    fit.matches = countMatches(layouts.operands, rule.operands);
    fit.operandsObey = fit.matches == rule.operands.size();
    fit.matches += countMatches(layouts.results, rule.results);
    if (!best.rule || std::tie(fit.operandsObey, fit.matches) >
                          std::tie(best.operandsObey, best.matches))
      best = fit;
  }
  return best;
}

LogicalResult verifyAxisRules(Distributable op, const OpLayouts &layouts,
                              StringRef axis) {
  SmallVector<AxisRule> rules = op.getAxisRules(axis);
  Fit best = findBestRule(rules, layouts, axis);
  if (!best.rule)
    return op->emitOpError("has no rule for axis \"") << axis << '"';
  if (best.matches == layouts.operands.size() + layouts.results.size())
    return success();
  for (auto [i, layout] : llvm::enumerate(layouts.operands))
    if (getRuleState(layout, axis) != best.rule->operands[i])
      return op->emitOpError(op.describeOperand(i))
             << " holds " << layout.on(axis).str() << " on axis \"" << axis
             << "\", expected " << best.rule->operands[i].str();
  for (auto [i, layout] : llvm::enumerate(layouts.results))
    if (getRuleState(layout, axis) != best.rule->results[i])
      return op->emitOpError(describeResult(op, i))
             << " holds " << layout.on(axis).str() << " on axis \"" << axis
             << "\", expected " << best.rule->results[i].str();
  llvm_unreachable("a rule that does not fit has a place where it does not");
}

/// On `pp` an op runs where its results are. Only an op that joins stages turns
/// On{a} and On{b} into P over both; any other passes P on as it does on the
/// other axes.
LogicalResult verifyStages(Distributable op, const OpLayouts &layouts) {
  for (auto [r, result] : llvm::enumerate(layouts.results)) {
    AxisState to = result.on(kAxisPp);
    for (auto [i, layout] : llvm::enumerate(layouts.operands)) {
      AxisState from = layout.on(kAxisPp);
      bool joins = op.joinsStages() && to.isPartial() &&
                   (from.isOn() || from.reduction == to.reduction);
      if (joins ? (from.stages & ~to.stages) == 0
                : from.kind == to.kind && (to.stages & ~from.stages) == 0)
        continue;
      return op->emitOpError(op.describeOperand(i))
             << " holds " << from.str() << " on axis \"pp\", expected "
             << (joins ? AxisState::on(to.stages) : to).str() << " as "
             << describeResult(op, r) << " holds " << to.str();
    }
    if (to.isPartial() && !op.joinsStages())
      return verifyAxisRules(op, layouts, kAxisPp);
  }
  return success();
}

LogicalResult verifyPads(Distributable op, const OpLayouts &layouts) {
  SmallVector<PadVector> operandPads;
  for (Value operand : op->getOperands())
    operandPads.push_back(getPads(operand.getType()));
  PadRule rule = op.inferPads(operandPads);
  int wrong = std::max(rule.mustBeZero, rule.mustBeFill);
  if (wrong >= 0)
    return op->emitOpError(op.describeOperand(wrong))
           << " has pads " << stringifyPadKind(operandPads[wrong][rule.dim])
           << " in dimension " << rule.dim << ", expected "
           << (rule.mustBeZero >= 0 ? "zero" : "fill");
  for (auto [r, layout] : llvm::enumerate(layouts.results))
    for (const DimPad &pad : layout.getPads()) {
      PadKind inferred = rule.results[r][pad.dim];
      if (inferred == PadKind::None)
        inferred = PadKind::Any;
      // To forget what pads hold is no lie, to claim more is.
      if (pad.kind == inferred || pad.kind == PadKind::Any)
        continue;
      return op->emitOpError(describeResult(op, r))
             << " has pads " << stringifyPadKind(pad.kind) << " in dimension "
             << pad.dim << ", expected " << stringifyPadKind(inferred);
    }
  return success();
}

LogicalResult verifyOneMesh(Distributable op, const OpLayouts &layouts) {
  auto sameMesh = [&](LayoutAttr layout) {
    return llvm::equal(layout.getAxes(), layouts.any.getAxes(),
                       [](const MeshAxis &a, const MeshAxis &b) {
                         return a.name == b.name && a.size == b.size;
                       });
  };
  for (auto [i, layout] : llvm::enumerate(layouts.operands)) {
    if (!layout)
      return op->emitOpError(op.describeOperand(i))
             << " has no layout, others have";
    if (!sameMesh(layout))
      return op->emitOpError(op.describeOperand(i))
             << " lies on another mesh: " << layout << ", others as "
             << layouts.any;
  }
  for (auto [i, layout] : llvm::enumerate(layouts.results)) {
    if (!layout)
      return op->emitOpError(describeResult(op, i))
             << " has no layout, others have";
    if (!sameMesh(layout))
      return op->emitOpError(describeResult(op, i))
             << " lies on another mesh: " << layout << ", others as "
             << layouts.any;
  }
  return success();
}

} // namespace

LogicalResult verifyDistributable(Operation *operation) {
  auto op = cast<Distributable>(operation);
  // Between assign-layouts and form-buckets the tail has operands with a layout
  // and is not laid out itself; until then the attribute says its stages.
  if (operation->hasAttr(kStagesAttr))
    return success();
  OpLayouts layouts;
  auto note = [&](LayoutAttr layout) {
    if (layout && !layouts.any)
      layouts.any = layout;
    return layout;
  };
  for (Value operand : operation->getOperands())
    layouts.operands.push_back(note(getLayout(operand)));
  for (Value result : operation->getResults())
    layouts.results.push_back(note(getLayout(result)));
  if (!layouts.any)
    return success();
  if (failed(verifyOneMesh(op, layouts)))
    return failure();
  for (const MeshAxis &axis : layouts.any.getAxes()) {
    StringRef name = axis.name.getValue();
    if (failed(name == kAxisPp ? verifyStages(op, layouts)
                               : verifyAxisRules(op, layouts, name)))
      return failure();
  }
  return verifyPads(op, layouts);
}

std::string describeTerm(ArrayAttr terms, Value operand, unsigned index) {
  std::string text = "the term of ";
  StringRef comma = "";
  if (index < terms.size())
    for (auto name : cast<ArrayAttr>(terms[index]).getAsRange<StringAttr>()) {
      text += (comma + name.getValue()).str();
      comma = ", ";
    }
  if (comma.empty())
    return "operand " + std::to_string(index);
  if (Operation *maker = operand.getDefiningOp())
    if (auto name = maker->getAttrOfType<StringAttr>(kNameAttr))
      text += (" (" + name.getValue() + ")").str();
  return text;
}

int64_t getOperandAndResultBytes(Operation *op) {
  int64_t bytes = 0;
  for (Type type : llvm::concat<Type>(llvm::to_vector(op->getOperandTypes()),
                                      llvm::to_vector(op->getResultTypes())))
    bytes += getTensorBytes(cast<RankedTensorType>(type));
  return bytes;
}

} // namespace mlir::dtc
