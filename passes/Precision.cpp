//===- Precision.cpp - Dtypes of sums, ids of ops, the copy to hold to ----===//
//
// The last pass on the global graph. It says in which dtype each sum is made
// that may be spread over ranks, then numbers the ops and puts a copy of the
// graph aside: everything later is a rearrangement of that copy, and the ids
// are how a later op says which of its ops it is.
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"
#include "passes/StepFunctions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#define DEBUG_TYPE "dtc-precision"

namespace mlir::dtc {
#define GEN_PASS_DEF_PRECISIONPASS
#include "passes/Passes.h.inc"

namespace {

constexpr llvm::StringLiteral kReduceDtype = "reduce_dtype";

/// Sets reduce_dtype on every op that has the field and leaves it open.
void setReduceDtype(func::FuncOp function, Type dtype) {
  function.walk([&](Operation *op) {
    std::optional<RegisteredOperationName> name =
        op->getName().getRegisteredInfo();
    if (!name)
      return;
    bool hasField = llvm::any_of(name->getAttributeNames(), [](StringAttr own) {
      return own == kReduceDtype;
    });
    if (hasField && !op->getAttr(kReduceDtype))
      op->setAttr(kReduceDtype, TypeAttr::get(dtype));
  });
}

/// Numbers the function's ops in order and copies it as `@<name>.graph`.
LogicalResult setGraphAside(ModuleOp module, func::FuncOp function) {
  std::string name = (function.getName() + kGraphSuffix).str();
  if (module.lookupSymbol(name))
    return function.emitOpError("has a copy @")
           << name << " already; dtc-precision runs once";
  Builder builder(function.getContext());
  int64_t id = 0;
  for (Operation &op : function.front().without_terminator())
    op.setAttr(kIdAttr, builder.getI64IntegerAttr(id++));
  func::FuncOp copy = function.clone();
  copy.setName(name);
  copy.setPrivate();
  module.getBody()->getOperations().insertAfter(function->getIterator(), copy);
  return success();
}

struct PrecisionPass : public impl::PrecisionPassBase<PrecisionPass> {
  using PrecisionPassBase::PrecisionPassBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    if (Attribute compute = module->getAttr(kComputeAttr)) {
      auto type = dyn_cast<TypeAttr>(compute);
      if (!type || !type.getValue().isF32()) {
        module.emitError("precision.compute is ")
            << compute << ", expected f32";
        return signalPassFailure();
      }
    }
    for (func::FuncOp function : findStepFunctions(module)) {
      setReduceDtype(function, Float32Type::get(&getContext()));
      if (failed(setGraphAside(module, function)))
        return signalPassFailure();
    }
  }
};

} // namespace
} // namespace mlir::dtc
