//===- Partition.cpp - Make every type one rank's part --------------------===//
//
// After the collectives stand, what is left of the mesh is arithmetic on
// shapes: the padded block is the same on every rank, where it lies is a number
// that the program computes from the rank's coordinates. So this pass touches
// types only.
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"
#include "passes/StepFunctions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#define DEBUG_TYPE "dtc-partition"

namespace mlir::dtc {
#define GEN_PASS_DEF_PARTITIONPASS
#include "passes/Passes.h.inc"

namespace {

Type makeLocal(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? toLocalType(tensor) : type;
}

/// Fails with an error at `op` where `type` is a tensor without a layout.
LogicalResult checkLayout(Operation *op, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || getLayout(tensor))
    return success();
  return op->emitOpError(getModelName(op))
         << ": has type " << type << ", expected one with #dtc.layout; run "
         << "dtc-form-buckets before dtc-partition";
}

LogicalResult partition(func::FuncOp function) {
  for (Operation &op : function.front().without_terminator())
    for (Value result : op.getResults()) {
      if (failed(checkLayout(&op, result.getType())))
        return failure();
      result.setType(makeLocal(result.getType()));
    }
  SmallVector<Type> inputs;
  for (BlockArgument input : function.getArguments()) {
    if (failed(checkLayout(function, input.getType())))
      return failure();
    input.setType(makeLocal(input.getType()));
    inputs.push_back(input.getType());
  }
  function.setType(FunctionType::get(function.getContext(), inputs,
                                     function.getResultTypes()));
  return success();
}

struct PartitionPass : public impl::PartitionPassBase<PartitionPass> {
  using PartitionPassBase::PartitionPassBase;

  void runOnOperation() final {
    for (func::FuncOp function : findStepFunctions(getOperation()))
      if (failed(partition(function)))
        return signalPassFailure();
    for (auto variable : getOperation().getOps<VariableOp>())
      variable.setType(toLocalType(variable.getType()));
  }
};

} // namespace
} // namespace mlir::dtc
