//===- BatchLoader.h - A step's rows from the program's data
//---------------===//
//
// What a step sees depends on seed and step alone: rows are asked for by their
// position in the global batch (runtime/docs/data-order.md).
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_EXECUTOR_BATCHLOADER_H
#define DTC_RUNTIME_EXECUTOR_BATCHLOADER_H

#include "runtime/data/DataOrder.h"
#include "runtime/data/Dataset.h"
#include "runtime/instructions/Instruction.h"

#include <memory>
#include <string>
#include <vector>

namespace dtc::rt {

/// The data of one split. Shared by the ranks of a process: it is read only.
class DataSplit {
public:
  /// Opens the files of a split. A relative name is looked for in `dataFolder`,
  /// and without one in the folder of the package that the program names.
  ///
  /// Errors:  kInvalidArgument naming input, file, and the shapes or counts
  ///          that differ; DTC-DATA-TOO-FEW-SAMPLES.
  static Result<std::shared_ptr<const DataSplit>>
  open(const program::Program &program, const program::DataSplit &table,
       const std::string &dataFolder, LastBatch lastBatch);

  const DataOrder &order() const { return *dataOrder; }

private:
  friend class BatchLoader;
  struct Source {
    std::unique_ptr<Dataset> dataset; ///< null for a validity input
    SampleTransform transform;
    DType dtype = DType::kF32;
    int64_t classCount = 0;
    std::string name;
  };
  std::vector<Source> sources; ///< one a model input
  std::unique_ptr<DataOrder> dataOrder;
};

/// One rank's reader of a split.
class BatchLoader final : public BatchSource {
public:
  BatchLoader(std::shared_ptr<const DataSplit> split, int64_t globalBatch);

  Status read(uint32_t input, int64_t step, int64_t firstRow, int64_t rowCount,
              void *destination) override;

private:
  Status checkLabels(const DataSplit::Source &source, int64_t rowCount,
                     const void *labels) const;

  std::shared_ptr<const DataSplit> split;
  std::vector<int64_t> indices; ///< of the rows asked for; no step allocates
};

} // namespace dtc::rt

#endif // DTC_RUNTIME_EXECUTOR_BATCHLOADER_H
