//===- ModelFileTest.cpp - Forms of a model file, whole and broken
//-----------===//
//
// Case P50, binary half: every truncation and every byte set to 0xFF gives an
// error or a model, and never more than that.
//
//===----------------------------------------------------------------------===//

#include "tests/frontend/ModelTexts.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mlir::dtc {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string readExample() {
  return llvm::MemoryBuffer::getFile(DTC_MODELS_SOURCE "/mlp/example.json")
      .get()
      ->getBuffer()
      .str();
}

std::string pack(const std::string &text) {
  ModelFile file = readModel(text);
  return std::string(file.bytes().begin(), file.bytes().end());
}

TEST(ModelFileTest, BinaryAndTextAreTheSameModel) {
  ModelFile text = readModel(readExample());
  ModelFile binary = readModel(pack(readExample()));

  EXPECT_EQ(text.bytes(), binary.bytes());
  EXPECT_EQ(readModel(binary.text()).bytes(), binary.bytes());
  EXPECT_EQ(binary.model().layers()->Get(2)->add()->str(), "in");
  EXPECT_EQ(binary.model().loss()->ignore(), -100);
}

TEST(ModelFileTest, KeepsEveryBitOfANumber) {
  std::string text = readExample();
  ModelFile file =
      readModel(pack(text), {"inputs.x.scale=0.00392156862745098"});

  ModelFile again = readModel(file.text());

  EXPECT_EQ(again.model().inputs()->Get(0)->scale(), 0.00392156862745098);
}

TEST(ModelFileTest, FindsEveryTruncation) {
  std::string bytes = pack(readExample());
  ASSERT_EQ(complainAbout(bytes), "");
  for (size_t length = 0; length < bytes.size(); ++length) {
    std::string complaint = complainAbout(bytes.substr(0, length));
    EXPECT_THAT(complaint, HasSubstr(": error: ")) << length;
    if (length >= 12)
      EXPECT_THAT(complaint,
                  HasSubstr("too short at byte " + std::to_string(length)));
  }
}

TEST(ModelFileTest, SurvivesEveryByteSetToFF) {
  std::string bytes = pack(readExample());
  size_t refused = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = '\xff';
    refused += !complainAbout(changed).empty();
  }
  // Pads and low bytes of numbers may give another valid model.
  EXPECT_GT(refused, bytes.size() / 2);
  EXPECT_LT(refused, bytes.size());
}

TEST(ModelFileTest, NamesAnotherIdentifier) {
  std::string bytes = pack(readExample());
  bytes.replace(8, 4, "ABCD");
  EXPECT_EQ(complainAbout(bytes),
            "m.json: error: has file identifier \"ABCD\" "
            "at byte 8; expected \"DTCM\" [DTC-MODEL-FILE]");
  bytes.replace(8, 4, "DTCX");
  EXPECT_THAT(complainAbout(bytes), HasSubstr("is a compiled program"));
}

TEST(ModelFileTest, RefusesBytesBehindTheEnd) {
  EXPECT_THAT(complainAbout(pack(readExample()) + "x"),
              HasSubstr("bytes were added or the prefix is damaged"));
}

TEST(ModelFileTest, TellsForeignFilesApart) {
  EXPECT_THAT(complainAbout(""), HasSubstr("the file is empty"));
  EXPECT_THAT(complainAbout("// a schema\nnamespace a;\ntable B {}"),
              HasSubstr("is a FlatBuffers schema"));
  EXPECT_THAT(complainAbout(std::string("\x93NUMPY\1\0", 8)),
              HasSubstr("is a numpy array"));
  EXPECT_THAT(complainAbout("module { func.func @step() }"),
              HasSubstr("is MLIR"));
  EXPECT_THAT(complainAbout("some other text of some length"),
              HasSubstr("error: "));
}

TEST(ModelFileTest, RefusesDirectoriesAndMissingFiles) {
  llvm::Expected<ModelFile> folder = ModelFile::read(DTC_MODELS_SOURCE);
  ASSERT_FALSE(folder);
  EXPECT_THAT(llvm::toString(folder.takeError()),
              HasSubstr("is a directory; expected a model file"));
  llvm::Expected<ModelFile> missing = ModelFile::read("/nowhere/m.json");
  ASSERT_FALSE(missing);
  EXPECT_EQ(llvm::toString(missing.takeError()),
            "/nowhere/m.json: error: No such file or directory "
            "[DTC-MODEL-FILE]");
}

TEST(ModelFileTest, PathsStartFromTheModelsFolder) {
  ModelFile file = llvm::cantFail(
      ModelFile::parse(readExample(), "/models/mlp/example.json"));
  EXPECT_EQ(file.resolvePath("x.npy"), "/models/mlp/x.npy");
  EXPECT_EQ(file.resolvePath("../x.npy"), "/models/x.npy");
  EXPECT_EQ(file.resolvePath("/data/x.npy"), "/data/x.npy");
}

} // namespace
} // namespace mlir::dtc
