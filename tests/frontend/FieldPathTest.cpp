//===- FieldPathTest.cpp - `--set path=value`
//--------------------------------===//
//
// Every field can be reached, by index or by name, in text and binary alike.
//
//===----------------------------------------------------------------------===//

#include "tests/frontend/ModelTexts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mlir::dtc {
namespace {

using testing::HasSubstr;

std::string makeText() {
  return withLayers(R"({"name": "fc", "kind": "linear", "width": 3},
{"name": "fc.x", "kind": "linear", "width": 4})");
}

std::string makeBinary() {
  ModelFile file = readModel(makeText());
  return std::string(file.bytes().begin(), file.bytes().end());
}

TEST(FieldPathTest, ReachesFieldsOfTables) {
  for (const std::string &model : {makeText(), makeBinary()}) {
    ModelFile file = readModel(model, {"plan.dp=2", "optimizer.lr=0.5",
                                       "plan.schedule=gpipe", "name=other"});
    EXPECT_EQ(file.model().plan()->dp(), 2);
    EXPECT_EQ(file.model().plan()->schedule(), ::dtc::model::Schedule::gpipe);
    EXPECT_EQ(*file.model().optimizer()->lr(), 0.5);
    EXPECT_EQ(file.model().name()->str(), "other");
  }
}

TEST(FieldPathTest, ReachesElementsByIndexAndByName) {
  for (const std::string &model : {makeText(), makeBinary()}) {
    ModelFile file =
        readModel(model, {"layers[0].width=5", "layers.1.bias=false",
                          "layers.fc.x.width=7", "inputs.x.scale=2"});
    EXPECT_EQ(file.model().layers()->Get(0)->width(), 5);
    EXPECT_EQ(file.model().layers()->Get(1)->width(), 7);
    EXPECT_FALSE(file.model().layers()->Get(1)->bias());
    EXPECT_EQ(file.model().inputs()->Get(0)->scale(), 2);
  }
}

TEST(FieldPathTest, ReachesEntries) {
  for (const std::string &model : {makeText(), makeBinary()}) {
    ModelFile file =
        readModel(model, {"data.train.x=a.b.npy", "data.test.x=t.npy"});
    EXPECT_EQ(file.model().data()->train()->files()->Get(0)->path()->str(),
              "a.b.npy");
    EXPECT_EQ(file.model().data()->train()->files()->size(), 2u);
    EXPECT_EQ(file.model().data()->test()->files()->Get(0)->path()->str(),
              "t.npy");
  }
}

TEST(FieldPathTest, ReplacesWholeTablesAndLists) {
  ModelFile file =
      readModel(makeText(), {R"(optimizer={"kind": "adamw", "lr": 1})",
                             R"(optimizer.betas=[0.5, 0.75])"});
  EXPECT_EQ(file.model().optimizer()->betas()->Get(1), 0.75);
}

TEST(FieldPathTest, LaterSettingsWin) {
  EXPECT_EQ(
      readModel(makeText(), {"plan.dp=2", "plan.dp=3"}).model().plan()->dp(),
      3);
}

TEST(FieldPathTest, OffersTheNearestName) {
  auto complain = [](const std::string &setting) {
    return complainAbout(makeText(), {setting});
  };
  EXPECT_EQ(complain("plan.dpp=2"),
            "--set plan.dpp=2: error: model.plan has no "
            "field \"dpp\"; did you mean \"dp\"? "
            "[DTC-MODEL-FIELD]");
  EXPECT_THAT(complain("layers.fd.width=2"),
              HasSubstr("has no element \"fd\"; did you mean \"fc\"?"));
  EXPECT_THAT(complain("layers[9].width=2"),
              HasSubstr("has 2 elements, found index 9"));
  EXPECT_THAT(complain("optimzer.lr=1"),
              HasSubstr("did you mean \"optimizer\""));
  EXPECT_THAT(complain("plan.dp.x=1"), HasSubstr("has no parts"));
  EXPECT_THAT(complain("plan"), HasSubstr("expected path=value"));
  EXPECT_THAT(complain("plan.dp=x"), HasSubstr("expected a JSON value"));
  EXPECT_THAT(complain("plan.dp=\"x\""),
              HasSubstr("--set plan.dp=\"x\": error: plan.dp: expected an "
                        "integer, found \"x\""));
}

} // namespace
} // namespace mlir::dtc
