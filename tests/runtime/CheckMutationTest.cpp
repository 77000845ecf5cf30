//===- CheckMutationTest.cpp - Every small change is refused --------------===//
//
// All mutants of the small program. A mutant that is certified must do the same
// as the program it was made of, for a reason that its kind names.
//
//===----------------------------------------------------------------------===//

#include "tests/runtime/CheckedProgram.h"
#include "tests/runtime/ProgramMutations.h"
#include "tests/runtime/TokenRun.h"

#include <gtest/gtest.h>

namespace dtc::rt::test {
namespace {

TEST(CheckMutation, RefusesEveryMutantThatDoesSomethingElse) {
  for (CheckedPlan plan : {CheckedPlan{2, 2}, CheckedPlan{1, 3}}) {
    program::ProgramT table = makeCheckedProgram(plan);
    MutationResult result = tryMutations(packProgram(table));
    for (const std::string &missed : result.missed)
      ADD_FAILURE() << "certified: " << missed;
    int refused = 0, equivalent = 0;
    for (const auto &[kind, count] : result.refused)
      refused += count;
    for (const auto &[kind, count] : result.equivalent)
      equivalent += count;
    EXPECT_GT(refused, 4000);
    // The list would be of no use if most of it changed nothing.
    EXPECT_LT(equivalent, refused / 10);
    for (const char *kind :
         {"drop", "double", "swap", "axis", "reduction", "elements", "channel",
          "wait", "operand", "result", "term", "op", "alias", "place", "slots",
          "degree", "terms", "logical", "layout", "variable", "schedule",
          "graph"})
      EXPECT_GT(result.refused[kind], 0) << kind;
  }
}

TEST(CheckMutation, RunsTheSameProgramOnTheSameTokens) {
  program::ProgramT table = makeCheckedProgram();
  std::vector<uint8_t> bytes = packProgram(table);
  const program::Program &program =
      *program::GetSizePrefixedProgram(bytes.data());
  TokenResult once = runTokens(program, false);
  EXPECT_FALSE(once.variables.empty());
  EXPECT_TRUE(runTokens(program, true).isSameAs(once));
}

TEST(CheckMutation, SeesOtherNumbersInTokens) {
  program::ProgramT table = makeCheckedProgram();
  std::vector<uint8_t> bytes = packProgram(table);
  TokenResult expected =
      runTokens(*program::GetSizePrefixedProgram(bytes.data()), false);
  auto &gradient = findInstruction(table, 0, "weight",
                                   program::InstructionKind::MatMul);
  gradient.kind.AsMatMul()->lhs = findValue(table, 0, "h0");
  bytes = packProgram(table);
  EXPECT_FALSE(
      runTokens(*program::GetSizePrefixedProgram(bytes.data()), false)
          .isSameAs(expected));
}

} // namespace
} // namespace dtc::rt::test
