//===- StageEmitter.h - One stage's part of a program ----------*- C++ -*-===//
//
// Values and tasks of a stage. Three units write it: EmitValues numbers what
// lies in the arena, EmitInstructions turns ops into instructions, EmitSchedule
// the order of tasks into repeats.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_CODEGEN_STAGEEMITTER_H
#define DTC_CODEGEN_STAGEEMITTER_H

#include "codegen/ValueFacts.h"
#include "codegen/kernels/KernelModule.h"

namespace mlir::dtc {

/// What stages share while a program is written.
struct ProgramContext {
  ModuleOp module;
  PlanAttr plan;
  ProgramTables &tables;
  KernelModule &kernels;
  /// Index of each variable and each model input in the program's tables.
  llvm::StringMap<uint32_t> variables, inputs;
};

/// A step that tasks belong to.
struct EmittedStep {
  StringRef name; ///< "train", "evaluate"
  const StepFacts &facts;
};

class StageEmitter {
public:
  StageEmitter(ProgramContext &context, int64_t stage)
      : context(context), stage(stage),
        table(std::make_unique<::dtc::program::StageT>()) {}

  /// Writes all tasks and schedules of these steps. Errors are emitted at the
  /// op that plan-memory gave no place or that no instruction makes.
  LogicalResult emit(ArrayRef<EmittedStep> steps);

  /// Value of a variable on this stage; -1 where it is not here.
  int32_t getVariableValue(StringRef name) const;
  std::unique_ptr<::dtc::program::StageT> take() { return std::move(table); }

private:
  // EmitValues.cpp
  LogicalResult addVariables(const StepFacts &train);
  LogicalResult addBuffers(ArrayRef<EmittedStep> steps);
  LogicalResult addResults(func::FuncOp task, const StepFacts &facts);
  FailureOr<uint32_t> addValue(Operation *op, StringRef name, Type type,
                               Attribute place,
                               ::dtc::program::BufferClass bufferClass,
                               const EmittedFacts &facts);
  LogicalResult addMemory();

  // EmitInstructions.cpp
  LogicalResult addTask(func::FuncOp task, const EmittedStep &step);
  LogicalResult addInstruction(Operation *op);
  bool addStructural(Operation *op);
  bool addCommunication(Operation *op);
  LogicalResult addCompute(Operation *op);
  LogicalResult addKernel(Operation *op);
  template <typename Table>
  Table &append(Operation *op, StringRef kind);

  // EmitSchedule.cpp
  void addSchedule(StringRef step);

  uint32_t valueOf(Value value) const { return values.lookup(value); }
  uint32_t bufferOf(StringRef name) const { return buffers.lookup(name); }
  /// The place that a value lies in.
  const ::dtc::program::Place &placeOf(Value value) const;
  std::vector<uint32_t> valuesOf(ValueRange range) const;

  ProgramContext &context;
  int64_t stage;
  std::unique_ptr<::dtc::program::StageT> table;
  DenseMap<Value, uint32_t> values;
  llvm::StringMap<uint32_t> buffers, variables, taskIndex;
  std::map<int64_t, int64_t> peers; ///< of the channels that a task sends on
  ::dtc::program::TaskT *task = nullptr; ///< that is written
  const StepFacts *facts = nullptr;      ///< of its step
};

} // namespace mlir::dtc

#endif // DTC_CODEGEN_STAGEEMITTER_H
