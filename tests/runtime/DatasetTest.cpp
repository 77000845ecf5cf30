//===- DatasetTest.cpp - Samples by global index --------------------------===//
//
// Files on disk here, since telling formats apart, joining files and noticing
// that one shrinks are about files.
//
//===----------------------------------------------------------------------===//

#include "runtime/data/Dataset.h"

#include "runtime/data/DataOrder.h"
#include "tests/runtime/DataFiles.h"

#include <filesystem>

namespace dtc::rt {
namespace {

const Bytes kImages = {0, 0, 8, 3, 0, 0, 0, 3, 0, 0, 0,
                       1, 0, 0, 0, 2, 0, 1, 2, 3, 4, 255};

std::string npyDict(const std::string &descr, const std::string &shape) {
  return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" +
         shape + ")}";
}

TEST(DatasetTest, ReadsSamplesByIndexScaledAndAbsent) {
  TemporaryFile file("images", kImages);
  std::unique_ptr<Dataset> images = *openDataset({file.path});
  SampleTransform transform;
  transform.scale = 1.0 / 255;
  transform.shift = -1;
  int64_t indices[] = {2, kAbsentSample, 0};
  float values[6];

  ASSERT_TRUE(images->read(indices, 3, DType::kF32, values, transform).isOk());

  EXPECT_EQ(images->sampleCount(), 3);
  EXPECT_EQ(images->sampleShape(), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(values[0], static_cast<float>(4 * (1.0 / 255) - 1));
  EXPECT_EQ(values[1], 0);
  EXPECT_EQ(values[2], 0);
  EXPECT_EQ(values[3], 0);
  EXPECT_EQ(values[4], -1);
}

TEST(DatasetTest, ReadsLabelsAsIntegersWithAnIgnoreLabel) {
  TemporaryFile file("labels.npy",
                     npyBytes(npyDict("<i8", "3,"),
                              bytesOf(std::vector<int64_t>{4, -100, 2})));
  std::unique_ptr<Dataset> labels = *openDataset({file.path});
  int64_t indices[] = {0, 1, kAbsentSample, 2};
  int32_t values[4];

  ASSERT_TRUE(labels->read(indices, 4, DType::kI32, values, {1, 0, -7}).isOk());

  EXPECT_EQ(std::vector<int32_t>(values, values + 4),
            (std::vector<int32_t>{4, -100, -7, 2}));
  EXPECT_TRUE(labels->sampleShape().empty());
}

TEST(DatasetTest, ReadsEveryResultType) {
  TemporaryFile file("x.npy", npyBytes(npyDict("<f4", "1,2"),
                                       bytesOf(std::vector<float>{1.5f, -4})));
  std::unique_ptr<Dataset> data = *openDataset({file.path});
  int64_t index = 0;

  for (DType dtype : {DType::kF32, DType::kF64, DType::kBF16, DType::kF16}) {
    unsigned char bytes[16];
    ASSERT_TRUE(data->read(&index, 1, dtype, bytes).isOk());
    EXPECT_EQ(loadElement(bytes + byteSize(dtype), dtype), -4);
  }
}

TEST(DatasetTest, IntegersThatDoNotFitAreNamed) {
  TemporaryFile wide("wide.npy",
                     npyBytes(npyDict("<u4", "2,"),
                              bytesOf(std::vector<uint32_t>{1, 3000000000u})));
  TemporaryFile real("real.npy", npyBytes(npyDict("<f4", "1,"),
                                          bytesOf(std::vector<float>{1})));
  int64_t index = 1, zero = 0;
  int32_t value;

  Status range =
      (*openDataset({wide.path}))->read(&index, 1, DType::kI32, &value);
  Status type =
      (*openDataset({real.path}))->read(&zero, 1, DType::kI32, &value);
  Status scaled = (*openDataset({wide.path}))
                      ->read(&zero, 1, DType::kI32, &value, {2, 0, 0});

  EXPECT_EQ(range.str(), wide.path + ": element 1 is 3000000000, expected "
                                     "-2147483648 to 2147483647 "
                                     "[DTC-DATA-VALUE-RANGE]");
  EXPECT_EQ(type.str(), real.path + ": holds f32, asked for as i32; store "
                                    "integers [DTC-DATA-FILE-UNSUPPORTED]");
  EXPECT_EQ(scaled.message(),
            wide.path + ": scale 2 and shift 0 of i32, expected 1 and 0 for "
                        "integers");
}

TEST(DatasetTest, JoinsFilesInOrder) {
  TemporaryFile first("a.npy", npyBytes(npyDict("|u1", "2,1"), {10, 11}));
  TemporaryFile none("b.npy", npyBytes(npyDict("|u1", "0,1"), {}));
  TemporaryFile last("c.npy", npyBytes(npyDict("|u1", "1,1"), {12}));
  std::unique_ptr<Dataset> data =
      *openDataset({first.path, none.path, last.path});
  int64_t indices[] = {2, 0, 1};
  int32_t values[3];

  ASSERT_EQ(data->sampleCount(), 3);
  ASSERT_TRUE(data->read(indices, 3, DType::kI32, values).isOk());
  EXPECT_EQ(values[0], 12);
  EXPECT_EQ(values[1], 10);
  EXPECT_EQ(values[2], 11);
  int64_t outside = 3;
  EXPECT_EQ(data->read(&outside, 1, DType::kI32, values).message(),
            first.path + ": sample 3 asked for, there are 3");
}

TEST(DatasetTest, FilesThatDoNotJoinAreNamedWithTheirShapes) {
  TemporaryFile first("a.npy", npyBytes(npyDict("|u1", "2,1"), {1, 2}));
  TemporaryFile second("b.npy", npyBytes(npyDict("|u1", "1,2"), {1, 2}));
  TemporaryFile scalar("s.npy", npyBytes(npyDict("|u1", ""), {1}));

  EXPECT_EQ(openDataset({first.path, second.path}).status().message(),
            second.path + ": holds 1x2 of u8, " + first.path +
                " 2x1 of u8; files of a data set differ in the first "
                "dimension only");
  EXPECT_EQ(openDataset({scalar.path}).status().message(),
            scalar.path + ": holds one number, expected a first dimension "
                          "that counts samples");
  EXPECT_FALSE(openDataset({}).isOk());
}

TEST(DatasetTest, NamesATensorAfterAHash) {
  TemporaryFile file(
      "two.safetensors",
      safetensorsBytes(
          R"({"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
          R"("y":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
          {5, 6}));

  EXPECT_EQ(valuesOf(*openArray(file.path + "#y")), std::vector<double>{6});
  EXPECT_EQ(openArray(file.path).status().message(),
            file.path + ": holds 2 tensors; name one as " + file.path +
                "#name");
  EXPECT_EQ(openArray(file.path + "#z").status().message(),
            file.path + ": holds no tensor \"z\"; it holds 2: x, y");
}

TEST(DatasetTest, RefusesWhatIsNoDataFile) {
  TemporaryFile empty("empty", {});
  TemporaryFile text("text", bytesOf("hello, this is text"));

  EXPECT_EQ(openArray(empty.path).status().str(),
            empty.path + ": byte 0: the file is empty [DTC-DATA-FILE-DAMAGED]");
  EXPECT_EQ(openArray(text.path).status().message(),
            text.path + ": begins as none of npy, idx, gzip and safetensors");
  EXPECT_EQ(openArray(text.path + ".no").status().str(),
            text.path + ".no: No such file or directory "
                        "[DTC-FILE-UNREADABLE]");
  EXPECT_EQ(openArray("/").status().message(), "/: is a folder, expected a "
                                               "file");
}

// Mapped memory would end this with SIGBUS.
TEST(DatasetTest, AFileThatShrinksIsAnError) {
  TemporaryFile file("shrinks.npy",
                     npyBytes(npyDict("|u1", "1000,"), Bytes(1000)));
  std::unique_ptr<Dataset> data = *openDataset({file.path});
  auto size = std::filesystem::file_size(file.path);
  std::filesystem::resize_file(file.path, size / 2);
  int64_t index = 999;
  int32_t value;

  Status status = data->read(&index, 1, DType::kI32, &value);

  EXPECT_EQ(status.code(), ErrorCode::kDataFileDamaged);
  EXPECT_NE(status.message().find("the file ends here; it had " +
                                  std::to_string(size) +
                                  " bytes when it was "
                                  "opened"),
            std::string::npos)
      << status;
}

// Beyond 2^32 bytes, in a sparse file.
TEST(DatasetTest, ReadsPastFourGibibytes) {
  TemporaryFile file("sparse.npy", npyBytes(npyDict("<i4", "1200000000,"), {}));
  auto header = std::filesystem::file_size(file.path);
  std::filesystem::resize_file(file.path, header + 4800000000u);
  {
    std::fstream stream(file.path,
                        std::ios::binary | std::ios::in | std::ios::out);
    stream.seekp(-4, std::ios::end);
    stream.write("\x2a\0\0\0", 4);
  }
  std::unique_ptr<Dataset> data = *openDataset({file.path});
  int64_t indices[] = {0, 1199999999};
  int32_t values[2];

  ASSERT_TRUE(data->read(indices, 2, DType::kI32, values).isOk());

  EXPECT_EQ(values[0], 0);
  EXPECT_EQ(values[1], 42);
}

TEST(DatasetTest, ReadsFashionMnist) {
  const std::string folder = DTC_FASHION_DIR;
  if (!std::filesystem::exists(folder + "/t10k-images-idx3-ubyte.gz"))
    GTEST_SKIP() << "package dataset-fashion-mnist is not installed";

  Result<std::unique_ptr<Dataset>> images =
      openDataset({folder + "/t10k-images-idx3-ubyte.gz"});
  Result<std::unique_ptr<Dataset>> labels =
      openDataset({folder + "/t10k-labels-idx1-ubyte.gz"});

  ASSERT_TRUE(images.isOk()) << images.status();
  ASSERT_TRUE(labels.isOk()) << labels.status();
  EXPECT_EQ((*images)->sampleCount(), 10000);
  EXPECT_EQ((*images)->sampleShape(), (std::vector<int64_t>{28, 28}));
  int64_t first[] = {0, 1, 2, 3};
  int32_t classes[4];
  ASSERT_TRUE((*labels)->read(first, 4, DType::kI32, classes).isOk());
  EXPECT_EQ(std::vector<int32_t>(classes, classes + 4),
            (std::vector<int32_t>{9, 2, 1, 1}));
}

} // namespace
} // namespace dtc::rt
