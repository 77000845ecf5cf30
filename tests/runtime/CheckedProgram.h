//===- CheckedProgram.h - A small program for the checker's tests ---------===//
//
// A training step of two linear layers on two stages, written instruction by
// instruction, so that the checker's tests need no compiler. What a test wants
// wrong it changes in the object form before the program is packed.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_TESTS_RUNTIME_CHECKEDPROGRAM_H
#define DTC_TESTS_RUNTIME_CHECKEDPROGRAM_H

#include "runtime/check/Certificate.h"
#include "runtime/schema/program_generated.h"

#include <string>

namespace dtc::rt::test {

struct CheckedPlan {
  uint32_t dp = 2, microBatches = 2;
};

/// x (7x2) -> in.weight, relu on stage 0 -> head.weight, cross entropy on stage
/// 1; SGD with a clipped norm. 1F1B, gradients reduced over mb, then dp.
program::ProgramT makeCheckedProgram(const CheckedPlan &plan = {});

/// Packs with fresh hashes of graph and content.
std::vector<uint8_t> packProgram(program::ProgramT &table);

/// Loads and checks.
Result<Certificate> check(program::ProgramT table,
                          const CheckOptions &options = {});
/// The error text, empty where the program is certified.
std::string checkText(program::ProgramT table);

/// The n-th instruction of a kind in a task of a stage.
program::InstructionT &findInstruction(program::ProgramT &table, size_t stage,
                                       const std::string &task,
                                       program::InstructionKind kind,
                                       size_t n = 0);
/// The list that holds it, for tests that drop, double or swap.
std::vector<std::unique_ptr<program::InstructionT>> &
taskInstructions(program::ProgramT &table, size_t stage,
                 const std::string &task);
/// A stage's value by name.
uint32_t findValue(const program::ProgramT &table, size_t stage,
                   const std::string &name);

} // namespace dtc::rt::test

#endif // DTC_TESTS_RUNTIME_CHECKEDPROGRAM_H
