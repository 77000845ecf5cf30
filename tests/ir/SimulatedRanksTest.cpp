//===- SimulatedRanksTest.cpp - What a simulated step finds out -----------===//
//
// The oracle is worth what it refuses: replicas that differ, pads that are not
// zero, ranks that wait for each other, buffers read too late.
//
//===----------------------------------------------------------------------===//

#include "tests/ir/InterpreterRun.h"

#include <gmock/gmock.h>

namespace mlir::dtc::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Two stages of one rank each: `tasks` and the two schedules' calls.
std::string makeStages(const std::string &body, const std::string &first,
                       const std::string &second) {
  return R"(
#a = #dtc.layout<pp=2:On{0}, dp=1:R, tp=1:R, mb=2:S(0)>
#b = #dtc.layout<pp=2:On{1}, dp=1:R, tp=1:R, mb=2:S(0)>
#x = #dtc.layout<pp=2:On{0}, dp=1:R, tp=1:R, mb=2:R>
#s = #dtc.layout<pp=2:P(sum){0,1}, dp=1:R, tp=1:R, mb=2:R>
#w = #dtc.layout<pp=2:On{0,1}, dp=1:R, tp=1:R, mb=2:R>
dtc.variable @v : tensor<2xf32, #dtc.local<2, #w>> {init = {kind = "ones"}, role = "parameter"}
dtc.buffer @x : tensor<2xf32, #dtc.local<2, #x>> {stage = 0 : i64, buffer_class = #dtc.buffer_class<batch>}
dtc.buffer @kept : tensor<1xf32, #dtc.local<2, #a>> {stage = 0 : i64, buffer_class = #dtc.buffer_class<stash>}
func.func private @prologue() {
  dtc.read_batch "x" into @x
  return
}
)" + body +
         "\ndtc.schedule @stage0.train attributes {stage = 0 : i64} {\n" +
         first +
         "\n}\ndtc.schedule @stage1.train attributes {stage = 1 : i64} {\n" +
         second + "\n}\n";
}

const char *kSend = R"(
func.func private @forward() {
  %0 = dtc.load @x : tensor<2xf32, #dtc.local<2, #x>>
  %1 = dtc.local_slice %0 {axis = "mb"} : tensor<2xf32, #dtc.local<2, #x>> -> tensor<1xf32, #dtc.local<2, #a>>
  %2 = dtc.relu %1 {dtc.name = "h"} : (tensor<1xf32, #dtc.local<2, #a>>) -> tensor<1xf32, #dtc.local<2, #a>>
  dtc.send %2 {peer_stage = 1 : i64, channel = 4 : i64} : tensor<1xf32, #dtc.local<2, #a>>
  return
}
func.func private @take() {
  %0 = dtc.recv {peer_stage = 0 : i64, channel = 4 : i64, dtc.name = "got"} : tensor<1xf32, #dtc.local<2, #b>>
  return
}
)";

TEST(SimulatedRanksTest, RunsMicroBatchesThroughAChannelInOrder) {
  InterpreterRun run(makeStages(kSend,
                                "dtc.call @prologue\n"
                                "dtc.repeat 2 { dtc.call @forward }",
                                "dtc.repeat 2 { dtc.call @take }"),
                     "step");

  ASSERT_TRUE(succeeded(run.step({{3, 5}}))) << run.messages;

  auto got = run.ranks->getValue("got");
  ASSERT_TRUE(succeeded(got)) << run.messages;
  EXPECT_THAT(got->elements, ElementsAre(3, 5));
}

TEST(SimulatedRanksTest, SaysWhereEachRankWaitsWhenTheStepHangs) {
  InterpreterRun run(makeStages(kSend, "dtc.call @prologue\n dtc.call @forward",
                                "dtc.repeat 2 { dtc.call @take }"),
                     "step");

  EXPECT_TRUE(failed(run.step({{3, 5}})));
  EXPECT_THAT(run.messages, HasSubstr("the step hangs"));
  EXPECT_THAT(run.messages,
              HasSubstr("rank 1 (pp=1, dp=0, tp=0, mb=0) waits in dtc.recv of "
                        "got, task take, micro-batch 1"));
}

