//===- ComputeInterpreter.cpp - Meaning of contractions and shape ops -----===//
//
// Loops over one place's padded part. They need no masks: a contraction or sum
// over a padded dimension meets zeros there by the types (C6, C4), and all else
// works on each element apart, pads included.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"
#include "ir/interpreter/HostTensor.h"

namespace mlir::dtc {

using Operands = ArrayRef<const HostTensor *>;
using Results = SmallVectorImpl<HostTensor>;

LogicalResult MatMulOp::interpret(const PlaceContext &, Operands operands,
                                  Results &results) {
  const HostTensor &lhs = *operands[0];
  const HostTensor &rhs = *operands[1];
  HostTensor result = makeHostTensor(getResult().getType());
  int64_t rows = result.shape[0], columns = result.shape[1];
  int64_t depth = lhs.shape[getTransposeLhs() ? 0 : 1];
  int64_t rhsDepth = rhs.shape[getTransposeRhs() ? 1 : 0];
  if (depth != rhsDepth)
    return emitOpError("sums over ")
           << depth << " elements of lhs here but " << rhsDepth << " of rhs";
  for (int64_t m = 0; m < rows; ++m)
    for (int64_t n = 0; n < columns; ++n) {
      double sum = 0;
      for (int64_t k = 0; k < depth; ++k)
        sum += lhs[getTransposeLhs() ? k * rows + m : m * depth + k] *
               rhs[getTransposeRhs() ? n * depth + k : k * columns + n];
      result[m * columns + n] = sum;
    }
  results.push_back(std::move(result));
  return success();
}

//===-- Elementwise
//---------------------------------------------------------===//

/// lhs with an op applied to each element; rhs has its trailing dimensions, so
/// rhs repeats with the period of its element count.
template <typename Scalar>
static void mapBinary(Operands operands, Results &results, Scalar scalar) {
  HostTensor result = *operands[0];
  const HostTensor &rhs = *operands[1];
  for (int64_t i = 0; i < result.getElementCount(); ++i)
    result[i] = scalar(result[i], rhs[i % rhs.getElementCount()]);
  results.push_back(std::move(result));
}

LogicalResult AddOp::interpret(const PlaceContext &, Operands operands,
                               Results &results) {
  mapBinary(operands, results, [](double a, double b) { return a + b; });
  return success();
}

LogicalResult SubOp::interpret(const PlaceContext &, Operands operands,
                               Results &results) {
  mapBinary(operands, results, [](double a, double b) { return a - b; });
  return success();
}

LogicalResult MulOp::interpret(const PlaceContext &, Operands operands,
                               Results &results) {
  mapBinary(operands, results, [](double a, double b) { return a * b; });
  return success();
}

LogicalResult ReluOp::interpret(const PlaceContext &, Operands operands,
                                Results &results) {
  HostTensor result = *operands[0];
  for (double &x : result.elements)
    x = x <= 0 ? 0 : x; // a NaN compares false and stays
  results.push_back(std::move(result));
  return success();
}

LogicalResult ReluGradOp::interpret(const PlaceContext &, Operands operands,
                                    Results &results) {
  mapBinary(operands, results, [](double cotangent, double output) {
    return output == 0 ? 0 : cotangent;
  });
  return success();
}

/// Rounding is the work of the mode `typed`, which rounds every result to its
/// element type; in f64 a cast changes nothing.
LogicalResult CastOp::interpret(const PlaceContext &, Operands operands,
                                Results &results) {
  results.push_back(*operands[0]);
  return success();
}

LogicalResult SumOp::interpret(const PlaceContext &, Operands operands,
                               Results &results) {
  HostTensor result = *operands[0];
  for (const HostTensor *term : operands.drop_front())
    for (int64_t i = 0; i < result.getElementCount(); ++i)
      result[i] += (*term)[i];
  results.push_back(std::move(result));
  return success();
}

LogicalResult MaskPadsOp::interpret(const PlaceContext &context,
                                    Operands operands, Results &results) {
  HostTensor result = *operands[0];
  SmallVector<Extent> extents = context.getExtents(getInput().getType());
  forEachIndex(result.shape, [&](ArrayRef<int64_t> index, int64_t linear) {
    if (!isElement(index, extents))
      result[linear] = 0;
  });
  results.push_back(std::move(result));
  return success();
}

//===-- Sums and repetitions over dimensions
//--------------------------------===//

LogicalResult ReduceSumOp::interpret(const PlaceContext &, Operands operands,
                                     Results &results) {
  const HostTensor &input = *operands[0];
  HostTensor result = makeHostTensor(getResult().getType());
  forEachIndex(input.shape, [&](ArrayRef<int64_t> index, int64_t linear) {
    SmallVector<int64_t> kept;
    for (int64_t dim = 0; dim < static_cast<int64_t>(index.size()); ++dim)
      if (!llvm::is_contained(getDims(), dim))
        kept.push_back(index[dim]);
    result[linearize(kept, result.shape)] += input[linear];
  });
  results.push_back(std::move(result));
  return success();
}

LogicalResult BroadcastOp::interpret(const PlaceContext &, Operands operands,
                                     Results &results) {
  const HostTensor &input = *operands[0];
  HostTensor result = makeHostTensor(getResult().getType());
  forEachIndex(result.shape, [&](ArrayRef<int64_t> index, int64_t linear) {
    SmallVector<int64_t> from;
    for (int64_t dim : getDims())
      from.push_back(index[dim]);
    result[linear] = input[linearize(from, input.shape)];
  });
  results.push_back(std::move(result));
  return success();
}

//===-- Shape
//---------------------------------------------------------------===//

LogicalResult ReshapeOp::interpret(const PlaceContext &, Operands operands,
                                   Results &results) {
  HostTensor result = makeHostTensor(getResult().getType());
  if (result.getElementCount() != operands[0]->getElementCount())
    return emitOpError("has ")
           << operands[0]->getElementCount() << " elements here before and "
           << result.getElementCount() << " after";
  result.elements = operands[0]->elements;
  results.push_back(std::move(result));
  return success();
}

LogicalResult TransposeOp::interpret(const PlaceContext &, Operands operands,
                                     Results &results) {
  const HostTensor &input = *operands[0];
  HostTensor result = makeHostTensor(getResult().getType());
  forEachIndex(result.shape, [&](ArrayRef<int64_t> index, int64_t linear) {
    SmallVector<int64_t> from(index.size());
    for (auto [dim, inputDim] : llvm::enumerate(getPermutation()))
      from[inputDim] = index[dim];
    result[linear] = input[linearize(from, input.shape)];
  });
  results.push_back(std::move(result));
  return success();
}

/// Calls `visit(small, large)`, both linear, for each element of a box that
/// lies at offset `starts` in a larger tensor.
template <typename Visit>
static LogicalResult forEachOfBox(Operation *op, ArrayRef<int64_t> box,
                                  ArrayRef<int64_t> starts,
                                  ArrayRef<int64_t> whole, Visit visit) {
  for (size_t dim = 0; dim < box.size(); ++dim)
    if (starts[dim] + box[dim] > whole[dim])
      return op->emitOpError("ends at ")
             << starts[dim] + box[dim] << " of dimension " << dim
             << ", of which this place holds " << whole[dim];
  forEachIndex(box, [&](ArrayRef<int64_t> index, int64_t linear) {
    SmallVector<int64_t> in(index);
    for (size_t dim = 0; dim < in.size(); ++dim)
      in[dim] += starts[dim];
    visit(linear, linearize(in, whole));
  });
  return success();
}

LogicalResult SliceOp::interpret(const PlaceContext &, Operands operands,
                                 Results &results) {
  const HostTensor &input = *operands[0];
  HostTensor result = makeHostTensor(getResult().getType());
  if (failed(forEachOfBox(
          *this, result.shape, getStarts(), input.shape,
          [&](int64_t to, int64_t from) { result[to] = input[from]; })))
    return failure();
  results.push_back(std::move(result));
  return success();
}

LogicalResult PadOp::interpret(const PlaceContext &, Operands operands,
                               Results &results) {
  const HostTensor &input = *operands[0];
  HostTensor result = makeHostTensor(getResult().getType());
  if (failed(forEachOfBox(
          *this, input.shape, getStarts(), result.shape,
          [&](int64_t from, int64_t to) { result[to] = input[from]; })))
    return failure();
  results.push_back(std::move(result));
  return success();
}

LogicalResult ConstantOp::interpret(const PlaceContext &, Operands,
                                    Results &results) {
  auto dense = dyn_cast<DenseElementsAttr>(getValue());
  if (!dense)
    return emitOpError("holds ") << getValue() << ", expected dense elements";
  HostTensor result = makeHostTensor(getResult().getType());
  int64_t i = 0;
  if (isa<FloatType>(dense.getElementType()))
    for (APFloat value : dense.getValues<APFloat>()) {
      bool losesInfo;
      value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
      result[i++] = value.convertToDouble();
    }
  else
    for (const APInt &value : dense.getValues<APInt>())
      result[i++] = static_cast<double>(value.getSExtValue());
  results.push_back(std::move(result));
  return success();
}

} // namespace mlir::dtc
