//===- CheckpointManifestTest.cpp - The hashes of a frozen page -----------===//
//
// Nothing writes checkpoints yet. This holds the vectors of
// runtime/docs/checkpoint-manifest.md to the library that will make them.
//
//===----------------------------------------------------------------------===//

#include <gtest/gtest.h>

#include <string>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace {

TEST(CheckpointManifestTest, ChunkHashesAreThoseOfThePage) {
  EXPECT_EQ(XXH3_64bits("", 0), 0x2d06800538d394c2u);
  const float chunk[4] = {1, 2, 3, 4};
  EXPECT_EQ(XXH3_64bits(chunk, sizeof(chunk)), 0xa82f522ec4510db4u);
}

TEST(CheckpointManifestTest, ManifestHashIsOfItsTextWithZeros) {
  std::string text = "{\"format\": \"dtc-checkpoint\", \"version\": 1, "
                     "\"hash\": \"0000000000000000\"}\n";
  EXPECT_EQ(XXH3_64bits(text.data(), text.size()), 0xf7e8bc71f6e9c2d6u);
}

} // namespace
