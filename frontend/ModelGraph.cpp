//===- ModelGraph.cpp - A model with its names resolved
//--------------------===//
//
// Names first, shapes second, then what hangs on both: the optimizer's groups.
//
//===----------------------------------------------------------------------===//

#include "frontend/ModelGraph.h"

#include "frontend/LayerNames.h"
#include "frontend/ShapeCheck.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/GlobPattern.h"

namespace mlir::dtc {

std::string printShape(llvm::ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size() && i < 2 * kMaxRank; ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.size() > 2 * kMaxRank ? ", …]" : "]");
}

std::string printShape(const GraphValue &value) {
  std::string text = printShape(llvm::ArrayRef<int64_t>(value.shape));
  if (!value.isBatched)
    return text;
  return value.shape.empty() ? "[batch]" : "[batch, " + text.substr(1);
}

/// Gives each parameter what its group says; the first match counts.
static llvm::Error applyGroups(const ModelFile &file, ModelGraph &graph) {
  const ::dtc::model::Optimizer *optimizer = file.model().optimizer();
  if (!optimizer || !optimizer->groups())
    return llvm::Error::success();
  std::vector<bool> taken(graph.parameters.size(), false);
  for (auto [i, group] : llvm::enumerate(*optimizer->groups())) {
    std::string path = "optimizer.groups[" + std::to_string(i) + "]";
    // The pattern keeps a reference to its text.
    std::string match = group->match()->str();
    std::string label = "group \"" + match + "\"";
    llvm::Expected<llvm::GlobPattern> pattern =
        llvm::GlobPattern::create(match);
    if (!pattern)
      return file.error(path,
                        label + ": " + llvm::toString(pattern.takeError()));
    if (group->decay() < 0 || group->lr_factor() < 0)
      return file.error(path, label + ": decay and lr_factor are at least 0");
    bool matches = false;
    for (auto [k, parameter] : llvm::enumerate(graph.parameters)) {
      if (!pattern->match(parameter.name))
        continue;
      matches = true;
      if (taken[k])
        continue;
      taken[k] = true;
      parameter.decay = group->decay();
      parameter.rate = group->lr_factor();
      parameter.isFrozen = group->frozen();
    }
    if (!matches)
      graph.warnings.push_back(label +
                               " of the optimizer matches no parameter");
  }
  return llvm::Error::success();
}

llvm::Expected<ModelGraph> buildModelGraph(const ModelFile &file,
                                           int64_t batch) {
  ModelGraph graph;
  if (llvm::Error error = resolveNames(file, graph))
    return std::move(error);
  if (llvm::Error error = checkShapes(file, batch, graph))
    return std::move(error);
  if (llvm::Error error = applyGroups(file, graph))
    return std::move(error);
  return graph;
}

} // namespace mlir::dtc
