//===- ValueFacts.h - What each value of the tasks is ----------*- C++ -*-===//
//
// Layout and place of a value stand in its type and in its op. Three facts do
// not: which values of the step graph it is, its degree in (scale, 1/N), and
// the terms of the sum that it is. They are found by following the step through
// tasks, buffers and channels, as the ranks will run it.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_CODEGEN_VALUEFACTS_H
#define DTC_CODEGEN_VALUEFACTS_H

#include "codegen/GraphIndex.h"

#include <map>

namespace mlir::dtc {

struct EmittedFacts {
  SmallVector<uint32_t, 1> logicals; ///< into the graph's values; see schema
  Degree degree;
  SmallVector<std::string, 1> terms; ///< sorted
};

/// Facts of all values of the tasks of one step ("train", "evaluate").
class StepFacts {
public:
  StepFacts(ModuleOp module, StringRef step, const GraphIndex &graph)
      : module(module), step(step), graph(graph) {}

  /// Follows the step. Emits an error where degrees do not fit.
  LogicalResult run();

  const EmittedFacts &of(Value value) const;
  const EmittedFacts &of(BufferOp buffer) const;
  /// True where a task of this step fills the buffer.
  bool knows(BufferOp buffer) const {
    return buffers.contains(buffer.getSymName());
  }
  /// A variable as the step finds it.
  EmittedFacts ofVariable(VariableOp variable) const;
  /// Ops of the graph that `op` computes: one, or on a bucket one a member;
  /// none where it only moves a value.
  SmallVector<uint32_t> findGraphOps(Operation *op) const;

private:
  LogicalResult runTask(func::FuncOp task);
  LogicalResult runOp(Operation *op);
  LogicalResult runComputation(Operation *op);
  LogicalResult runFused(FusedOp op);
  void setBuffer(StringRef name, const EmittedFacts &saved);
  void findLogicals(Operation *op, MutableArrayRef<EmittedFacts> results) const;
  void findTerms(Operation *op, MutableArrayRef<EmittedFacts> results) const;
  void setFacts(Value value, EmittedFacts found);

  ModuleOp module;
  StringRef step;
  const GraphIndex &graph;
  DenseMap<Value, EmittedFacts> facts;
  llvm::StringMap<EmittedFacts> buffers;
  std::map<int64_t, std::vector<EmittedFacts>> sent; // by channel, in order
  std::map<int64_t, size_t> received;
};

/// Tasks of a step on a stage in the order prologue ... epilogue.
SmallVector<func::FuncOp> findTasks(ModuleOp module, StringRef step,
                                    int64_t stage);
TaskKind getTaskKind(func::FuncOp task);

/// Names of the variables that a bucket packs, in order.
SmallVector<StringRef> getMemberNames(VariableOp bucket);

} // namespace mlir::dtc

#endif // DTC_CODEGEN_VALUEFACTS_H
