//===- OptimizerInterpreter.cpp - Meaning of the tail of the step ---------===//
//
// Flag, unscale, norm, clip, update, advance. Gradients are zero in pads, so
// sums need no mask and an update leaves pads zero.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"
#include "ir/interpreter/HostTensor.h"

#include <cmath>

namespace mlir::dtc {

using Operands = ArrayRef<const HostTensor *>;
using Results = SmallVectorImpl<HostTensor>;

static HostTensor makeScalar(double value) {
  return HostTensor(ArrayRef<int64_t>(), value);
}

//===-- Flag
//----------------------------------------------------------------===//

LogicalResult NonfiniteBitOp::interpret(const PlaceContext &, Operands operands,
                                        Results &results) {
  bool allFinite = llvm::all_of(operands[0]->elements,
                                [](double x) { return std::isfinite(x); });
  results.push_back(makeScalar(allFinite ? 0 : 1));
  return success();
}

LogicalResult EmptyBitOp::interpret(const PlaceContext &, Operands operands,
                                    Results &results) {
  results.push_back(makeScalar((*operands[0])[0] == 0 ? 2 : 0));
  return success();
}

LogicalResult OrOp::interpret(const PlaceContext &, Operands operands,
                              Results &results) {
  int64_t bits = 0;
  for (const HostTensor *operand : operands)
    bits |= static_cast<int64_t>((*operand)[0]);
  results.push_back(makeScalar(static_cast<double>(bits)));
  return success();
}

//===-- Norm and factors
//----------------------------------------------------===//

LogicalResult UnscaleOp::interpret(const PlaceContext &, Operands operands,
                                   Results &results) {
  HostTensor result = *operands[0];
  for (double &x : result.elements)
    x /= (*operands[1])[0];
  results.push_back(std::move(result));
  return success();
}

LogicalResult SumSquaresOp::interpret(const PlaceContext &, Operands operands,
                                      Results &results) {
  double sum = 0;
  for (double x : operands[0]->elements)
    sum += x * x;
  results.push_back(makeScalar(sum));
  return success();
}

LogicalResult SqrtOp::interpret(const PlaceContext &, Operands operands,
                                Results &results) {
  HostTensor result = *operands[0];
  for (double &x : result.elements)
    x = std::sqrt(x);
  results.push_back(std::move(result));
  return success();
}

LogicalResult ClipFactorOp::interpret(const PlaceContext &, Operands operands,
                                      Results &results) {
  double norm = std::sqrt((*operands[0])[0]);
  double maxNorm = getMaxNorm().convertToDouble();
  results.push_back(makeScalar(norm > maxNorm ? maxNorm / norm : 1));
  return success();
}

LogicalResult LearningRateOp::interpret(const PlaceContext &, Operands,
                                        Results &results) {
  results.push_back(makeScalar(getPeak().convertToDouble()));
  return success();
}

//===-- Updates
//-------------------------------------------------------------===//

/// Segment of each element that this place holds of a variable or bucket. A
/// bucket is one-dimensional and its segments are counted from its beginning;
/// pads at its end belong to the last one.
static SmallVector<int64_t> getSegments(const PlaceContext &context, Type type,
                                        ArrayRef<int64_t> segmentLengths) {
  SmallVector<int64_t> segments(getElementCount(getPlaceShape(type)), 0);
  if (segmentLengths.size() <= 1)
    return segments;
  int64_t start = context.getExtents(type).front().start;
  for (size_t i = 0; i < segments.size(); ++i) {
    int64_t segment = 0;
    int64_t position = start + static_cast<int64_t>(i);
    while (segment + 1 < static_cast<int64_t>(segmentLengths.size()) &&
           position >= segmentLengths[segment])
      position -= segmentLengths[segment++];
    segments[i] = segment;
  }
  return segments;
}

LogicalResult SgdOp::interpret(const PlaceContext &context, Operands operands,
                               Results &results) {
  HostTensor value = *operands[0];
  bool hasState = static_cast<bool>(getMomentumState());
  HostTensor state = hasState ? *operands[1] : HostTensor(value.shape);
  Operands rest = operands.drop_front(hasState ? 2 : 1);
  const HostTensor &gradient = *rest[0];
  double factor = (*rest[1])[0], flag = (*rest[2])[0], lr = (*rest[3])[0];
  double momentum = getMomentum().convertToDouble();
  SmallVector<int64_t> segments =
      getSegments(context, getValue().getType(), getSegmentLengths());

  for (int64_t i = 0; flag == 0 && i < value.getElementCount(); ++i) {
    double decay = getDecays()[segments[i]], rate = getRates()[segments[i]];
    double g = factor * gradient[i] + decay * value[i];
    state[i] = momentum * state[i] + g;
    value[i] -= lr * rate * state[i];
  }
  results.push_back(std::move(value));
  if (hasState)
    results.push_back(std::move(state));
  return success();
}

LogicalResult AdamWOp::interpret(const PlaceContext &context, Operands operands,
                                 Results &results) {
  HostTensor p = *operands[0], m = *operands[1], v = *operands[2];
  const HostTensor &gradient = *operands[3];
  double factor = (*operands[4])[0], flag = (*operands[5])[0];
  double lr = (*operands[6])[0], t = (*operands[7])[0] + 1;
  double b1 = getBeta1().convertToDouble(), b2 = getBeta2().convertToDouble();
  double eps = getEps().convertToDouble();
  SmallVector<int64_t> segments =
      getSegments(context, getValue().getType(), getSegmentLengths());

  for (int64_t i = 0; flag == 0 && i < p.getElementCount(); ++i) {
    double decay = getDecays()[segments[i]], rate = getRates()[segments[i]];
    double g = factor * gradient[i];
    m[i] = b1 * m[i] + (1 - b1) * g;
    v[i] = b2 * v[i] + (1 - b2) * g * g;
    double mHat = m[i] / (1 - std::pow(b1, t));
    double vHat = v[i] / (1 - std::pow(b2, t));
    p[i] -= lr * rate * (mHat / (std::sqrt(vHat) + eps) + decay * p[i]);
  }
  results.push_back(std::move(p));
  results.push_back(std::move(m));
  results.push_back(std::move(v));
  return success();
}

LogicalResult AdvanceOp::interpret(const PlaceContext &, Operands operands,
                                   Results &results) {
  double step = (*operands[0])[0], scale = (*operands[1])[0];
  double good = (*operands[2])[0];
  int64_t flag = static_cast<int64_t>((*operands[3])[0]);
  int64_t interval = getGrowthInterval();
  if (flag == 0) {
    step += 1;
    good += 1;
    if (interval > 0 && good >= interval) {
      scale *= getGrowth().convertToDouble();
      good = 0;
    }
  } else if (flag & 1) {
    good = 0;
    if (interval > 0)
      scale *= getBackoff().convertToDouble();
  }
  results.push_back(makeScalar(step));
  results.push_back(makeScalar(scale));
  results.push_back(makeScalar(good));
  return success();
}

//===-- Buckets
//-------------------------------------------------------------===//

LogicalResult PackOp::interpret(const PlaceContext &, Operands operands,
                                Results &results) {
  HostTensor result = makeHostTensor(getResult().getType());
  std::vector<double> packed;
  for (const HostTensor *member : operands)
    packed.insert(packed.end(), member->elements.begin(),
                  member->elements.end());
  if (packed.size() != result.elements.size())
    return emitOpError("members have ")
           << packed.size() << " elements here, the bucket "
           << result.elements.size();
  result.elements = std::move(packed);
  results.push_back(std::move(result));
  return success();
}

LogicalResult UnpackOp::interpret(const PlaceContext &, Operands operands,
                                  Results &results) {
  const HostTensor &bucket = *operands[0];
  int64_t offset = 0;
  for (Value member : getMembers()) {
    HostTensor part = makeHostTensor(member.getType());
    if (offset + part.getElementCount() > bucket.getElementCount())
      return emitOpError("members need more than the ")
             << bucket.getElementCount() << " elements of the bucket";
    for (int64_t i = 0; i < part.getElementCount(); ++i)
      part[i] = bucket[offset + i];
    offset += part.getElementCount();
    results.push_back(std::move(part));
  }
  return success();
}

} // namespace mlir::dtc
