//===- ProgramTest.cpp - Loading programs, and the mesh
//--------------------===//
//
// Bytes that are no program, or one that lies about itself, are refused in
// words that say what was found.
//
//===----------------------------------------------------------------------===//

#include "tests/runtime/InstructionHarness.h"

#include "gmock/gmock.h"

namespace dtc::rt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<uint8_t> makeBytes() {
  InstructionHarness harness(1, 2, 1, 2);
  harness.value({7, 5}, {2, 5}, {{kDp, splitState(0)}, {kMb, splitState(0)}});
  return (*harness.load())->data();
}

std::string loadError(std::vector<uint8_t> bytes) {
  auto loaded = Program::load(std::move(bytes));
  return loaded.isOk() ? "" : loaded.status().str();
}

TEST(ProgramTest, LoadsWhatItWrote) { EXPECT_EQ(loadError(makeBytes()), ""); }

TEST(ProgramTest, RefusesEveryTruncation) {
  std::vector<uint8_t> bytes = makeBytes();
  for (size_t length = 0; length < bytes.size(); ++length)
    EXPECT_NE(loadError({bytes.begin(), bytes.begin() + length}), "") << length;
}

TEST(ProgramTest, RefusesEveryChangedByte) {
  std::vector<uint8_t> bytes = makeBytes();
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::vector<uint8_t> changed = bytes;
    changed[at] ^= 0x55;
    EXPECT_NE(loadError(std::move(changed)), "") << at;
  }
}

TEST(ProgramTest, SaysWhichIdentifierItFound) {
  std::vector<uint8_t> bytes = makeBytes();
  bytes[8] = 'X';
  EXPECT_THAT(loadError(bytes),
              HasSubstr("file identifier is 'XTCX', expected 'DTCX'"));
}

TEST(ProgramTest, RefusesAValueOutsideItsArena) {
  InstructionHarness harness(1, 1, 1, 1);
  harness.value({4}, {4});
  harness.table.stages[0]->arena_bytes = 8;
  auto loaded = harness.load();
  ASSERT_FALSE(loaded.isOk());
  EXPECT_THAT(loaded.status().str(),
              HasSubstr("stage 0: value v0: it needs 16 bytes"));
}

TEST(ProgramTest, RefusesACallOfATaskThatIsNotThere) {
  InstructionHarness harness(1, 1, 1, 1);
  harness.table.stages[0]->tasks.clear();
  auto loaded = harness.load();
  ASSERT_FALSE(loaded.isOk());
  EXPECT_THAT(loaded.status().str(),
              HasSubstr("the task of a call is 0, there are 0"));
}

TEST(MeshTest, NestsBlocksAndCountsRanksWithPpSlowest) {
  InstructionHarness harness(2, 2, 3, 2);
  harness.value({7}, {2}, {{kDp, splitState(0)}, {kMb, splitState(0)}});
  auto program = harness.load();
  ASSERT_TRUE(program.isOk()) << program.status();
  const program::Program &table = (*program)->table();
  Mesh mesh(table);
  const program::Layout &layout = *table.layouts()->Get(0);

  EXPECT_EQ(mesh.rankCount(), 12);
  EXPECT_EQ(mesh.rank({1, 0, 2, 0}), 8);
  EXPECT_EQ(mesh.coordinates(8), (Coordinates{1, 0, 2, 0}));
  EXPECT_THAT(mesh.group({1, 0, 2, 0}, {kTp}), ElementsAre(6, 7, 8));
  EXPECT_THAT(mesh.group({1, 0, 2, 0}, {kPp, kDp}), ElementsAre(2, 5, 8, 11));
  // Of a value that is partial over stage 1 only.
  EXPECT_THAT(mesh.group({1, 0, 2, 0}, {kPp, kDp}, 0b10), ElementsAre(8, 11));
  // Seven rows: blocks of four over dp, of two over mb.
  Extent last = mesh.extent(layout, 7, 0, {0, 1, 0, 1});
  EXPECT_EQ(last.start, 6);
  EXPECT_EQ(last.length, 1);
}

} // namespace
} // namespace dtc::rt
