//===- LossInterpreter.cpp - Meaning of the losses ------------------------===//
//
// A row is what one label speaks of: the label's dimensions lead, the others
// are within the row. Rows with the ignore label contribute nothing, pad rows
// have that label, and pads within a row are skipped by global index.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"
#include "ir/interpreter/HostTensor.h"

#include <cmath>
#include <limits>

namespace mlir::dtc {

using Operands = ArrayRef<const HostTensor *>;
using Results = SmallVectorImpl<HostTensor>;

/// Calls `visit(row, column, linear)` for each element of `tensor` that is no
/// pad within its row; the first `leading` dimensions count rows. `column` is
/// the position in the row of the global tensor.
template <typename Visit>
static void forEachOfRows(const PlaceContext &context, Type type,
                          const HostTensor &tensor, size_t leading,
                          Visit visit) {
  SmallVector<Extent> extents = context.getExtents(type);
  ArrayRef<int64_t> globalRow = getGlobalShape(type).drop_front(leading);
  forEachIndex(tensor.shape, [&](ArrayRef<int64_t> index, int64_t linear) {
    SmallVector<int64_t> within(index.drop_front(leading));
    for (size_t dim = 0; dim < within.size(); ++dim) {
      const Extent &extent = extents[leading + dim];
      if (within[dim] >= extent.length)
        return;
      within[dim] += extent.start;
    }
    int64_t row =
        linearize(index.take_front(leading),
                  ArrayRef<int64_t>(tensor.shape).take_front(leading));
    visit(row, linearize(within, globalRow), linear);
  });
}

static HostTensor makeScalar(double value) {
  return HostTensor(ArrayRef<int64_t>(), value);
}

/// numerator / N; 0 in a step without a valid label.
static double divide(double numerator, const HostTensor *divisor) {
  double validLabels = (*divisor)[0];
  return validLabels == 0 ? 0 : numerator / validLabels;
}

/// Elements that one row has in the global tensor.
static double getRowElements(Type type, size_t leading) {
  return static_cast<double>(
      getElementCount(getGlobalShape(type).drop_front(leading)));
}

//===-- Labels
//--------------------------------------------------------------===//

LogicalResult CountValidOp::interpret(const PlaceContext &, Operands operands,
                                      Results &results) {
  int64_t ignore = static_cast<int64_t>(getIgnore());
  double validLabels = 0;
  for (double label : operands[0]->elements)
    validLabels += label != ignore;
  results.push_back(makeScalar(validLabels));
  return success();
}

LogicalResult CountCorrectOp::interpret(const PlaceContext &, Operands operands,
                                        Results &results) {
  int64_t ignore = static_cast<int64_t>(getIgnore());
  const HostTensor &max = *operands[0];
  const HostTensor &pick = *operands[1];
  const HostTensor &labels = *operands[2];
  double correct = 0;
  for (int64_t row = 0; row < labels.getElementCount(); ++row)
    correct += labels[row] != ignore && pick[row] == max[row];
  results.push_back(makeScalar(correct));
  return success();
}

//===-- Cross entropy
//-------------------------------------------------------===//

LogicalResult RowMaxOp::interpret(const PlaceContext &context,
                                  Operands operands, Results &results) {
  const HostTensor &logits = *operands[0];
  HostTensor result = makeHostTensor(getResult().getType());
  for (double &max : result.elements)
    max = -std::numeric_limits<double>::infinity();
  forEachOfRows(context, getLogits().getType(), logits, result.shape.size(),
                [&](int64_t row, int64_t, int64_t linear) {
                  double x = logits[linear];
                  if (std::isnan(x) || x > result[row])
                    result[row] = x;
                });
  results.push_back(std::move(result));
  return success();
}

LogicalResult SumExpOp::interpret(const PlaceContext &context,
                                  Operands operands, Results &results) {
  const HostTensor &logits = *operands[0];
  const HostTensor &max = *operands[1];
  HostTensor result = makeHostTensor(getResult().getType());
  forEachOfRows(context, getLogits().getType(), logits, result.shape.size(),
                [&](int64_t row, int64_t, int64_t linear) {
                  result[row] += std::exp(logits[linear] - max[row]);
                });
  results.push_back(std::move(result));
  return success();
}

LogicalResult PickOp::interpret(const PlaceContext &context, Operands operands,
                                Results &results) {
  int64_t ignore = static_cast<int64_t>(getIgnore());
  const HostTensor &logits = *operands[0];
  const HostTensor &labels = *operands[1];
  HostTensor result = makeHostTensor(getResult().getType());
  int64_t classes = getGlobalShape(getLogits().getType()).back();
  for (int64_t row = 0; row < labels.getElementCount(); ++row)
    if (labels[row] != ignore && !(labels[row] >= 0 && labels[row] < classes))
      return emitOpError("label ")
             << formatNumber(labels[row]) << " in row " << row
             << " is no class; expected 0 to " << classes - 1 << " or "
             << ignore << " to ignore the row";
  forEachOfRows(context, getLogits().getType(), logits, result.shape.size(),
                [&](int64_t row, int64_t column, int64_t linear) {
                  if (labels[row] != ignore && labels[row] == column)
                    result[row] = logits[linear];
                });
  results.push_back(std::move(result));
  return success();
}

LogicalResult CrossEntropyOp::interpret(const PlaceContext &, Operands operands,
                                        Results &results) {
  int64_t ignore = static_cast<int64_t>(getIgnore());
  const HostTensor &max = *operands[0];
  const HostTensor &sum = *operands[1];
  const HostTensor &pick = *operands[2];
  const HostTensor &labels = *operands[3];
  double total = 0;
  for (int64_t row = 0; row < labels.getElementCount(); ++row)
    if (labels[row] != ignore)
      total += max[row] + std::log(sum[row]) - pick[row];
  results.push_back(makeScalar(divide(total, operands[4])));
  return success();
}

LogicalResult CrossEntropyGradOp::interpret(const PlaceContext &context,
                                            Operands operands,
                                            Results &results) {
  int64_t ignore = static_cast<int64_t>(getIgnore());
  const HostTensor &logits = *operands[0];
  const HostTensor &max = *operands[1];
  const HostTensor &sum = *operands[2];
  const HostTensor &labels = *operands[3];
  double factor = divide((*operands[5])[0], operands[4]);
  HostTensor result = makeHostTensor(getResult().getType());
  forEachOfRows(context, getLogits().getType(), logits, labels.shape.size(),
                [&](int64_t row, int64_t column, int64_t linear) {
                  if (labels[row] == ignore)
                    return;
                  double softmax =
                      std::exp(logits[linear] - max[row]) / sum[row];
                  double oneHot = labels[row] == column;
                  result[linear] = factor * (softmax - oneHot);
                });
  results.push_back(std::move(result));
  return success();
}

//===-- Squared error and linear loss
//---------------------------------------===//

LogicalResult SquaredErrorOp::interpret(const PlaceContext &context,
                                        Operands operands, Results &results) {
  int64_t ignore = static_cast<int64_t>(getIgnore());
  const HostTensor &prediction = *operands[0];
  const HostTensor &target = *operands[1];
  const HostTensor &labels = *operands[2];
  Type type = getPrediction().getType();
  double total = 0;
  forEachOfRows(context, type, prediction, labels.shape.size(),
                [&](int64_t row, int64_t, int64_t linear) {
                  double error = prediction[linear] - target[linear];
                  if (labels[row] != ignore)
                    total += error * error;
                });
  total /= getRowElements(type, labels.shape.size());
  results.push_back(makeScalar(divide(total, operands[3])));
  return success();
}

LogicalResult SquaredErrorGradOp::interpret(const PlaceContext &context,
                                            Operands operands,
                                            Results &results) {
  int64_t ignore = static_cast<int64_t>(getIgnore());
  const HostTensor &prediction = *operands[0];
  const HostTensor &target = *operands[1];
  const HostTensor &labels = *operands[2];
  Type type = getPrediction().getType();
  double factor = divide((*operands[4])[0], operands[3]) * 2 /
                  getRowElements(type, labels.shape.size());
  HostTensor result = makeHostTensor(getResult().getType());
  forEachOfRows(context, type, prediction, labels.shape.size(),
                [&](int64_t row, int64_t, int64_t linear) {
                  if (labels[row] != ignore)
                    result[linear] =
                        factor * (prediction[linear] - target[linear]);
                });
  results.push_back(std::move(result));
  return success();
}

LogicalResult LinearLossOp::interpret(const PlaceContext &context,
                                      Operands operands, Results &results) {
  int64_t ignore = static_cast<int64_t>(getIgnore());
  const HostTensor &input = *operands[0];
  const HostTensor &labels = *operands[1];
  double total = 0;
  forEachOfRows(context, getInput().getType(), input, labels.shape.size(),
                [&](int64_t row, int64_t, int64_t linear) {
                  if (labels[row] != ignore)
                    total += input[linear];
                });
  results.push_back(makeScalar(divide(total, operands[2])));
  return success();
}

LogicalResult LinearLossGradOp::interpret(const PlaceContext &context,
                                          Operands operands, Results &results) {
  int64_t ignore = static_cast<int64_t>(getIgnore());
  const HostTensor &labels = *operands[1];
  double factor = divide((*operands[3])[0], operands[2]);
  HostTensor result = makeHostTensor(getResult().getType());
  forEachOfRows(context, getLike().getType(), *operands[0], labels.shape.size(),
                [&](int64_t row, int64_t, int64_t linear) {
                  if (labels[row] != ignore)
                    result[linear] = factor;
                });
  results.push_back(std::move(result));
  return success();
}

} // namespace mlir::dtc
