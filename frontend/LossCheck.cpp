//===- LossCheck.cpp - Whether a loss can take its operands
//----------------===//
//
// One function a kind of loss. Labels are inputs of class ids; a float there is
// the mistake of another framework's data and gets its own message.
//
//===----------------------------------------------------------------------===//

#include "frontend/LossCheck.h"

#include "llvm/ADT/STLExtras.h"

namespace mlir::dtc {
namespace {

using ::dtc::model::LossKind;

/// Elements of a sample; shapes are checked, so the product fits.
int64_t countElements(llvm::ArrayRef<int64_t> shape) {
  int64_t elements = 1;
  for (int64_t size : shape)
    elements *= size;
  return elements;
}

class LossChecker {
public:
  LossChecker(const ModelFile &file, int64_t batch, ModelGraph &graph)
      : file(file), batch(batch), graph(graph) {}

  llvm::Error run();

private:
  llvm::Error checkCrossEntropy();
  llvm::Error checkSquaredError();
  llvm::Error checkLinearLoss();
  llvm::Error checkLossInput(int value);

  const GraphValue &value(int index) const { return graph.values[index]; }
  std::string describe(int index) const {
    return "\"" + value(index).name + "\" " + printShape(value(index));
  }

  const ModelFile &file;
  int64_t batch;
  ModelGraph &graph;
};

llvm::Error LossChecker::checkLossInput(int index) {
  if (index < 0)
    return file.error("loss", "loss: input is missing; the model has no layer");
  if (value(index).isInteger)
    return file.error("loss.input", "loss: input \"" + value(index).name +
                                        "\" is i32, expected f32");
  return llvm::Error::success();
}

llvm::Error LossChecker::checkCrossEntropy() {
  const GraphLoss &loss = graph.loss;
  const GraphValue &logits = value(loss.input);
  if (!logits.isBatched || logits.shape.size() != 1)
    return file.error("loss.input", "loss: cross_entropy of " +
                                        describe(loss.input) +
                                        ", expected [batch, classes]");
  if (loss.target < 0)
    return file.error("loss", "loss: target is missing; cross_entropy needs "
                              "an input with class ids");
  const GraphValue &target = value(loss.target);
  if (!target.isInteger)
    return file.error("loss.target",
                      "loss: target \"" + target.name +
                          "\" is f32, expected class ids of type i32");
  if (!target.shape.empty())
    return file.error("loss.target", "loss: target " + describe(loss.target) +
                                         ", expected [batch]");
  return llvm::Error::success();
}

llvm::Error LossChecker::checkSquaredError() {
  const GraphLoss &loss = graph.loss;
  if (!value(loss.input).isBatched)
    return file.error("loss.input", "loss: mean_squared_error of " +
                                        describe(loss.input) +
                                        ", expected a value of each sample");
  if (loss.target < 0)
    return file.error("loss", "loss: target is missing");
  const GraphValue &target = value(loss.target);
  if (target.isInteger)
    return file.error("loss.target", "loss: target \"" + target.name +
                                         "\" is i32, expected f32");
  if (target.shape != value(loss.input).shape || !target.isBatched)
    return file.error("loss.target", "loss: target " + describe(loss.target) +
                                         " for " + describe(loss.input) +
                                         ", expected equal shapes");
  return llvm::Error::success();
}

llvm::Error LossChecker::checkLinearLoss() {
  for (auto [i, term] : llvm::enumerate(graph.loss.terms)) {
    if (llvm::Error error = checkLossInput(term.value))
      return error;
    int64_t elements = countElements(value(term.value).shape);
    int64_t given = term.coefficients.size();
    if (given && given != elements)
      return file.error("loss", "loss: " + llvm::Twine(given) +
                                    " coefficients for " +
                                    describe(term.value) + ", expected " +
                                    llvm::Twine(elements));
  }
  return llvm::Error::success();
}

llvm::Error LossChecker::run() {
  const ::dtc::model::Loss &loss = *file.model().loss();
  if (graph.loss.kind == LossKind::linear) {
    if (llvm::Error error = checkLinearLoss())
      return error;
  } else {
    if (llvm::Error error = checkLossInput(graph.loss.input))
      return error;
    llvm::Error error = graph.loss.kind == LossKind::cross_entropy
                            ? checkCrossEntropy()
                        : graph.loss.kind == LossKind::mean_squared_error
                            ? checkSquaredError()
                            : llvm::Error::success();
    if (error)
      return error;
  }
  if (loss.reduction() == ::dtc::model::Reduction::none)
    return file.error("loss.reduction",
                      "loss: reduction none leaves shape " +
                          printShape(llvm::ArrayRef<int64_t>{batch}) +
                          ", expected a scalar; reduction mean or sum gives "
                          "one");
  graph.loss.isMean = graph.loss.kind != LossKind::sum &&
                      loss.reduction() == ::dtc::model::Reduction::mean;
  return llvm::Error::success();
}

} // namespace

llvm::Error checkLoss(const ModelFile &file, int64_t batch, ModelGraph &graph) {
  return LossChecker(file, batch, graph).run();
}

} // namespace mlir::dtc
