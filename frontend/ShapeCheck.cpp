//===- ShapeCheck.cpp - Shapes of a model, in the user's names
//-------------===//
//
// One function a layer kind, each from the shapes of the operands to that of
// the result. Shapes here are those of a sample; the batch stands in front of
// what has one.
//
//===----------------------------------------------------------------------===//

#include "frontend/ShapeCheck.h"

#include "frontend/LossCheck.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::dtc {
namespace {

using ::dtc::model::Layer;
using ::dtc::model::LayerKind;
using Shape = llvm::SmallVector<int64_t, 4>;

/// Elements of the widest type that fit 64-bit byte counts.
constexpr int64_t kMaxElements = INT64_MAX / 8;

/// Multiplies without overflow; nothing where the product is too large.
std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> shape) {
  int64_t elements = 1;
  for (int64_t size : shape)
    if (llvm::MulOverflow(elements, size, elements) || elements > kMaxElements)
      return std::nullopt;
  return elements;
}

/// True where `rhs` has the trailing dimensions of `lhs`.
bool isTrailing(llvm::ArrayRef<int64_t> rhs, llvm::ArrayRef<int64_t> lhs) {
  return rhs.size() <= lhs.size() && lhs.take_back(rhs.size()) == rhs;
}

class ShapeChecker {
public:
  ShapeChecker(const ModelFile &file, int64_t batch, ModelGraph &graph)
      : file(file), batch(batch), graph(graph) {}

  llvm::Error run();

private:
  llvm::Error checkSizes(llvm::ArrayRef<int64_t> shape, bool isBatched,
                         const std::string &path, const llvm::Twine &label);
  llvm::Error inferLayer(GraphLayer &layer);
  llvm::Error inferLinear(const GraphLayer &layer, GraphValue &result);
  llvm::Error inferBinary(const GraphLayer &layer, GraphValue &result);
  llvm::Error inferMatMul(const GraphLayer &layer, GraphValue &result);
  llvm::Error inferReshape(const GraphLayer &layer, GraphValue &result);
  llvm::Error inferSlice(const GraphLayer &layer, GraphValue &result);
  llvm::Error inferSource(const GraphLayer &layer, GraphValue &result);
  llvm::Error checkDropout(const GraphLayer &layer);
  llvm::Error checkTiedWeights();

  llvm::Error fail(const GraphLayer &layer, const llvm::Twine &text) const {
    return file.error(layer.path, "layer \"" + layer.name + "\": " + text);
  }
  const GraphValue &value(int index) const { return graph.values[index]; }
  std::string describe(int index) const {
    return "\"" + value(index).name + "\" " + printShape(value(index));
  }

  const ModelFile &file;
  int64_t batch;
  ModelGraph &graph;
};

llvm::Error ShapeChecker::checkSizes(llvm::ArrayRef<int64_t> shape,
                                     bool isBatched, const std::string &path,
                                     const llvm::Twine &label) {
  if (shape.size() + isBatched > kMaxRank)
    return file.error(path, label + " has rank " +
                                llvm::Twine(shape.size() + isBatched) +
                                ", at most " + llvm::Twine(kMaxRank) +
                                (isBatched ? " with the batch" : ""));
  for (int64_t size : shape) {
    if (size < 0)
      return file.error(path, label + " has shape " + printShape(shape) + ": " +
                                  llvm::Twine(size) + " is negative");
    if (size == 0)
      return file.error(path, label + " has shape " + printShape(shape) +
                                  ": a dimension of 0 makes it empty");
  }
  Shape whole(shape);
  if (isBatched)
    whole.insert(whole.begin(), batch);
  if (!countElements(whole))
    return file.error(path, label + " has shape " + printShape(whole) +
                                ": its bytes overflow 64 bits");
  return llvm::Error::success();
}

