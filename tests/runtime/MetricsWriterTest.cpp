//===- MetricsWriterTest.cpp - metrics.jsonl, one object a line -----------===//
//
// Lines are compared as text, since others parse them, and parsed, since they
// must be JSON whatever a step computed.
//
//===----------------------------------------------------------------------===//

#include "runtime/profile/MetricsWriter.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <limits>
#include <unistd.h>
#include <vector>

namespace dtc::rt {
namespace {

class MetricsWriterTest : public testing::Test {
protected:
  ~MetricsWriterTest() override { std::remove(path.c_str()); }

  std::vector<std::string> lines() const {
    std::vector<std::string> found;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
      found.push_back(line);
    return found;
  }

  const std::string path = testing::TempDir() + "dtc_metrics_" +
                           std::to_string(::getpid()) + ".jsonl";
};

TEST_F(MetricsWriterTest, WritesOneObjectALineAtOnce) {
  std::unique_ptr<MetricsWriter> writer = *MetricsWriter::open(path);
  writer->beginUntimed("step");
  writer->integer("step", 120);
  writer->number("loss", 3.21);
  writer->number("lr", 3e-4);
  writer->flag("skipped", false);
  ASSERT_TRUE(writer->end().isOk());

  // Read while the writer is open: nothing waits in a buffer.
  EXPECT_EQ(lines(), std::vector<std::string>{
                         R"({"event":"step","step":120,"loss":3.21,)"
                         R"("lr":3e-04,"skipped":false})"});
}

TEST_F(MetricsWriterTest, NonfiniteNumbersAreNullAndListed) {
  std::unique_ptr<MetricsWriter> writer = *MetricsWriter::open(path);
  writer->beginUntimed("step");
  writer->number("loss", NAN);
  writer->number("lr", 1);
  writer->number("grad_norm", -INFINITY);
  ASSERT_TRUE(writer->end().isOk());
  writer->beginUntimed("step");
  writer->number("loss", 2);
  ASSERT_TRUE(writer->end().isOk());

  EXPECT_EQ(lines()[0],
            R"({"event":"step","loss":null,"lr":1,)"
            R"("grad_norm":null,"nonfinite":["loss","grad_norm"]})");
  EXPECT_EQ(lines()[1], R"({"event":"step","loss":2})");
}

TEST_F(MetricsWriterTest, NumbersReadBackToTheSameBits) {
  std::vector<double> values = {0.1, 1e-310, -1.7976931348623157e308, 1e22,
                                0x1.fffffep-3};
  std::unique_ptr<MetricsWriter> writer = *MetricsWriter::open(path);
  for (double value : values) {
    writer->beginUntimed("step");
    writer->number("x", value);
    writer->integer("i", std::numeric_limits<int64_t>::min());
    ASSERT_TRUE(writer->end().isOk());
  }

  for (size_t i = 0; i < values.size(); ++i) {
    nlohmann::json object = nlohmann::json::parse(lines()[i]);
    EXPECT_EQ(object["x"].get<double>(), values[i]);
    EXPECT_EQ(object["i"].get<int64_t>(), std::numeric_limits<int64_t>::min());
  }
}

TEST_F(MetricsWriterTest, TextIsEscapedAndWrongBytesReplaced) {
  std::unique_ptr<MetricsWriter> writer = *MetricsWriter::open(path);
  writer->beginUntimed("run");
  writer->text("argv", "train \"a b\"\n\xff");
  ASSERT_TRUE(writer->end().isOk());

  ASSERT_EQ(lines().size(), 1u);
  EXPECT_EQ(nlohmann::json::parse(lines()[0])["argv"],
            "train \"a b\"\n\xef\xbf\xbd");
}

TEST_F(MetricsWriterTest, TimedLinesCarryTimes) {
  std::unique_ptr<MetricsWriter> writer = *MetricsWriter::open(path);
  writer->begin("run");
  ASSERT_TRUE(writer->end().isOk());

  nlohmann::json object = nlohmann::json::parse(lines()[0]);
  EXPECT_GT(object["time"].get<double>(), 1.6e9);
  EXPECT_GE(object["elapsed"].get<double>(), 0);
}

TEST_F(MetricsWriterTest, AppendsAfterALineThatWasCutOff) {
  std::ofstream(path) << "{\"event\":\"step\",\"lo";
  std::unique_ptr<MetricsWriter> writer = *MetricsWriter::open(path);
  writer->beginUntimed("resume");
  ASSERT_TRUE(writer->end().isOk());

  EXPECT_EQ(lines(), (std::vector<std::string>{"{\"event\":\"step\",\"lo",
                                               R"({"event":"resume"})"}));
}

TEST_F(MetricsWriterTest, SaysWhyAFileCannotBeWritten) {
  Status opened = MetricsWriter::open("/nowhere/metrics.jsonl").takeStatus();
  EXPECT_EQ(opened.str(), "/nowhere/metrics.jsonl: No such file or directory "
                          "[DTC-FILE-UNWRITABLE]");

  std::unique_ptr<MetricsWriter> full = *MetricsWriter::open("/dev/full");
  full->beginUntimed("run");
  EXPECT_EQ(full->end().str(),
            "/dev/full: No space left on device [DTC-FILE-UNWRITABLE]");
}

} // namespace
} // namespace dtc::rt
