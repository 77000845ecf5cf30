//===- DataOrder.cpp - Which samples a step reads -------------------------===//
//
// A Feistel network is a permutation whatever its round function is; walking on
// from results outside the data set keeps it one on any number of samples.
//
//===----------------------------------------------------------------------===//

#include "runtime/data/DataOrder.h"

#include <algorithm>

namespace dtc::rt {

static constexpr int64_t kMaxSamples = int64_t{1} << 62;
static constexpr uint32_t kRounds = 6;

static int64_t countSteps(const DataOrderOptions &options) {
  int64_t full = options.sampleCount / options.globalBatch;
  bool hasRest = options.sampleCount % options.globalBatch != 0;
  return full + (options.lastBatch == LastBatch::kKeep && hasRest ? 1 : 0);
}

static int countHalfBits(int64_t sampleCount) {
  int halfBits = 1;
  while ((int64_t{1} << (2 * halfBits)) < sampleCount)
    ++halfBits;
  return halfBits;
}

DataOrder::DataOrder(const DataOrderOptions &options)
    : options(options), key(options.seed, "data.order"),
      steps(countSteps(options)), halfBits(countHalfBits(options.sampleCount)) {
}

Result<DataOrder> DataOrder::create(const DataOrderOptions &options) {
  if (options.globalBatch < 1 || options.globalBatch > kMaxSamples)
    return Status::invalidArgument()
           << "global batch is " << options.globalBatch
           << ", expected 1 to 2^62";
  if (options.sampleCount < 0 || options.sampleCount > kMaxSamples)
    return Status::invalidArgument()
           << "sample count is " << options.sampleCount
           << ", expected 0 to 2^62";
  if (countSteps(options) == 0) {
    Status status = Status::invalidArgument(ErrorCode::kDataTooFewSamples)
                    << options.sampleCount << " samples make no step of batch "
                    << options.globalBatch;
    if (options.sampleCount > 0)
      status << "; lower the batch or keep the last one";
    return status;
  }
  return DataOrder(options);
}

int64_t DataOrder::permute(int64_t epoch, int64_t position) const {
  if (!options.isShuffled)
    return position;
  auto wideEpoch = static_cast<uint64_t>(epoch);
  auto epochLow = static_cast<uint32_t>(wideEpoch);
  auto epochHigh = static_cast<uint32_t>(wideEpoch >> 32);
  uint32_t mask = (uint32_t{1} << halfBits) - 1;
  int64_t value = position;
  do {
    auto left = static_cast<uint32_t>(value >> halfBits);
    auto right = static_cast<uint32_t>(value) & mask;
    for (uint32_t round = 0; round < kRounds; ++round) {
      uint32_t mixed =
          philox4x32({right, round, epochLow, epochHigh}, key.words())[0] &
          mask;
      uint32_t next = left ^ mixed;
      left = right;
      right = next;
    }
    value = static_cast<int64_t>(left) << halfBits | right;
  } while (value >= options.sampleCount);
  return value;
}

int64_t DataOrder::sampleAt(int64_t step, int64_t indexInBatch) const {
  int64_t position = step % steps * options.globalBatch + indexInBatch;
  if (position >= options.sampleCount)
    return kAbsentSample;
  return permute(epochOf(step), position);
}

int64_t DataOrder::presentSamples(int64_t step) const {
  int64_t begin = step % steps * options.globalBatch;
  return std::min(options.globalBatch, options.sampleCount - begin);
}

} // namespace dtc::rt