llvm::Error ShapeChecker::inferLinear(const GraphLayer &layer,
                                      GraphValue &result) {
  const GraphValue &input = value(layer.input);
  if (input.shape.size() + input.isBatched != 2)
    return fail(layer, "input " + describe(layer.input) +
                           ", expected one dimension a sample; put a flatten "
                           "or reshape before it");
  int64_t width = layer.layer->width();
  if (width < 1)
    return fail(layer,
                "width is " + llvm::Twine(width) + ", expected at least 1");
  if (!layer.layer->weight()) {
    Shape weight{width, input.shape.back()};
    graph.parameters[layer.weight].shape = weight;
    if (llvm::Error error = checkSizes(
            weight, false, layer.path,
            "parameter \"" + graph.parameters[layer.weight].name + "\""))
      return error;
  }
  if (layer.bias >= 0)
    graph.parameters[layer.bias].shape = {width};
  result.isBatched = input.isBatched;
  result.shape = input.shape;
  result.shape.back() = width;
  if (layer.add < 0)
    return llvm::Error::success();
  const GraphValue &added = value(layer.add);
  if (added.shape != result.shape || added.isBatched != result.isBatched ||
      added.isInteger)
    return fail(layer, "adds " + describe(layer.add) + " to its own " +
                           printShape(result) + ", expected equal shapes");
  return llvm::Error::success();
}

llvm::Error ShapeChecker::inferBinary(const GraphLayer &layer,
                                      GraphValue &result) {
  const GraphValue &lhs = value(layer.input), &rhs = value(layer.with);
  // The larger operand gives the shape; both ops are commutative.
  const GraphValue *large = &lhs, *small = &rhs;
  if (lhs.isBatched < rhs.isBatched ||
      (lhs.isBatched == rhs.isBatched && lhs.shape.size() < rhs.shape.size()))
    std::swap(large, small);
  bool fits = small->isBatched ? small->shape == large->shape
                               : isTrailing(small->shape, large->shape);
  if (!fits || rhs.isInteger)
    return fail(layer, describe(layer.input) + " with " + describe(layer.with) +
                           ", expected equal shapes, or one without batch that "
                           "has the last dimensions of the other");
  result.isBatched = large->isBatched;
  result.shape = large->shape;
  return llvm::Error::success();
}

llvm::Error ShapeChecker::inferMatMul(const GraphLayer &layer,
                                      GraphValue &result) {
  const GraphValue &lhs = value(layer.input), &rhs = value(layer.with);
  if (lhs.shape.size() + lhs.isBatched != 2 || rhs.isBatched ||
      rhs.shape.size() != 2 || rhs.isInteger)
    return fail(layer, "multiplies " + describe(layer.input) + " by " +
                           describe(layer.with) +
                           ", expected [batch, k] or [m, k] by a parameter or "
                           "constant [k, n]");
  if (lhs.shape.back() != rhs.shape.front())
    return fail(layer, "multiplies " + describe(layer.input) + " by " +
                           describe(layer.with) + ": " +
                           llvm::Twine(lhs.shape.back()) + " columns meet " +
                           llvm::Twine(rhs.shape.front()) + " rows");
  result.isBatched = lhs.isBatched;
  result.shape = lhs.shape;
  result.shape.back() = rhs.shape.back();
  return llvm::Error::success();
}

llvm::Error ShapeChecker::inferReshape(const GraphLayer &layer,
                                       GraphValue &result) {
  const GraphValue &input = value(layer.input);
  result.isBatched = input.isBatched;
  int64_t elements = *countElements(input.shape);
  if (*layer.layer->kind() == LayerKind::flatten) {
    result.shape = {elements};
    return llvm::Error::success();
  }
  if (!layer.layer->shape())
    return fail(layer, "shape is missing");
  result.shape.assign(layer.layer->shape()->begin(),
                      layer.layer->shape()->end());
  if (llvm::Error error = checkSizes(result.shape, result.isBatched, layer.path,
                                     "layer \"" + layer.name + "\""))
    return error;
  int64_t wanted = *countElements(result.shape);
  if (wanted != elements)
    return fail(layer, "shape " + printShape(result.shape) + " holds " +
                           llvm::Twine(wanted) + " elements, a sample of " +
                           describe(layer.input) + " " + llvm::Twine(elements));
  return llvm::Error::success();
}

llvm::Error ShapeChecker::inferSlice(const GraphLayer &layer,
                                     GraphValue &result) {
  const GraphValue &input = value(layer.input);
  int64_t dim = layer.layer->dim();
  int64_t begin = layer.layer->begin(), end = layer.layer->end();
  if (dim < 0 || dim >= static_cast<int64_t>(input.shape.size()))
    return fail(layer, "dim is " + llvm::Twine(dim) + ", but a sample of " +
                           describe(layer.input) + " has " +
                           llvm::Twine(input.shape.size()) + " dimensions");
  if (begin < 0 || begin >= end || end > input.shape[dim])
    return fail(layer, "takes [" + llvm::Twine(begin) + ", " +
                           llvm::Twine(end) + ") of " + describe(layer.input) +
                           ", expected 0 <= begin < end <= " +
                           llvm::Twine(input.shape[dim]));
  result.isBatched = input.isBatched;
  result.shape = input.shape;
  result.shape[dim] = end - begin;
  return llvm::Error::success();
}

