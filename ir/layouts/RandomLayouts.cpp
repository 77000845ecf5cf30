//===- RandomLayouts.cpp - Layout rules of ops that draw ------------------===//
//
// An element's random number follows from its global index, so every split is
// legal, and all addends of a partial value see the same numbers.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"
#include "ir/layouts/AxisRules.h"

namespace mlir::dtc {

AxisRules DropoutOp::getAxisRules(StringRef) {
  AxisRules rules;
  addRule(rules, {R()}, {R()});
  for (int64_t dim = 0; dim < getRank(getInput()); ++dim)
    addRule(rules, {S(dim)}, {S(dim)});
  addRule(rules, {P()}, {P()});
  return rules;
}

PadRule DropoutOp::inferPads(ArrayRef<PadVector> operands) {
  PadVector pads;
  for (PadKind kind : operands[0])
    pads.push_back(zeroOrAny(kind == PadKind::Zero));
  return makePadRule({pads});
}

} // namespace mlir::dtc
