//===- DegreeCheck.cpp - Scaled once, divided once ------------------------===//
//
// 1/N and the loss scale enter at the loss and leave at unscale; no layout
// shows it when one of them enters twice. Each op knows what it makes of
// degrees (Scaled); here they are followed through the whole step.
//
//===----------------------------------------------------------------------===//

#include "passes/DegreeCheck.h"

#include "passes/FactFlow.h"

namespace mlir::dtc {
namespace {

class DegreeFlow : public FactFlow<Degree> {
  Degree getInput(StringRef) override { return {}; }

  LogicalResult transfer(Operation *op, ArrayRef<Degree> operands,
                         SmallVectorImpl<Degree> &results) override {
    if (auto read = dyn_cast<ReadOp>(op)) {
      Degree degree;
      degree.scale = read.getVariable() == kLossScaleVariable ? 1 : 0;
      results.push_back(degree);
      return success();
    }
    auto scaled = dyn_cast<Scaled>(op);
    if (!scaled) {
      results.assign(op->getNumResults(), Degree());
      return success();
    }
    FailureOr<SmallVector<Degree>> degrees = scaled.inferDegrees(operands);
    if (failed(degrees))
      return failure();
    results = *degrees;
    return success();
  }
};

} // namespace

LogicalResult checkDegrees(ModuleOp module, StringRef stepKind) {
  return DegreeFlow().run(findStepParts(module, stepKind));
}

} // namespace mlir::dtc
