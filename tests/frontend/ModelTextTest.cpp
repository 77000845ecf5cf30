//===- ModelTextTest.cpp - The commented JSON form
//--------------------------===//
//
// Case P50, text half: hand-edited files are refused at line and column.
//
//===----------------------------------------------------------------------===//

#include "tests/frontend/ModelTexts.h"

#include "frontend/ModelText.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mlir::dtc {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(ModelTextTest, KnowsLineAndColumnOfEachValue) {
  ModelDocument document;
  document.file = "m";

  ASSERT_FALSE(parseModelText(
      "// c\n{ \"a\": 12,\n  \"b\\\"\": [\"x\", -1.5e3] }", document));

  EXPECT_EQ(document.root.position.line, 2);
  EXPECT_EQ(document.root.position.column, 1);
  EXPECT_EQ(document.root.members[0].position.column, 3);
  EXPECT_EQ(document.root.members[0].value.position.column, 8);
  EXPECT_EQ(document.root.members[1].name, "b\"");
  EXPECT_EQ(document.root.members[1].position.line, 3);
  EXPECT_EQ(document.root.members[1].position.column, 3);
  const ModelNode &list = document.root.members[1].value;
  EXPECT_EQ(list.position.column, 10);
  EXPECT_EQ(list.elements[0].position.column, 11);
  EXPECT_EQ(list.elements[1].position.column, 16);
  EXPECT_EQ(list.elements[1].text, "-1.5e3");
}

TEST(ModelTextTest, RefusesARepeatedKeyAtItsSecondPlace) {
  EXPECT_EQ(complainAbout("{\"name\": \"a\",\n \"name\": \"b\"}"),
            "m.json:2:2: error: repeated key \"name\"; first given on line 1 "
            "[DTC-MODEL-TEXT]");
}

TEST(ModelTextTest, RefusesTextBehindTheEnd) {
  EXPECT_THAT(complainAbout("{\"name\": \"a\"} x"),
              StartsWith("m.json:1:15: error: text behind the end"));
}

TEST(ModelTextTest, RefusesNaNAsNumber) {
  EXPECT_THAT(complainAbout("{\"epochs\": NaN}"),
              StartsWith("m.json:1:12: error: NaN is no JSON number"));
}

TEST(ModelTextTest, RefusesANumberThatOverflows) {
  EXPECT_THAT(complainAbout("{\"epochs\": 1e999}"), HasSubstr("1e999"));
}

TEST(ModelTextTest, RefusesDeepNestingWithoutAStack) {
  std::string deep(100000, '[');
  EXPECT_THAT(complainAbout(deep), HasSubstr("nested deeper than 48 levels"));
  std::string objects;
  for (int i = 0; i < 100000; ++i)
    objects += "{\"a\":";
  EXPECT_THAT(complainAbout(objects),
              HasSubstr("nested deeper than 48 levels"));
}

TEST(ModelTextTest, RefusesTextThatBreaksOff) {
  std::string text = withLayers(R"({"name": "a", "kind": "relu"})");
  ASSERT_EQ(complainAbout(text), "");
  for (size_t length = 0; length < text.size(); ++length)
    EXPECT_THAT(complainAbout(text.substr(0, length)), HasSubstr("error: "))
        << length;
}

TEST(ModelTextTest, OffersTheNearestField) {
  EXPECT_EQ(complainAbout(withLayers(R"({"name": "a", "kind": "linear",
 "widht": 3})")),
            "m.json:6:2: error: layer \"a\": unknown field \"widht\"; did you "
            "mean \"width\"? [DTC-MODEL-FIELD]");
  EXPECT_THAT(complainAbout(R"({"name": "m", "optimizer": {"kind": "sgd",
 "learning_rat": 1}})"),
              StartsWith("m.json:2:2: error: optimizer: unknown field "
                         "\"learning_rat\"; expected one of kind, lr"));
}

TEST(ModelTextTest, RefusesValuesOfAnotherType) {
  EXPECT_THAT(complainAbout(R"({"name": 3})"),
              HasSubstr("name: expected a string, found 3"));
  EXPECT_THAT(complainAbout(R"({"name": "m", "epochs": 1.5})"),
              HasSubstr("epochs: expected an integer of 64 bits, found 1.5"));
  EXPECT_THAT(complainAbout(R"({"name": "m", "layers": {}})"),
              HasSubstr("layers: expected a list, found an object"));
  EXPECT_THAT(complainAbout(R"({"name": "m", "deterministic": 1})"),
              HasSubstr("deterministic: expected true or false, found 1"));
  EXPECT_THAT(
      complainAbout(R"({"name": "m", "plan": {"schedule": "1f2b"}})"),
      HasSubstr("schedule: unknown value \"1f2b\"; did you mean \"1f1b\"?"));
  EXPECT_THAT(complainAbout(R"({"epochs": 1})"),
              HasSubstr("model: name is missing"));
}

TEST(ModelTextTest, RefusesAFieldThatTheKindHasNoUseFor) {
  EXPECT_THAT(
      complainAbout(withLayers(R"({"name": "a", "kind": "relu", "width": 3})")),
      HasSubstr("layer \"a\": kind relu has no width"));
}

} // namespace
} // namespace mlir::dtc