TEST(SimulatedRanksTest, RefusesMessagesThatNobodyReceives) {
  InterpreterRun run(makeStages(kSend,
                                "dtc.call @prologue\n"
                                "dtc.repeat 2 { dtc.call @forward }",
                                "dtc.call @take"),
                     "step");

  EXPECT_TRUE(failed(run.step({{3, 5}})));
  EXPECT_THAT(run.messages,
              HasSubstr("channel 4 from rank 0 to rank 1 ends the "
                        "step with 1 messages"));
}

TEST(SimulatedRanksTest, RefusesASlotThatAnotherMicroBatchHasOverwritten) {
  const char *tasks = R"(
func.func private @forward() {
  %0 = dtc.load @x : tensor<2xf32, #dtc.local<2, #x>>
  %1 = dtc.local_slice %0 {axis = "mb"} : tensor<2xf32, #dtc.local<2, #x>> -> tensor<1xf32, #dtc.local<2, #a>>
  dtc.save %1, @kept : tensor<1xf32, #dtc.local<2, #a>>
  return
}
func.func private @backward() {
  %0 = dtc.load @kept : tensor<1xf32, #dtc.local<2, #a>>
  return
}
)";
  InterpreterRun run(makeStages(tasks,
                                "dtc.call @prologue\n"
                                "dtc.repeat 2 { dtc.call @forward }\n"
                                "dtc.repeat 2 { dtc.call @backward }",
                                ""),
                     "step");

  EXPECT_TRUE(failed(run.step({{3, 5}})));
  EXPECT_THAT(run.messages, HasSubstr("loads kept on rank 0 for micro-batch 0, "
                                      "but its slot holds micro-batch 1"));
}

TEST(SimulatedRanksTest, RefusesCollectivesThatDoNotMatch) {
  const char *tasks = R"(
func.func private @one() {
  %0 = dtc.read @v : tensor<2xf32, #dtc.local<2, #w>>
  %1 = dtc.to_partial %0 {axes = ["pp"]} : tensor<2xf32, #dtc.local<2, #w>> -> tensor<2xf32, #dtc.local<2, #s>>
  %2 = dtc.all_reduce sum %1 over ["pp"] {dtc.name = "one"} : tensor<2xf32, #dtc.local<2, #s>> -> tensor<2xf32, #dtc.local<2, #w>>
  return
}
func.func private @other() {
  %0 = dtc.read @v : tensor<2xf32, #dtc.local<2, #w>>
  %1 = dtc.to_partial %0 {axes = ["pp"]} : tensor<2xf32, #dtc.local<2, #w>> -> tensor<2xf32, #dtc.local<2, #s>>
  %2 = dtc.all_reduce sum %1 over ["pp"] {dtc.name = "other"} : tensor<2xf32, #dtc.local<2, #s>> -> tensor<2xf32, #dtc.local<2, #w>>
  return
}
)";
  InterpreterRun same(makeStages(tasks, "dtc.call @one", "dtc.call @one"),
                      "step");
  InterpreterRun crossed(makeStages(tasks, "dtc.call @one\ndtc.call @other",
                                    "dtc.call @other\ndtc.call @one"),
                         "step");

  EXPECT_TRUE(succeeded(same.step({{3, 5}}))) << same.messages;
  EXPECT_TRUE(failed(crossed.step({{3, 5}})));
  EXPECT_THAT(crossed.messages,
              HasSubstr("of other is collective 0 of ranks {0,1} on rank 1, "
                        "where rank 0 has another"));
}

