//===- FactFlow.h - Follow what is known of values through a step -*- C++
//-*-===//
//
// A check that goes from operands to results has to follow values from task to
// task once the step is cut up: through buffers, and through channels to other
// stages. This walks a step, whole or in tasks, in an order in which everything
// is made before it is used, and leaves to the check only the ops that compute.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_FACTFLOW_H
#define DTC_PASSES_FACTFLOW_H

#include "ir/DtcOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/StringMap.h"

#include <deque>
#include <map>

namespace mlir::dtc {

/// One step of a module: the function itself, or its tasks in order: forward
/// stage by stage, then backward and weight from the last stage to the first.
SmallVector<func::FuncOp> findStepParts(ModuleOp module,
                                        llvm::StringRef stepKind);

/// What is known of each value is a `Fact`; all values have one.
template <typename Fact>
class FactFlow {
public:
  virtual ~FactFlow() = default;

  /// Walks the parts of a step. Fails after an error at the op where a check
  /// failed, or at a load or receive that nothing reaches.
  LogicalResult run(ArrayRef<func::FuncOp> parts) {
    for (func::FuncOp part : parts) {
      for (BlockArgument argument : part.getArguments()) {
        auto name = part.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                      "dtc.input");
        facts[argument] = getInput(name ? name.getValue() : "");
      }
      for (Operation &op : part.front().without_terminator())
        if (failed(visit(&op)))
          return failure();
    }
    return success();
  }

protected:
  /// What is known of a model input.
  virtual Fact getInput(StringRef name) = 0;
  /// Checks an op and says what is known of its results.
  virtual LogicalResult transfer(Operation *op, ArrayRef<Fact> operands,
                                 SmallVectorImpl<Fact> &results) = 0;

  const Fact &getFact(Value value) { return facts[value]; }

private:
  LogicalResult visit(Operation *op) {
    SmallVector<Fact> operands, results;
    for (Value operand : op->getOperands())
      operands.push_back(facts[operand]);
    if (auto fused = dyn_cast<FusedOp>(op))
      return visitFused(fused, operands);
    if (std::optional<LogicalResult> moved = move(op, operands, results)) {
      if (failed(*moved))
        return failure();
    } else if (failed(transfer(op, operands, results))) {
      return failure();
    }
    for (auto [result, fact] : llvm::zip(op->getResults(), results))
      facts[result] = fact;
    return success();
  }

  LogicalResult visitFused(FusedOp fused, ArrayRef<Fact> operands) {
    Block &body = fused.getBody().front();
    for (auto [argument, fact] : llvm::zip(body.getArguments(), operands))
      facts[argument] = fact;
    for (Operation &op : body.without_terminator())
      if (failed(visit(&op)))
        return failure();
    for (auto [result, yielded] :
         llvm::zip(fused.getResults(), body.getTerminator()->getOperands())) {
      Fact fact = facts[yielded]; // Inserting may move what is referred to.
      facts[result] = fact;
    }
    return success();
  }

  /// Ops that only move values; nothing for all others.
  std::optional<LogicalResult> move(Operation *op, ArrayRef<Fact> operands,
                                    SmallVectorImpl<Fact> &results) {
    if (auto save = dyn_cast<SaveOp>(op)) {
      buffers[save.getBuffer()] = operands[0];
    } else if (auto into = dyn_cast<AccumulateIntoOp>(op)) {
      buffers[into.getBuffer()] = operands[0];
    } else if (auto batch = dyn_cast<ReadBatchOp>(op)) {
      buffers[batch.getBuffer()] = getInput(batch.getInput());
    } else if (auto send = dyn_cast<SendOp>(op)) {
      channels[send.getChannel()].push_back(operands[0]);
    } else if (auto load = dyn_cast<LoadOp>(op)) {
      auto found = buffers.find(load.getBuffer());
      if (found == buffers.end())
        return load.emitOpError("reads @")
               << load.getBuffer() << ", which no task before it fills";
      results.push_back(found->second);
    } else if (auto receive = dyn_cast<RecvOp>(op)) {
      auto &queue = channels[receive.getChannel()];
      if (queue.empty())
        return receive.emitOpError("takes from channel ")
               << receive.getChannel() << ", to which nothing more is sent";
      results.push_back(queue.front());
      queue.pop_front();
    } else if (!isa<ClearOp, WaitOp>(op)) {
      return std::nullopt;
    }
    return success();
  }

  DenseMap<Value, Fact> facts;
  llvm::StringMap<Fact> buffers;
  std::map<int64_t, std::deque<Fact>> channels;
};

} // namespace mlir::dtc

#endif // DTC_PASSES_FACTFLOW_H
