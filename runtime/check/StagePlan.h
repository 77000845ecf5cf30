//===- StagePlan.h - One stage's instructions, ready to be walked ---------===//
//
// Ids of a program are looked at once, here; afterwards no walk can leave a
// table. Each instruction gets what it reads and writes, each schedule becomes
// the list of calls that it is.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_CHECK_STAGEPLAN_H
#define DTC_RUNTIME_CHECK_STAGEPLAN_H

#include "runtime/check/Content.h"

namespace dtc::rt::check {

using program::InstructionKind;

/// An instruction and the values that it reads and writes, in table order.
struct PlannedInstruction {
  const program::Instruction *table = nullptr;
  InstructionKind kind = InstructionKind::NONE;
  uint32_t operation = 0;
  std::vector<uint32_t> reads, writes;
};

/// A call of a task for one micro-batch.
struct PlannedCall {
  uint32_t task = 0;
  int64_t microBatch = 0;
};

class StagePlan {
public:
  /// Plans the training or the evaluation schedule of a stage.
  ///
  /// Errors:  kInvalidProgram with stage, task, instruction and the id that is
  ///          out of range; kInvalidProgram for an unknown instruction.
  static Result<StagePlan> build(const program::Program &program,
                                 uint32_t stageIndex, const GraphFacts &graph,
                                 bool isTraining);

  const program::Stage &stage() const { return *table; }
  uint32_t index() const { return stageIndex; }
  const program::Value &value(uint32_t id) const {
    return *table->values()->Get(id);
  }
  const std::vector<PlannedCall> &calls() const { return schedule; }
  const std::vector<PlannedInstruction> &task(uint32_t index) const {
    return tasks[index];
  }
  /// True for the tasks that the schedule calls.
  bool isCalled(uint32_t task) const { return !tasks[task].empty(); }

  /// First byte of a value for a micro-batch.
  int64_t address(uint32_t value, int64_t microBatch) const;
  int64_t byteCount(uint32_t value) const;

  /// `stage 1 task backward operation 12 MatMul head.matmul`.
  std::string where(uint32_t task, const PlannedInstruction &instruction) const;
  std::string describe(const PlannedInstruction &instruction) const;

private:
  Status planInstruction(const program::Instruction &entry,
                         const GraphFacts &graph, PlannedInstruction &made);

  const program::Program *program = nullptr;
  const program::Stage *table = nullptr;
  uint32_t stageIndex = 0;
  std::vector<std::vector<PlannedInstruction>> tasks;
  std::vector<PlannedCall> schedule;
};

} // namespace dtc::rt::check

#endif // DTC_RUNTIME_CHECK_STAGEPLAN_H
