//===- GraphIndex.h - The step graph of a program --------------*- C++ -*-===//
//
// The graph that precision put aside, as the program holds it, and the way from
// an op of a task back to it. A checker without MLIR holds every instruction of
// a program to this graph.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_CODEGEN_GRAPHINDEX_H
#define DTC_CODEGEN_GRAPHINDEX_H

#include "codegen/ProgramTables.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::dtc {

class GraphIndex {
public:
  /// Writes `graph` (a function like @step.graph).
  GraphIndex(func::FuncOp graph, ProgramTables &tables);

  /// The graph as a table; to be taken once.
  std::unique_ptr<::dtc::program::StepGraphT> take() {
    return std::move(table);
  }

  /// Index of the graph op with this dtc.id; -1 where it is a read, a store or
  /// a report, which the graph holds otherwise.
  int32_t findOp(int64_t id) const;
  /// Value of result `position` of the op with this dtc.id, a read included.
  std::optional<uint32_t> findResult(int64_t id, unsigned position) const;
  std::optional<uint32_t> findRead(StringRef variable) const;
  std::optional<uint32_t> findInput(StringRef input) const;
  /// All contributions that the sum `value` has; none where it is no sum.
  SmallVector<std::string> getTerms(uint32_t value) const;
  /// Results of op `index`.
  ArrayRef<uint32_t> getResults(uint32_t index) const {
    return resultsOf[index];
  }

private:
  uint32_t addValue(Value value, StringRef name);
  void addOp(Operation &op, ProgramTables &tables);

  std::unique_ptr<::dtc::program::StepGraphT> table;
  DenseMap<Value, uint32_t> values;
  DenseMap<int64_t, uint32_t> opsById;
  DenseMap<std::pair<int64_t, unsigned>, uint32_t> resultsById;
  llvm::StringMap<uint32_t> reads, inputs;
  // A copy of what the table says, since the table is given away.
  std::vector<std::vector<uint32_t>> resultsOf;
  DenseMap<uint32_t, SmallVector<std::string>> termsOf;
};

} // namespace mlir::dtc

#endif // DTC_CODEGEN_GRAPHINDEX_H
