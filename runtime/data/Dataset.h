//===- Dataset.h - Samples by global index --------------------------------===//
//
// What a step reads, whatever format it lies in. The order in which samples
// come is DataOrder's business; which of them are a rank's is the program's.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_DATA_DATASET_H
#define DTC_RUNTIME_DATA_DATASET_H

#include "runtime/data/StoredArray.h"

namespace dtc::rt {

/// How stored values become a model input: value · scale + shift. Samples that
/// are absent hold `fill`, which is not scaled.
struct SampleTransform {
  double scale = 1;
  double shift = 0;
  double fill = 0;
};

/// Samples of equal shape, read by index. Safe to read from several threads.
class Dataset {
public:
  virtual ~Dataset() = default;

  int64_t sampleCount() const { return samples; }
  /// Without the first dimension, which counts samples.
  const std::vector<int64_t> &sampleShape() const { return shape; }
  int64_t elementsPerSample() const { return *elementProduct(shape); }
  StoredType storedType() const { return type; }

  /// Copies `indexCount` samples, one after the other, as `dtype`. An index of
  /// kAbsentSample gives fill. Allocates nothing.
  ///
  /// Shapes:  destination holds indexCount · elementsPerSample() elements.
  /// Errors:  kInvalidArgument naming file and sample, see StoredArray::read.
  virtual Status read(const int64_t *indices, int64_t indexCount, DType dtype,
                      void *destination,
                      const SampleTransform &transform = {}) const = 0;

protected:
  Dataset(int64_t sampleCount, std::vector<int64_t> sampleShape,
          StoredType storedType)
      : samples(sampleCount), shape(std::move(sampleShape)), type(storedType) {}

private:
  int64_t samples;
  std::vector<int64_t> shape;
  StoredType type;
};

/// Finds the array of a file: npy, idx, idx as gzip, or safetensors, told apart
/// by content. A tensor of a safetensors file is named after a hash sign
/// (`data.safetensors#images`), which may be left out if there is only one.
///
/// Errors:  kInvalidArgument: the file cannot be read, is none of these, or is
///          damaged; see the readers.
Result<StoredArray> openArray(const std::string &path);

/// Joins files along their first dimension into one data set.
///
/// Errors:  kInvalidArgument if there is no file, an array has no dimension, or
///          two differ in type or sample shape (both are named); those of
///          openArray().
Result<std::unique_ptr<Dataset>>
openDataset(const std::vector<std::string> &paths);

} // namespace dtc::rt

#endif // DTC_RUNTIME_DATA_DATASET_H
