//===- DataOrder.h - Which samples a step reads ---------------------------===//
//
// A pure function of seed and step: plan, rank and restarts do not enter, so a
// resumed run goes on where it stopped, under any plan. The format is frozen in
// runtime/docs/data-order.md; formulas are written there.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_DATA_DATAORDER_H
#define DTC_RUNTIME_DATA_DATAORDER_H

#include "runtime/base/RandomKey.h"
#include "runtime/base/Status.h"

namespace dtc::rt {

/// Stands for the sample that a position of the last batch has not.
inline constexpr int64_t kAbsentSample = -1;

/// What happens to samples that do not fill a batch.
enum class LastBatch : uint8_t { kDrop, kKeep };

/// The constants of a run that decide what its steps read.
struct DataOrderOptions {
  uint64_t seed = 0;
  int64_t sampleCount = 0;
  /// Samples of a step over all ranks.
  int64_t globalBatch = 1;
  bool isShuffled = false;
  LastBatch lastBatch = LastBatch::kKeep;
};

/// The order of one data set in one run.
class DataOrder {
public:
  /// Errors:  kInvalidArgument (DTC-DATA-TOO-FEW-SAMPLES) with both numbers if
  ///          an epoch has no step; kInvalidArgument if the batch is below 1
  ///          or a number exceeds 2^62.
  static Result<DataOrder> create(const DataOrderOptions &options);

  int64_t stepsPerEpoch() const { return steps; }
  int64_t epochOf(int64_t step) const { return step / steps; }

  /// The sample at position `indexInBatch` of the step's global batch, or
  /// kAbsentSample.
  int64_t sampleAt(int64_t step, int64_t indexInBatch) const;

  /// Samples that the step reads over all ranks.
  int64_t presentSamples(int64_t step) const;

  /// The permutation of an epoch, shuffled or not.
  int64_t permute(int64_t epoch, int64_t position) const;

private:
  explicit DataOrder(const DataOrderOptions &options);

  DataOrderOptions options;
  RandomKey key;
  int64_t steps;
  /// Half the bits of the Feistel network's domain.
  int halfBits;
};

} // namespace dtc::rt

#endif // DTC_RUNTIME_DATA_DATAORDER_H