llvm::Error ShapeChecker::inferSource(const GraphLayer &layer,
                                      GraphValue &result) {
  if (layer.layer->shape())
    result.shape.assign(layer.layer->shape()->begin(),
                        layer.layer->shape()->end());
  bool isParameter = *layer.layer->kind() == LayerKind::parameter;
  if (llvm::Error error = checkSizes(
          result.shape, false, layer.path,
          (isParameter ? "parameter \"" : "constant \"") + layer.name + "\""))
    return error;
  if (isParameter) {
    graph.parameters[layer.weight].shape = result.shape;
    return llvm::Error::success();
  }
  int64_t elements = *countElements(result.shape);
  int64_t given = layer.layer->values() ? layer.layer->values()->size() : 0;
  if (given != elements)
    return fail(layer, "has " + llvm::Twine(given) + " values, shape " +
                           printShape(result.shape) + " holds " +
                           llvm::Twine(elements));
  return llvm::Error::success();
}

llvm::Error ShapeChecker::checkDropout(const GraphLayer &layer) {
  double p = layer.layer->p();
  if (p >= 0 && p < 1)
    return llvm::Error::success();
  return fail(layer, "p is " + llvm::Twine(std::to_string(p)) +
                         ", expected 0 <= p < 1");
}

llvm::Error ShapeChecker::inferLayer(GraphLayer &layer) {
  GraphValue &result = graph.values[layer.result];
  LayerKind kind = *layer.layer->kind();
  if (kind == LayerKind::parameter || kind == LayerKind::constant)
    return inferSource(layer, result);
  const GraphValue &input = value(layer.input);
  if (input.isInteger)
    return fail(layer, "input \"" + input.name + "\" is i32, expected f32");
  switch (kind) {
  case LayerKind::linear:
    return inferLinear(layer, result);
  case LayerKind::add:
  case LayerKind::mul:
    return inferBinary(layer, result);
  case LayerKind::matmul:
    return inferMatMul(layer, result);
  case LayerKind::reshape:
  case LayerKind::flatten:
    return inferReshape(layer, result);
  case LayerKind::slice:
    return inferSlice(layer, result);
  default:
    result.isBatched = input.isBatched;
    result.shape = input.shape;
    return kind == LayerKind::dropout ? checkDropout(layer)
                                      : llvm::Error::success();
  }
}

llvm::Error ShapeChecker::checkTiedWeights() {
  for (const GraphLayer &layer : graph.layers) {
    if (!layer.layer->weight())
      continue;
    const GraphParameter &weight = graph.parameters[layer.weight];
    Shape needed{layer.layer->width(), value(layer.input).shape.back()};
    if (weight.shape != needed)
      return fail(layer, "weight \"" + weight.name + "\" has shape " +
                             printShape(weight.shape) + ", width and input " +
                             describe(layer.input) + " need " +
                             printShape(needed));
  }
  return llvm::Error::success();
}

llvm::Error ShapeChecker::run() {
  for (size_t i = 0; i < graph.inputCount; ++i)
    if (llvm::Error error = checkSizes(
            graph.values[i].shape, true, "inputs[" + std::to_string(i) + "]",
            "input \"" + graph.values[i].name + "\""))
      return error;
  for (GraphLayer &layer : graph.layers) {
    if (llvm::Error error = inferLayer(layer))
      return error;
    const GraphValue &result = value(layer.result);
    if (llvm::Error error =
            checkSizes(result.shape, result.isBatched, layer.path,
                       "layer \"" + layer.name + "\""))
      return error;
  }
  if (llvm::Error error = checkTiedWeights())
    return error;
  return checkLoss(file, batch, graph);
}

} // namespace

llvm::Error checkShapes(const ModelFile &file, int64_t batch,
                        ModelGraph &graph) {
  return ShapeChecker(file, batch, graph).run();
}

} // namespace mlir::dtc
