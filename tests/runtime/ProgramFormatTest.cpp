//===- ProgramFormatTest.cpp - The frozen form of a program ---------------===//
//
// Holds the reader to the vectors of runtime/docs/program.md.
//
//===----------------------------------------------------------------------===//

#include "runtime/program/ContentHash.h"
#include "runtime/program/Mesh.h"
#include "runtime/program/Program.h"
#include "tests/runtime/CheckedProgram.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace dtc::rt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Section 5: format_major 1, seed 7, both hashes 0.
const std::vector<uint8_t> kTiny = {
    0x3c, 0, 0, 0, 0x1c, 0, 0, 0, 'D',  'T', 'C',  'X', 0x12, 0, 0x20, 0, //
    0x04, 0, 0, 0, 0,    0, 0, 0, 0x08, 0,   0x10, 0,   0x18, 0, 0,    0, //
    0x14, 0, 0, 0, 0x01, 0, 0, 0, 0,    0,   0,    0,   0,    0, 0,    0, //
    0,    0, 0, 0, 0,    0, 0, 0, 0x07, 0,   0,    0,   0,    0, 0,    0};
constexpr size_t kHashLow = 40, kHashEnd = 56;

std::string loadError(std::vector<uint8_t> bytes) {
  auto loaded = Program::load(std::move(bytes));
  return loaded.isOk() ? "" : loaded.status().str();
}

std::vector<uint8_t> packed() {
  program::ProgramT table = test::makeCheckedProgram();
  return test::packProgram(table);
}

TEST(ProgramFormatTest, ContentHashIsThatOfThePage) {
  ContentHash hash = hashProgram(kTiny);
  EXPECT_EQ(hash.high, 0xd7c12c461c890b16u);
  EXPECT_EQ(hash.low, 0x632e93ba17af5f37u);
}

TEST(ProgramFormatTest, ContentHashCoversEveryByteButItsOwn) {
  ContentHash hash = hashProgram(kTiny);
  // Bytes that say where the fields are would move them.
  for (size_t at : {0, 3, 37, 39, 56, 63}) {
    std::vector<uint8_t> changed = kTiny;
    changed[at] ^= 1;
    EXPECT_NE(hashProgram(changed).low, hash.low) << "byte " << at;
  }
  for (size_t at = kHashLow; at < kHashEnd; ++at) {
    std::vector<uint8_t> changed = kTiny;
    changed[at] ^= 1;
    EXPECT_EQ(hashProgram(changed).low, hash.low) << "byte " << at;
    EXPECT_EQ(hashProgram(changed).high, hash.high) << "byte " << at;
  }
}

TEST(ProgramFormatTest, AProgramWithItsRequiredFieldsLoads) {
  EXPECT_EQ(loadError(packed()), "");
  EXPECT_THAT(loadError(kTiny), HasSubstr("its tables are damaged"));
}

TEST(ProgramFormatTest, ContainerIsRefusedByWhatIsWrongWithIt) {
  std::vector<uint8_t> bytes = packed();
  EXPECT_THAT(loadError({bytes.begin(), bytes.begin() + 11}),
              HasSubstr("at least 12 bytes, found 11"));
  std::vector<uint8_t> cut(bytes.begin(), bytes.end() - 1);
  EXPECT_THAT(loadError(cut),
              HasSubstr("its length says " + std::to_string(bytes.size()) +
                        " bytes, the file has " + std::to_string(cut.size())));
  std::vector<uint8_t> foreign = bytes;
  foreign[11] = 'M';
  EXPECT_THAT(loadError(foreign),
              HasSubstr("file identifier is 'DTCM', expected 'DTCX'"));
  std::vector<uint8_t> flipped = bytes;
  flipped.back() ^= 1;
  EXPECT_NE(loadError(flipped), "");
}

