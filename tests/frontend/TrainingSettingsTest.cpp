//===- TrainingSettingsTest.cpp - Plan, batch, optimizer, data
//---------------===//
//
// Ranges, the frontend's part of case P42, and choices that are not built yet.
//
//===----------------------------------------------------------------------===//

#include "tests/frontend/ModelTexts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mlir::dtc {
namespace {

using testing::HasSubstr;

std::string complainWith(const std::vector<std::string> &settings) {
  return complainAbout(
      withLayers(R"({"name": "fc", "kind": "linear", "width": 3})"), settings);
}

TrainingSettings readWith(const std::vector<std::string> &settings) {
  ModelFile file = readModel(
      withLayers(R"({"name": "fc", "kind": "linear", "width": 3})"), settings);
  return llvm::cantFail(readTrainingSettings(file));
}

TEST(TrainingSettingsTest, PlanValuesNameTheSmallestLegalOne) {
  EXPECT_EQ(complainWith({"plan.dp=0"}),
            "--set plan.dp=0: error: plan.dp is 0, "
            "expected at least 1 [DTC-MODEL-SETTING]");
  EXPECT_THAT(complainWith({"plan.tp=-1"}),
              HasSubstr("plan.tp is -1, expected at least 1"));
  EXPECT_THAT(complainWith({"plan.pp=65"}),
              HasSubstr("plan.pp is 65, expected at most 64"));
}

TEST(TrainingSettingsTest, AnnotatedStagesMustFitThePlan) {
  std::string text = withLayers(R"(
{"name": "a", "kind": "relu", "stage": 0}, {"name": "b", "kind": "relu", "stage": 1},
{"name": "c", "kind": "relu", "stage": 2}, {"name": "d", "kind": "relu", "stage": 3})");
  EXPECT_THAT(complainAbout(text, {"plan.pp=2"}),
              HasSubstr("plan.pp is 2, but the layers are annotated with 4 "
                        "stages"));
  EXPECT_EQ(complainAbout(text, {"plan.pp=4"}), "");
}

TEST(TrainingSettingsTest, RefusesWhatIsNotBuiltByName) {
  EXPECT_THAT(complainWith({"plan.zero=2"}),
              HasSubstr("plan.zero 2 is not built yet; accepted: 0, 1"));
  EXPECT_THAT(complainWith({"plan.schedule=zero-bubble"}),
              HasSubstr("plan.schedule zero-bubble is not built yet; accepted: "
                        "1f1b, gpipe"));
  EXPECT_THAT(complainWith({"plan.schedule=interleaved"}),
              HasSubstr("interleaved is not built yet"));
  EXPECT_THAT(complainWith({"plan.chunks=2"}), HasSubstr("accepted: 1"));
  EXPECT_THAT(complainWith({"plan.sp=true"}), HasSubstr("accepted: false"));
  EXPECT_THAT(complainWith({"plan.recompute=full"}),
              HasSubstr("plan.recompute full is not built yet"));
  EXPECT_THAT(complainWith({"precision.compute=bf16"}),
              HasSubstr("precision.compute bf16 is not built yet"));
}

TEST(TrainingSettingsTest, GlobalBatchFollowsFromThatOfARank) {
  EXPECT_EQ(readWith({"batch={\"per_rank\": 3}", "plan.dp=4"}).globalBatch, 12);
  EXPECT_EQ(readWith({"batch.global=9", "plan.dp=4"}).globalBatch, 9);
  EXPECT_THAT(complainWith({"batch.per_rank=2"}), HasSubstr("not both"));
  EXPECT_THAT(complainWith({"batch={}"}), HasSubstr("global or per_rank"));
  EXPECT_THAT(complainWith({"batch.global=0"}),
              HasSubstr("batch.global is 0, expected at least 1"));
}

TEST(TrainingSettingsTest, OptimizerRangesAreChecked) {
  EXPECT_THAT(complainWith({"optimizer.lr=-1"}),
              HasSubstr("optimizer.lr is -1"));
  EXPECT_THAT(complainWith({"optimizer.momentum=1"}),
              HasSubstr("expected 0 <= momentum < 1"));
  EXPECT_THAT(complainWith({"optimizer.clip_norm=0"}),
              HasSubstr("expected more than 0"));
  EXPECT_THAT(complainWith({"optimizer.kind=adamw", "optimizer.betas=[0.5]"}),
              HasSubstr("has 1 numbers, expected 2"));
  EXPECT_THAT(complainWith({"optimizer={\"kind\": \"sgd\"}"}),
              HasSubstr("lr is missing"));
}

TEST(TrainingSettingsTest, EachInputNeedsAFile) {
  EXPECT_THAT(complainWith({"data.train={\"x\": \"x.npy\"}"}),
              HasSubstr("data.train: no file for input \"label\""));
  EXPECT_THAT(complainWith({"data.train.lable=\"l.npy\""}),
              HasSubstr("no input \"lable\"; did you mean \"label\"?"));
  EXPECT_THAT(complainWith({"data={}"}), HasSubstr("train is missing"));
}

TEST(TrainingSettingsTest, TrainingIsShuffledUnlessSaid) {
  EXPECT_TRUE(readWith({}).train.isShuffled);
  EXPECT_FALSE(readWith({"data.train.shuffle=false"}).train.isShuffled);
  TrainingSettings settings = readWith(
      {R"(data.test={"x": "a.npy", "label": "b.npy"})", "data.package=\"p\""});
  EXPECT_FALSE(settings.test->isShuffled);
  EXPECT_EQ(settings.test->files[1], "b.npy");
}

TEST(TrainingSettingsTest, EpochsAndStepsExcludeEachOther) {
  EXPECT_EQ(readWith({}).epochs, 1);
  EXPECT_EQ(readWith({"steps=5"}).epochs, 0);
  EXPECT_THAT(complainWith({"steps=5", "epochs=2"}), HasSubstr("not both"));
}

} // namespace
} // namespace mlir::dtc
