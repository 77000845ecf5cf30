//===- TrainingSettings.h - How a model is trained, checked ---*- C++ -*-===//
//
// Everything of a model file that is not graph: plan, batch, optimizer,
// precision, data, length of the run. Ranges are checked here, and what is not
// built yet is refused by name.
//
//===--------------------------------------------------------------------===//

#ifndef DTC_FRONTEND_TRAININGSETTINGS_H
#define DTC_FRONTEND_TRAININGSETTINGS_H

#include "frontend/ModelFile.h"

#include <optional>

namespace mlir::dtc {

/// Files of a data split, one an input, in the order of the model's inputs.
struct SplitSettings {
  std::vector<std::string> files;
  bool isShuffled = false;
};

struct TrainingSettings {
  int64_t dp = 1, tp = 1, pp = 1;
  int64_t microBatches = 1;
  int64_t zero = 0;
  bool isGPipe = false; ///< otherwise 1f1b

  int64_t globalBatch = 0; ///< samples of a step over all ranks
  bool dropsLast = false;
  int64_t epochs = 0;        ///< 0: `steps` counts
  int64_t steps = 0;         ///< 0: `epochs` counts
  int64_t evaluateEvery = 0; ///< steps; 0: after each epoch
  bool isDeterministic = false;
  uint64_t seed = 0;

  bool isAdamW = false; ///< otherwise SGD
  double lr = 0;
  double momentum = 0;
  double beta1 = 0.9, beta2 = 0.999, eps = 1e-8;
  std::optional<double> clipNorm;

  /// Absent: no loss scale.
  const ::dtc::model::LossScale *lossScale = nullptr;

  std::string package; ///< empty: files are paths
  SplitSettings train;
  std::optional<SplitSettings> test;
};

/// Checks and resolves the settings of `file`.
///
/// Errors:  at the field: a value out of range with the smallest that is not, a
///          field that is missing, a choice that is not built yet with those
///          that are, an input without a file.
llvm::Expected<TrainingSettings> readTrainingSettings(const ModelFile &file);

} // namespace mlir::dtc

#endif // DTC_FRONTEND_TRAININGSETTINGS_H
