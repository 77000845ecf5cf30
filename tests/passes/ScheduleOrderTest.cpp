//===- ScheduleOrderTest.cpp - What the schedules promise -----------------===//
//
// The counts of case P25 and the order of the worked example, read from the
// formulas before any IR is written.
//
//===----------------------------------------------------------------------===//

#include "passes/ScheduleOrder.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::dtc;

namespace {

/// Every stage has all its tasks; the first has no backward task of its own.
LoopTasks tasksOf(int64_t stage) { return {true, stage > 0, true}; }

std::string print(ArrayRef<Round> rounds) {
  std::string text;
  for (const LoopCall &call : expandRounds(rounds))
    text += (text.empty() ? "" : " ") +
            stringifyTaskKind(call.task).substr(0, 1).upper() +
            std::to_string(call.microBatch);
  return text;
}

std::string order(ScheduleKind kind, int64_t stage, int64_t stages,
                  int64_t microBatches) {
  return print(makeRounds(kind, stage, stages, microBatches, tasksOf(stage)));
}

/// Micro-batches between their forward and the end of their weight task.
int64_t inFlight(ScheduleKind kind, int64_t stage, int64_t stages,
                 int64_t microBatches) {
  int64_t now = 0, most = 0;
  for (const LoopCall &call : expandRounds(
           makeRounds(kind, stage, stages, microBatches, tasksOf(stage)))) {
    now += call.task == TaskKind::Forward;
    most = std::max(most, now);
    now -= call.task == TaskKind::Weight;
  }
  return most;
}

/// A chain of stages. Forward and backward cost one unit each; what the first
/// stage does in its weight task is both backward parts.
PipelineTimes simulateChain(ScheduleKind kind, int64_t stages,
                            int64_t microBatches, double weightCost) {
  std::vector<SmallVector<LoopCall>> orders;
  SmallVector<SimulatedChannel> channels;
  for (int64_t s = 0; s < stages; ++s) {
    orders.push_back(
        expandRounds(makeRounds(kind, s, stages, microBatches, tasksOf(s))));
    if (s == 0)
      continue;
    channels.push_back({s - 1, TaskKind::Forward, s, TaskKind::Forward});
    channels.push_back({s, TaskKind::Backward, s - 1,
                        s > 1 ? TaskKind::Backward : TaskKind::Weight});
  }
  auto cost = [weightCost](int64_t stage, TaskKind task) {
    if (task != TaskKind::Weight)
      return 1.0;
    return stage == 0 ? 1 + weightCost : weightCost;
  };
  MLIRContext context;
  auto refuse = [&] { return emitError(UnknownLoc::get(&context)); };
  return *simulatePipeline(std::move(orders), channels, cost, refuse);
}

TEST(ScheduleOrderTest, GPipeHoldsAllMicroBatchesAndOneFOneBHoldsFewer) {
  for (int64_t stage = 0; stage < 4; ++stage) {
    EXPECT_EQ(inFlight(ScheduleKind::GPipe, stage, 4, 8), 8);
    EXPECT_EQ(inFlight(ScheduleKind::OneFOneB, stage, 4, 8), 4 - stage);
  }
}

TEST(ScheduleOrderTest, IdleShareIsTheFormula) {
  // Backward as one task: bubble (p - 1)(F + B) beside m (F + B).
  for (ScheduleKind kind : {ScheduleKind::GPipe, ScheduleKind::OneFOneB})
    for (auto [microBatches, share] :
         {std::pair<int64_t, double>{8, 3.0 / 11}, {2, 0.6}, {1, 0.75}}) {
      PipelineTimes times = simulateChain(kind, 4, microBatches, 0);
      for (int64_t stage = 0; stage < 4; ++stage)
        EXPECT_NEAR(times.idle(stage) / times.makespan(), share, 1e-12)
            << stringifyScheduleKind(kind).str() << " stage " << stage << " mb "
            << microBatches;
    }
}

TEST(ScheduleOrderTest, CotangentLeavesBeforeTheWeightGradients) {
  // No stage waits for another's W: the bubble has none.
  for (ScheduleKind kind : {ScheduleKind::GPipe, ScheduleKind::OneFOneB}) {
    PipelineTimes times = simulateChain(kind, 4, 8, 1);
    for (int64_t stage = 0; stage < 4; ++stage)
      EXPECT_NEAR(times.idle(stage), 3 * (1 + 1), 1e-12);
  }
}

TEST(ScheduleOrderTest, WarmUpIsCutShortByFewMicroBatches) {
  EXPECT_EQ(order(ScheduleKind::OneFOneB, 0, 4, 2), "F0 F1 W0 W1");
  EXPECT_EQ(order(ScheduleKind::OneFOneB, 3, 4, 2), "F0 B0 W0 F1 B1 W1");
  EXPECT_EQ(order(ScheduleKind::OneFOneB, 0, 4, 1), "F0 W0");
}

TEST(ScheduleOrderTest, ExampleOrdersAreThoseOfTheTwoSchedules) {
  EXPECT_EQ(order(ScheduleKind::OneFOneB, 0, 2, 2), "F0 F1 W0 W1");
  EXPECT_EQ(order(ScheduleKind::OneFOneB, 1, 2, 2), "F0 B0 W0 F1 B1 W1");
  EXPECT_EQ(order(ScheduleKind::GPipe, 1, 2, 2), "F0 F1 B0 W0 B1 W1");
}

TEST(ScheduleOrderTest, StageWithoutBackwardRunsForwardOnly) {
  auto rounds =
      makeRounds(ScheduleKind::OneFOneB, 0, 4, 3, {true, false, false});
  EXPECT_EQ(print(rounds), "F0 F1 F2");
  EXPECT_EQ(rounds.size(), 1u);
}

TEST(ScheduleOrderTest, ContradictingOrdersAreRefusedByName) {
  // Stage 0 wants micro-batch 1 back before it has sent it.
  std::vector<SmallVector<LoopCall>> orders = {
      {{TaskKind::Weight, 0}, {TaskKind::Forward, 0}},
      {{TaskKind::Forward, 0}, {TaskKind::Backward, 0}}};
  SimulatedChannel channels[] = {{0, TaskKind::Forward, 1, TaskKind::Forward},
                                 {1, TaskKind::Backward, 0, TaskKind::Weight}};
  MLIRContext context;
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });

  auto times = simulatePipeline(
      orders, channels, [](int64_t, TaskKind) { return 1.0; },
      [&] { return emitError(UnknownLoc::get(&context)); });

  EXPECT_TRUE(failed(times));
  EXPECT_NE(message.find("stage 0 waits for what weight of micro-batch 0"),
            std::string::npos)
      << message;
}

} // namespace