TEST(ProgramFormatTest, OtherVersionsAreRefusedWithWhatIsRead) {
  program::ProgramT table = test::makeCheckedProgram();
  table.format_major = 2;
  EXPECT_THAT(loadError(test::packProgram(table)),
              AllOf(HasSubstr("format 2.0"), HasSubstr("reads 1.0 to 1.0")));
  table.format_major = 1;
  table.format_minor = 1;
  EXPECT_THAT(loadError(test::packProgram(table)), HasSubstr("format 1.1"));
}

/// A table of axes and one layout, for the arithmetic of the mesh.
class MeshFormatTest : public ::testing::Test {
protected:
  /// Axes of these sizes, and dimension 0 split over `split`.
  const program::Program &make(std::vector<uint32_t> parts,
                               std::vector<int> split) {
    program::ProgramT table = test::makeCheckedProgram();
    for (int axis = 0; axis < kMeshAxisCount; ++axis)
      table.axes[axis]->parts = parts[axis];
    for (int axis = 0; axis < kMeshAxisCount; ++axis) {
      bool splits = std::count(split.begin(), split.end(), axis) > 0;
      table.layouts[0]->axes[axis] = program::AxisState(
          0, splits ? 0 : -1,
          splits ? program::AxisKind::Split : program::AxisKind::Replicated,
          program::ReductionKind::Sum);
    }
    bytes = test::packProgram(table);
    return *program::GetSizePrefixedProgram(bytes.data());
  }

  std::vector<uint8_t> bytes;
};

TEST_F(MeshFormatTest, RanksAndGroupsAreThoseOfThePage) {
  Mesh mesh(make({2, 3, 2, 1}, {}));
  EXPECT_EQ(mesh.coordinates(5), (Coordinates{0, 2, 1, 0}));
  EXPECT_EQ(mesh.coordinates(8), (Coordinates{1, 1, 0, 0}));
  for (int32_t rank = 0; rank < mesh.rankCount(); ++rank)
    EXPECT_EQ(mesh.rank(mesh.coordinates(rank)), rank);
  EXPECT_THAT(mesh.group(mesh.coordinates(0), {kDp}), ElementsAre(0, 2, 4));
  EXPECT_THAT(mesh.group(mesh.coordinates(5), {kDp}), ElementsAre(1, 3, 5));
  EXPECT_THAT(mesh.group(mesh.coordinates(8), {kDp}), ElementsAre(6, 8, 10));
  EXPECT_THAT(mesh.group(mesh.coordinates(0), {kPp, kTp}),
              ElementsAre(0, 1, 6, 7));
  EXPECT_THAT(mesh.group(mesh.coordinates(5), {kPp, kTp}),
              ElementsAre(4, 5, 10, 11));
  EXPECT_THAT(mesh.group(mesh.coordinates(8), {kPp, kTp}),
              ElementsAre(2, 3, 8, 9));
}

TEST_F(MeshFormatTest, BlocksAreThoseOfThePage) {
  const program::Program &nested = make({1, 2, 1, 2}, {kDp, kMb});
  const int64_t starts[2][2] = {{0, 2}, {4, 6}},
                lengths[2][2] = {{2, 2}, {2, 1}};
  for (int64_t dp = 0; dp < 2; ++dp)
    for (int64_t mb = 0; mb < 2; ++mb) {
      Extent extent =
          Mesh(nested).extent(*nested.layouts()->Get(0), 7, 0, {0, dp, 0, mb});
      EXPECT_EQ(extent.start, starts[dp][mb]);
      EXPECT_EQ(extent.length, lengths[dp][mb]);
    }
  const program::Program &wide = make({1, 4, 1, 1}, {kDp});
  const program::Layout &layout = *wide.layouts()->Get(0);
  EXPECT_EQ(Mesh(wide).extent(layout, 3, 0, {0, 2, 0, 0}).length, 1);
  EXPECT_EQ(Mesh(wide).extent(layout, 3, 0, {0, 3, 0, 0}).length, 0);
}

} // namespace
} // namespace dtc::rt