TEST(SimulatedRanksTest, RefusesReplicasThatDifferAndNamesTheAxis) {
  // A count of this rank's labels stored as if it were everyone's.
  InterpreterRun run(R"(
#s = #dtc.layout<pp=1:On{0}, dp=2:S(0), tp=1:R, mb=1:R, pad(0:fill)>
#p = #dtc.layout<pp=1:On{0}, dp=2:P(sum), tp=1:R, mb=1:R>
#r = #dtc.layout<pp=1:On{0}, dp=2:R, tp=1:R, mb=1:R>
dtc.variable @n : tensor<i64, #r> {init = {kind = "zeros"}, role = "scalar"}
func.func @f(%l: tensor<3xi32, #s>) {
  %0 = dtc.count_valid %l {ignore = -100 : i64} : (tensor<3xi32, #s>) -> tensor<i64, #p>
  %1 = dtc.all_reduce sum %0 over ["dp"] : tensor<i64, #p> -> tensor<i64, #r>
  dtc.store %1, @n : tensor<i64, #r>
  return
})");
  ASSERT_TRUE(succeeded(run.step({{1, 2, -100}}))) << run.messages;
  EXPECT_THAT(run.variable("n"), ElementsAre(2));

  // What the verifier would refuse, planted behind its back.
  auto function = run.module->lookupSymbol<func::FuncOp>("f");
  function.walk([](AllReduceOp op) {
    op.getResult().replaceAllUsesWith(op.getInput());
    op.erase();
  });

  EXPECT_TRUE(failed(run.step({{1, 2, -100}})));
  EXPECT_THAT(run.messages, HasSubstr("is R on axis \"dp\", but element 0 is 2 "
                                      "at pp=0, dp=0, tp=0, mb=0 and 0 at"));
}

TEST(SimulatedRanksTest, FillsPadsThatMayHoldAnythingAndHoldsZeroOnesToIt) {
  InterpreterRun run(R"(
#z = #dtc.layout<pp=1:On{0}, dp=2:S(0), tp=1:R, mb=1:R, pad(0:zero)>
#n = #dtc.layout<pp=1:On{0}, dp=2:S(0), tp=1:R, mb=1:R, pad(0:any)>
#r = #dtc.layout<pp=1:On{0}, dp=2:R, tp=1:R, mb=1:R>
func.func @f(%x: tensor<3x1xf32, #z>, %b: tensor<1xf32, #r>) -> tensor<3x1xf32, #n> {
  %0 = dtc.add %x, %b : (tensor<3x1xf32, #z>, tensor<1xf32, #r>) -> tensor<3x1xf32, #n>
  return %0 : tensor<3x1xf32, #n>
})");
  ASSERT_TRUE(succeeded(run.step({{1, 2, 3}, {10}}))) << run.messages;
  EXPECT_THAT(run.result(), ElementsAre(11, 12, 13));
  EXPECT_EQ(run.part(1)[0], 13);
  EXPECT_NE(run.part(1)[1], 10); // noise, not what the op put there

  // The same type claimed to be zero in pads, behind the verifier's back.
  Type zero =
      run.module->lookupSymbol<func::FuncOp>("f").getArgument(0).getType();
  run.module->walk(
      [&](AddOp op) { op.getResult().setType(cast<RankedTensorType>(zero)); });

  EXPECT_TRUE(failed(run.step({{1, 2, 3}, {10}})));
  EXPECT_THAT(run.messages,
              HasSubstr("pads of dimension 0 of result 0 hold 10"));
}

TEST(SimulatedRanksTest, RoundsEachResultInModeTypedOnly) {
  const char *text = R"(
func.func @f(%a: tensor<2xbf16>, %b: tensor<2xbf16>) -> tensor<2xbf16> {
  %0 = dtc.mul %a, %b : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xbf16>
  return %0 : tensor<2xbf16>
})";
  InterpreterRun exact(text), typed(text);
  typed.open("f", /*typed=*/true);

  // 1.0078125 is one step of bf16 above 1; its square lies between two steps.
  ASSERT_TRUE(succeeded(exact.step({{1.0078125, 3}, {1.0078125, 1e39}})));
  ASSERT_TRUE(succeeded(typed.step({{1.0078125, 3}, {1.0078125, 1e39}})));

  EXPECT_EQ(exact.result()[0], 1.01568603515625);
  EXPECT_EQ(typed.result()[0], 1.015625);
  EXPECT_EQ(exact.result()[1], 3e39);
  EXPECT_TRUE(std::isinf(typed.result()[1]));
}

TEST(SimulatedRanksTest, RoundsToNearestEvenWithSubnormals) {
  MLIRContext context;
  Type f16 = Float16Type::get(&context), bf16 = BFloat16Type::get(&context);

  EXPECT_EQ(roundToType(2049, f16), 2048); // tie, to even
  EXPECT_EQ(roundToType(2051, f16), 2052);
  EXPECT_EQ(roundToType(65519, f16), 65504);
  EXPECT_TRUE(std::isinf(roundToType(65520, f16)));
  EXPECT_EQ(roundToType(0x1.8p-24, f16), 0x1p-23); // tie between 1 and 2 steps
  EXPECT_EQ(roundToType(0x1p-25, f16), 0);
  EXPECT_EQ(roundToType(257, bf16), 256);
  // By way of f32 this would be rounded twice, to 1.0078125 * 2.
  EXPECT_EQ(roundToType(1 + 0x1p-8 + 0x1p-40, bf16), 1.0078125);
}

TEST(SimulatedRanksTest, DistributesVariablesAndBucketsByTheirLayouts) {
  // The bucket of the worked example's stage 0, tp split, sharded over dp.
  InterpreterRun run(R"(
#ws = #dtc.layout<pp=1:On{0}, dp=2:R, tp=2:S(0), mb=1:R, pad(0:zero)>
#b = #dtc.layout<pp=1:On{0}, dp=2:S(0), tp=2:X, mb=1:R, pad(0:zero)>
dtc.variable @b0.split : tensor<15xf32, #b> {init = {kind = "zeros", members = [{kind = "ones"}, {kind = "ones"}]}, role = "parameter",
  members = ["up.weight", "up.bias"],
  member_types = [tensor<5x4xf32, #ws>, tensor<5xf32, #ws>]}
dtc.variable @b0.split.m : tensor<15xf32, #b> {init = {kind = "zeros", members = [{kind = "zeros"}, {kind = "zeros"}]}, role = "state", of = @b0.split,
  members = ["up.weight.m", "up.bias.m"],
  member_types = [tensor<5x4xf32, #ws>, tensor<5xf32, #ws>]}
func.func @f() {
  %0 = dtc.read @b0.split.m {dtc.name = "m"} : tensor<15xf32, #b>
  return
})");
  std::vector<double> weight(20), bias{101, 102, 103, 104, 105};
  for (size_t i = 0; i < weight.size(); ++i)
    weight[i] = static_cast<double>(i + 1);
  run.setVariable("up.weight.m", weight);
  run.setVariable("up.bias.m", bias);

  ASSERT_TRUE(succeeded(run.step({}))) << run.messages;

  const ValueRecord *record = run.ranks->getRecord("m");
  ASSERT_TRUE(record);
  // tp 1 holds rows 3 and 4 and a pad row, then bias 3, 4 and a pad.
  EXPECT_THAT(record->parts[1]->elements,
              ElementsAre(13, 14, 15, 16, 17, 18, 19, 20));
  EXPECT_THAT(record->parts[3]->elements,
              ElementsAre(0, 0, 0, 0, 104, 105, 0, 0));
  EXPECT_EQ(run.variable("up.weight.m"), weight);
  EXPECT_EQ(run.variable("up.bias.m"), bias);
}

TEST(SimulatedRanksTest, DrawsInitialValuesByNameWhateverTheLayout) {
  auto makeText = [](const std::string &encoding) {
    return "dtc.variable @w : tensor<4x6xf32" + encoding +
           "> {init = {kind = \"normal\", mean = 0.0, std = 1.0}, role = "
           "\"parameter\"}\nfunc.func @f() {\n  return\n}";
  };
  InterpreterRun whole(makeText("")),
      split(makeText(", #dtc.layout<pp=1:On{0}, dp=1:R, tp=4:S(1), mb=1:R, "
                     "pad(1:zero)>"));

  EXPECT_EQ(whole.variable("w").size(), 24u);
  EXPECT_EQ(whole.variable("w"), split.variable("w"));
}

} // namespace
} // namespace mlir::dtc::test
