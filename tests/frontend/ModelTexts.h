//===- ModelTexts.h - Models that the frontend's tests start from -*- C++
//-*-===//
//
// A test changes one thing of a model that is right, so that exactly this one
// thing can be what is refused.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_TESTS_FRONTEND_MODELTEXTS_H
#define DTC_TESTS_FRONTEND_MODELTEXTS_H

#include "frontend/ModelGraph.h"
#include "frontend/TrainingSettings.h"

#include <string>

namespace mlir::dtc {

/// What surrounds the graph in most tests: batch 7, SGD, data files.
inline std::string withGraph(const std::string &graph) {
  return R"({"name": "m",
"inputs": {"x": {"shape": [2]}, "label": {"shape": [], "dtype": "i32"}},
"batch": {"global": 7}, "optimizer": {"kind": "sgd", "lr": 0.1},
"data": {"train": {"x": "x.npy", "label": "label.npy"}},
)" + graph +
         "}";
}

/// A graph whose loss is the sum of its last layer.
inline std::string withLayers(const std::string &layers) {
  return withGraph("\"layers\": [" + layers +
                   "],\n\"loss\": {\"kind\": \"sum\"}");
}

/// Reads `text` as far as the graph; the message where that is an error.
inline std::string
complainAbout(const std::string &text,
              const std::vector<std::string> &settings = {}) {
  llvm::Expected<ModelFile> file = ModelFile::parse(text, "m.json", settings);
  if (!file)
    return llvm::toString(file.takeError());
  llvm::Expected<TrainingSettings> training = readTrainingSettings(*file);
  if (!training)
    return llvm::toString(training.takeError());
  llvm::Expected<ModelGraph> graph =
      buildModelGraph(*file, training->globalBatch);
  if (!graph)
    return llvm::toString(graph.takeError());
  return "";
}

/// Reads `text`, which is right; throws no error away.
inline ModelFile readModel(const std::string &text,
                           const std::vector<std::string> &settings = {}) {
  return llvm::cantFail(ModelFile::parse(text, "m.json", settings));
}

} // namespace mlir::dtc

#endif // DTC_TESTS_FRONTEND_MODELTEXTS_H
