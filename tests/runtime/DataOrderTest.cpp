//===- DataOrderTest.cpp - Which samples a step reads ---------------------===//
//
// The vectors are those of runtime/docs/data-order.md, made by a model in
// another language. The cases P39 and P40 are followed with their numbers.
//
//===----------------------------------------------------------------------===//

#include "runtime/data/DataOrder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

namespace dtc::rt {
namespace {

DataOrder makeOrder(int64_t samples, int64_t batch, LastBatch lastBatch,
                    bool isShuffled = false, uint64_t seed = 0) {
  return *DataOrder::create({seed, samples, batch, isShuffled, lastBatch});
}

std::vector<int64_t> epochOrder(int64_t samples, uint64_t seed, int64_t epoch) {
  DataOrder order = makeOrder(samples, 1, LastBatch::kKeep, true, seed);
  std::vector<int64_t> result;
  for (int64_t position = 0; position < samples; ++position)
    result.push_back(order.permute(epoch, position));
  return result;
}

using Ids = std::vector<int64_t>;

TEST(DataOrderTest, ShuffleVectors) {
  EXPECT_EQ(epochOrder(12, 5, 0), (Ids{7, 9, 1, 2, 0, 10, 3, 11, 8, 4, 6, 5}));
  EXPECT_EQ(epochOrder(12, 5, 1), (Ids{8, 9, 0, 4, 3, 2, 5, 11, 6, 7, 10, 1}));
  EXPECT_EQ(epochOrder(12, 6, 0), (Ids{9, 5, 8, 10, 1, 11, 7, 4, 0, 6, 3, 2}));
  EXPECT_EQ(epochOrder(10, 0, 0), (Ids{5, 8, 7, 0, 3, 6, 1, 9, 4, 2}));
  EXPECT_EQ(epochOrder(3, 1, 0), (Ids{1, 2, 0}));
  EXPECT_EQ(epochOrder(1, 1, 0), (Ids{0}));
}

TEST(DataOrderTest, ShuffleVectorsOfLargeSets) {
  DataOrder images = makeOrder(60000, 1, LastBatch::kKeep, true, 1);
  EXPECT_EQ(images.permute(0, 0), 55887);
  EXPECT_EQ(images.permute(0, 2), 36305);
  EXPECT_EQ(images.permute(0, 59999), 43492);
  EXPECT_EQ(images.permute(1, 0), 39343);
  EXPECT_EQ(images.permute(1, 59999), 29451);

  constexpr int64_t kHuge = int64_t{1} << 40;
  DataOrder huge = makeOrder(kHuge, 1, LastBatch::kKeep, true, 3);
  EXPECT_EQ(huge.permute(7, 0), 1076098478358);
  EXPECT_EQ(huge.permute(7, 1), 655461744566);
  EXPECT_EQ(huge.permute(7, kHuge - 1), 37705810150);
  DataOrder odd = makeOrder(kHuge + 1, 1, LastBatch::kKeep, true, 3);
  EXPECT_EQ(odd.permute(7, 0), 493593643059);
  EXPECT_EQ(odd.permute(7, kHuge), 397884780910);
}

TEST(DataOrderTest, EveryEpochHoldsEverySampleOnce) {
  for (int64_t samples = 1; samples <= 70; ++samples)
    for (int64_t epoch : {0, 1, 1000}) {
      Ids ids = epochOrder(samples, 42, epoch), all(samples);
      std::iota(all.begin(), all.end(), 0);
      EXPECT_TRUE(std::is_permutation(ids.begin(), ids.end(), all.begin()));
    }
}

// P39: 10 samples, batch 4.
TEST(DataOrderTest, KeepsTheLastBatchWithAbsentSamples) {
  DataOrder order = makeOrder(10, 4, LastBatch::kKeep);

  ASSERT_EQ(order.stepsPerEpoch(), 3);
  std::vector<double> gradients;
  for (int64_t step = 0; step < 3; ++step) {
    double sum = 0;
    for (int64_t i = 0; i < 4; ++i)
      if (int64_t id = order.sampleAt(step, i); id != kAbsentSample)
        sum += static_cast<double>(id + 1);
    gradients.push_back(sum / static_cast<double>(order.presentSamples(step)));
  }
  EXPECT_EQ(gradients, (std::vector<double>{2.5, 6.5, 9.5}));
  EXPECT_EQ(order.sampleAt(2, 1), 9);
  EXPECT_EQ(order.sampleAt(2, 2), kAbsentSample);
  EXPECT_EQ(order.sampleAt(3, 0), 0);
}

TEST(DataOrderTest, DropsTheLastBatch) {
  DataOrder order = makeOrder(10, 4, LastBatch::kDrop);

  EXPECT_EQ(order.stepsPerEpoch(), 2);
  EXPECT_EQ(order.sampleAt(1, 3), 7);
  EXPECT_EQ(order.sampleAt(2, 0), 0);
  EXPECT_EQ(order.epochOf(2), 1);
  EXPECT_EQ(order.presentSamples(1), 4);
}

TEST(DataOrderTest, BatchLargerThanTheSet) {
  DataOrder order = makeOrder(3, 8, LastBatch::kKeep);
  EXPECT_EQ(order.stepsPerEpoch(), 1);
  EXPECT_EQ(order.presentSamples(5), 3);

  Status dropped =
      DataOrder::create({0, 3, 8, false, LastBatch::kDrop}).takeStatus();
  EXPECT_EQ(dropped.str(), "3 samples make no step of batch 8; lower the batch "
                           "or keep the last one [DTC-DATA-TOO-FEW-SAMPLES]");
  Status empty =
      DataOrder::create({0, 0, 8, false, LastBatch::kKeep}).takeStatus();
  EXPECT_EQ(empty.message(), "0 samples make no step of batch 8");
}

TEST(DataOrderTest, RefusesNumbersOutOfRange) {
  EXPECT_EQ(
      DataOrder::create({0, 3, 0, false, LastBatch::kKeep}).status().message(),
      "global batch is 0, expected 1 to 2^62");
  EXPECT_FALSE(DataOrder::create({0, -1, 1, true, LastBatch::kKeep}).isOk());
  EXPECT_FALSE(
      DataOrder::create({0, (int64_t{1} << 62) + 1, 1, true, LastBatch::kKeep})
          .isOk());
  EXPECT_TRUE(
      DataOrder::create({0, int64_t{1} << 62, 1, true, LastBatch::kKeep})
          .isOk());
}

// P40: ids 0 to 11, batch 3, seed 5: w falls by the mean id of each step, 22 an
// epoch, whatever the order.
TEST(DataOrderTest, EpochsDifferInOrderAndAgreeInSum) {
  DataOrder order = makeOrder(12, 3, LastBatch::kDrop, true, 5);
  double w = 0;
  std::vector<Ids> epochs(2);

  for (int64_t step = 0; step < 8; ++step) {
    for (int64_t i = 0; i < 3; ++i) {
      int64_t id = order.sampleAt(step, i);
      epochs[order.epochOf(step)].push_back(id);
      w -= static_cast<double>(id) / 3;
    }
    if (step == 3)
      EXPECT_NEAR(w, -22, 1e-12);
  }

  EXPECT_NEAR(w, -44, 1e-12);
  EXPECT_NE(epochs[0], epochs[1]);
  EXPECT_EQ(std::set<int64_t>(epochs[0].begin(), epochs[0].end()).size(), 12u);
}

TEST(DataOrderTest, ShufflesDropOtherSamplesInOtherEpochs) {
  DataOrder order = makeOrder(7, 3, LastBatch::kDrop, true, 2);
  std::set<int64_t> seen;

  for (int64_t step = 0; step < 20; ++step)
    for (int64_t i = 0; i < 3; ++i)
      seen.insert(order.sampleAt(step, i));

  EXPECT_EQ(seen.size(), 7u);
}

} // namespace
} // namespace dtc::rt
