//===- CheckProgramTest.cpp - The certificate on a small program ----------===//
//
// A clean program is certified under several plans; each kind of mistake is
// refused with the operation and what was found.
//
//===----------------------------------------------------------------------===//

#include "tests/runtime/CheckedProgram.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dtc::rt::test {
namespace {

using program::InstructionKind;
using testing::AllOf;
using testing::HasSubstr;

TEST(CheckProgram, CertifiesACleanStepUnderEachPlan) {
  for (uint32_t dp : {1u, 2u, 3u})
    for (uint32_t microBatches : {1u, 2u, 3u})
      for (bool exhaustive : {false, true}) {
        CheckOptions options;
        options.exhaustive = exhaustive;
        auto certificate = check(makeCheckedProgram({dp, microBatches}), options);
        ASSERT_TRUE(certificate.isOk())
            << "dp " << dp << " mb " << microBatches << ": "
            << certificate.status();
        EXPECT_EQ(certificate->ranks, static_cast<int32_t>(2 * dp));
        EXPECT_EQ(certificate->ranksWalked,
                  static_cast<int32_t>(exhaustive ? 2 * dp : 2));
      }
}

TEST(CheckProgram, CountsCommunicationByGroupKind) {
  auto certificate = check(makeCheckedProgram());
  ASSERT_TRUE(certificate.isOk()) << certificate.status();
  const CommunicationLedger &ledger = certificate->train;
  // g0 over dp; flag and sq over pp. Stage 1 adds N and the loss.
  EXPECT_EQ(ledger.calls(0, CommunicationKind::AllReduce), 3);
  EXPECT_EQ(ledger.elements(0, CommunicationKind::AllReduce), 8 + 1 + 1);
  EXPECT_EQ(ledger.calls(1, CommunicationKind::AllReduce), 5);
  EXPECT_EQ(ledger.elements(1, CommunicationKind::AllReduce), 12 + 4);
  // h0 and dh0, 2x4 a micro-batch.
  EXPECT_EQ(ledger.calls(0, CommunicationKind::Send), 2);
  EXPECT_EQ(ledger.elements(0, CommunicationKind::Send), 16);
  EXPECT_EQ(ledger.calls(1, CommunicationKind::Send), 2);
}

TEST(CheckProgram, LeavesGroupsOfOneOutOfTheLedger) {
  auto certificate = check(makeCheckedProgram({1, 2}));
  ASSERT_TRUE(certificate.isOk()) << certificate.status();
  EXPECT_EQ(certificate->train.calls(0, CommunicationKind::AllReduce), 2);
}

TEST(CheckProgram, RefusesARankThatLeavesACollectiveOut) {
  auto table = makeCheckedProgram();
  auto &list = taskInstructions(table, 0, "epilogue");
  for (size_t i = 0; i < list.size(); ++i)
    if (const auto *reduce = list[i]->kind.AsAllReduce();
        reduce && reduce->axes[0] == 0) {
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    }
  EXPECT_THAT(checkText(std::move(table)), AllOf(HasSubstr("it calls all_reduce Or of 1 I32 over pp"),
                    HasSubstr("rank 0 stage 0"),
                    HasSubstr("all_reduce Sum of 1 F32 over pp")));
}

TEST(CheckProgram, SaysWhoWaitsForWhomInADeadlock) {
  // One chain a rank: every send waits until it is taken.
  auto table = makeCheckedProgram();
  for (size_t stage : {0, 1}) {
    auto &list =
        taskInstructions(table, stage, stage ? "backward" : "forward");
    auto wait = std::make_unique<program::InstructionT>();
    auto &epilogue = findInstruction(table, stage, "epilogue",
                                     InstructionKind::Wait);
    program::WaitT copy = *epilogue.kind.AsWait();
    wait->kind.Set(std::move(copy));
    list.push_back(std::move(wait));
  }
  EXPECT_THAT(checkText(std::move(table)),
              AllOf(HasSubstr("deadlock"), HasSubstr("rank 0 stage 0"),
                    HasSubstr("waits for rank 2 stage 1"),
                    HasSubstr("waits for rank 0")));
}

TEST(CheckProgram, RefusesACountThatIsNotReduced) {
  auto table = makeCheckedProgram();
  auto &loss = findInstruction(table, 1, "forward",
                               InstructionKind::LaunchKernel, 3);
  loss.kind.AsLaunchKernel()->inputs[4] = findValue(table, 1, "N part");
  EXPECT_THAT(checkText(std::move(table)),
              AllOf(HasSubstr("LaunchKernel loss part"),
                    HasSubstr("operand N holds P(sum) on axis \"dp\", "
                              "expected R")));
}

TEST(CheckProgram, RefusesAnotherValueOfTheSameLayout) {
  auto table = makeCheckedProgram();
  auto &gradient =
      findInstruction(table, 0, "weight", InstructionKind::MatMul);
  gradient.kind.AsMatMul()->lhs = findValue(table, 0, "h0");
  EXPECT_THAT(checkText(std::move(table)),
              AllOf(HasSubstr("MatMul g0"),
                    HasSubstr("operand lhs is h0, the graph says da0")));
}

TEST(CheckProgram, RefusesASumWithoutAllItsTerms) {
  auto table = makeCheckedProgram();
  for (auto &entry : taskInstructions(table, 1, "epilogue"))
    if (auto *kernel = entry->kind.AsLaunchKernel();
        kernel &&
        table.graph->ops[kernel->ops[0]]->kind == "or")
      kernel->inputs.resize(1);
  for (auto &value : table.stages[1]->values)
    if (value->name.rfind("flag", 0) == 0)
      value->terms.resize(1);
  EXPECT_THAT(checkText(std::move(table)),
              AllOf(HasSubstr("or flag has terms {in.weight, head.weight}"),
                    HasSubstr("the graph {in.weight, head.weight, N}"),
                    HasSubstr("axis \"pp\"")));
}

TEST(CheckProgram, RefusesAnAccumulatorThatLacksAMicroBatch) {
  auto table = makeCheckedProgram({2, 3});
  // The last weight task of stage 0 is not called.
  table.stages[0]->train.back()->calls.erase(
      table.stages[0]->train.back()->calls.begin());
  EXPECT_THAT(checkText(std::move(table)),
              HasSubstr("without micro-batches 2 on axis \"mb\""));
}

TEST(CheckProgram, RefusesGradientsThatAreNotAccumulated) {
  auto table = makeCheckedProgram();
  auto &reduce =
      findInstruction(table, 0, "epilogue", InstructionKind::AllReduce);
  reduce.kind.AsAllReduce()->input = findValue(table, 0, "g0 part");
  EXPECT_NE(checkText(std::move(table)), "");
}

TEST(CheckProgram, RefusesBytesThatAreStillNeeded) {
  auto table = makeCheckedProgram();
  // dh0 is received where h0 of the same micro-batch still is.
  table.stages[0]->values[findValue(table, 0, "dh0")]->place =
      std::make_unique<program::Place>(
          *table.stages[0]->values[findValue(table, 0, "h0")]->place);
  EXPECT_THAT(checkText(std::move(table)),
              HasSubstr("no wait has said that its peer has taken it"));
}

TEST(CheckProgram, RefusesAnEndWithoutItsWait) {
  auto table = makeCheckedProgram();
  auto &list = taskInstructions(table, 0, "epilogue");
  list.erase(list.begin());
  EXPECT_THAT(checkText(std::move(table)), HasSubstr("is not waited for"));
}

TEST(CheckProgram, RefusesOneSlotForTwoMicroBatches) {
  auto table = makeCheckedProgram();
  auto &value = *table.stages[0]->values[findValue(table, 0, "h0")];
  auto &relued = *table.stages[0]->values[findValue(table, 0, "a0")];
  program::Place one(value.place->offset(), value.place->bytes(), 1, 0, 0);
  *value.place = one;
  *relued.place = one;
  EXPECT_THAT(checkText(std::move(table)),
              HasSubstr("no wait has said that its peer has taken it"));
}

TEST(CheckProgram, RefusesChannelsOfOtherSizes) {
  auto table = makeCheckedProgram();
  findInstruction(table, 0, "forward", InstructionKind::Send)
      .kind.AsSend()
      ->elements = 7;
  EXPECT_THAT(checkText(std::move(table)),
              HasSubstr("it says 7 elements, expected"));
}

TEST(CheckProgram, RefusesAVariableStoredTwiceOrNever) {
  auto twice = makeCheckedProgram();
  auto &list = taskInstructions(twice, 0, "epilogue");
  for (auto &entry : list)
    if (const auto *store = entry->kind.AsStore()) {
      auto copy = std::make_unique<program::InstructionT>();
      program::StoreT again = *store;
      copy->kind.Set(std::move(again));
      list.push_back(std::move(copy));
      break;
    }
  EXPECT_THAT(checkText(std::move(twice)), HasSubstr("is stored twice"));
  auto never = makeCheckedProgram();
  auto &other = taskInstructions(never, 0, "epilogue");
  for (size_t i = 0; i < other.size(); ++i)
    if (other[i]->kind.type == InstructionKind::Store) {
      other.erase(other.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    }
  EXPECT_NE(checkText(std::move(never)), "");
}

TEST(CheckProgram, RefusesAGraphThatScalesTwice) {
  auto table = makeCheckedProgram();
  for (auto &op : table.graph->ops)
    if (op->kind == "unscale" && op->name == "u0")
      op->kind = "mul";
  EXPECT_THAT(checkText(std::move(table)),
              HasSubstr("in (scale, 1/N), expected"));
}

TEST(CheckProgram, RefusesAFlagThatLeavesAGradientOut) {
  auto table = makeCheckedProgram();
  for (auto &op : table.graph->ops)
    if (op->kind == "or") {
      op->operands.erase(op->operands.begin());
      op->terms.erase(op->terms.begin());
    }
  EXPECT_THAT(checkText(std::move(table)),
              AllOf(HasSubstr("operand flag is flag over"),
                    HasSubstr("expected all of")));
}

TEST(CheckProgram, RefusesOpsThatItDoesNotKnow) {
  auto table = makeCheckedProgram();
  table.graph->ops[1]->kind = "gelu";
  EXPECT_THAT(checkText(std::move(table)),
              HasSubstr("gelu is not known to the checker"));
}

TEST(CheckProgram, RefusesIdsOutsideOfTheirTables) {
  auto table = makeCheckedProgram();
  findInstruction(table, 0, "forward", InstructionKind::MatMul)
      .kind.AsMatMul()
      ->rhs = 4000;
  EXPECT_THAT(checkText(std::move(table)), HasSubstr("it uses value 4000"));
}

} // namespace
} // namespace dtc::rt::test
