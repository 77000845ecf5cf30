//===- OptimizerOps.cpp - Constraints of the tail -------------------------===//
//
// Scalars of the step have fixed types: flag, step and good i32, factor, scale
// and rates f32, so that every plan and backend keeps the same ones.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"
#include "ir/OpChecks.h"

namespace mlir::dtc {

static LogicalResult expectI32(Operation *op, unsigned c, StringRef name,
                               Value value) {
  return expectTensor(op, c, name, value, {}, Builder(op).getI32Type());
}

static LogicalResult expectF32(Operation *op, unsigned c, StringRef name,
                               Value value) {
  return expectTensor(op, c, name, value, {}, Builder(op).getF32Type());
}

LogicalResult NonfiniteBitOp::verify() {
  return expectI32(*this, 1, "result", getResult()); // C1
}

LogicalResult EmptyBitOp::verify() {
  // C1
  if (failed(expectTensor(*this, 1, "count", getCount(), {},
                          Builder(*this).getI64Type())))
    return failure();
  // C2
  return expectI32(*this, 2, "result", getResult());
}

LogicalResult OrOp::verify() {
  // C1
  if (getInputs().empty())
    return emitOpError("C1: has no operand, expected one or more");
  for (auto [index, input] : llvm::enumerate(getInputs()))
    if (failed(expectI32(*this, 1, "operand " + std::to_string(index), input)))
      return failure();
  if (failed(expectI32(*this, 1, "result", getResult())))
    return failure();
  // C2
  return verifyTerms(*this, getTerms(), getInputs().size(),
                     /*mustBeDisjoint=*/false);
}

LogicalResult UnscaleOp::verify() {
  // C1
  if (failed(expectTensor(*this, 1, "scale", getScale(), {},
                          getElementTypeOrSelf(getScale()))))
    return failure();
  // C2
  return expectTensor(*this, 2, "result", getResult(), getShapeOf(getInput()),
                      getElementTypeOrSelf(getInput()));
}

LogicalResult SumSquaresOp::verify() {
  return expectF32(*this, 1, "result", getResult()); // C1
}

LogicalResult SqrtOp::verify() {
  // C1
  return expectTensor(*this, 1, "result", getResult(), getShapeOf(getInput()),
                      getElementTypeOrSelf(getInput()));
}

LogicalResult ClipFactorOp::verify() {
  // C1
  if (failed(expectF32(*this, 1, "sum_squares", getSumSquares())) ||
      failed(expectF32(*this, 1, "result", getResult())))
    return failure();
  // C2
  if (!(getMaxNorm().convertToDouble() > 0))
    return emitOpError("C2: max_norm = ")
           << getMaxNorm().convertToDouble() << ", expected more than 0";
  return success();
}

LogicalResult LearningRateOp::verify() {
  // C1
  if (failed(expectI32(*this, 1, "step", getStep())) ||
      failed(expectF32(*this, 1, "result", getResult())))
    return failure();
  // C2
  if (!getPeak().isFinite() || getPeak().isNegative())
    return emitOpError("C2: peak = ")
           << getPeak().convertToDouble() << ", expected a number, 0 or more";
  return success();
}

//===-- Updates
//-------------------------------------------------------------===//

/// Constraint `c`: `decays` and `rates` have one entry a segment; several
/// segments fill a one-dimensional variable (one segment is all of any).
static LogicalResult verifySegments(Operation *op, unsigned c, Value value,
                                    ArrayRef<int64_t> lengths,
                                    ArrayRef<double> decays,
                                    ArrayRef<double> rates) {
  if (lengths.empty() || lengths.size() != decays.size() ||
      lengths.size() != rates.size())
    return op->emitOpError("C")
           << c << ": " << lengths.size() << " segments with " << decays.size()
           << " decays and " << rates.size()
           << " rates, expected one of each a segment";
  if (lengths.size() == 1)
    return success();
  int64_t sum = 0;
  for (int64_t length : lengths)
    sum += length;
  ArrayRef<int64_t> shape = getShapeOf(value);
  if (shape.size() == 1 && sum == shape[0])
    return success();
  return op->emitOpError("C")
         << c << ": segments have " << sum << " elements, value is "
         << describeTensor(value.getType());
}

/// C1: every tensor of the update is as `value`.
static LogicalResult
verifyTensors(Operation *op, Value value,
              ArrayRef<std::pair<StringRef, Value>> tensors) {
  for (auto [name, tensor] : tensors)
    if (failed(expectTensor(op, 1, name, tensor, getShapeOf(value),
                            getElementTypeOrSelf(value))))
      return failure();
  return success();
}

/// C2: scalars that every update takes.
static LogicalResult verifyScalars(Operation *op, Value factor, Value flag,
                                   Value rate) {
  return success(succeeded(expectF32(op, 2, "factor", factor)) &&
                 succeeded(expectI32(op, 2, "flag", flag)) &&
                 succeeded(expectF32(op, 2, "learning_rate", rate)));
}

LogicalResult SgdOp::verify() {
  double momentum = getMomentum().convertToDouble();
  // C3
  if (!(momentum >= 0 && momentum < 1))
    return emitOpError("C3: momentum = ")
           << momentum << ", expected 0 <= momentum < 1";
  if ((momentum != 0) != static_cast<bool>(getMomentumState()) ||
      (momentum != 0) != static_cast<bool>(getNewMomentumState()))
    return emitOpError("C3: momentum = ")
           << momentum << ", so momentum_state and new_momentum_state are "
           << (momentum != 0 ? "needed" : "absent");
  // C1, C2
  if (failed(verifyTensors(
          *this, getValue(),
          {{"gradient", getGradient()}, {"new_value", getNewValue()}})))
    return failure();
  if (momentum != 0 &&
      failed(verifyTensors(*this, getValue(),
                           {{"momentum_state", getMomentumState()},
                            {"new_momentum_state", getNewMomentumState()}})))
    return failure();
  if (failed(verifyScalars(*this, getFactor(), getFlag(), getLearningRate())))
    return failure();
  // C4
  return verifySegments(*this, 4, getValue(), getSegmentLengths(), getDecays(),
                        getRates());
}

LogicalResult AdamWOp::verify() {
  // C1, C2
  if (failed(verifyTensors(*this, getValue(),
                           {{"first_moment", getFirstMoment()},
                            {"second_moment", getSecondMoment()},
                            {"gradient", getGradient()},
                            {"new_value", getNewValue()},
                            {"new_first_moment", getNewFirstMoment()},
                            {"new_second_moment", getNewSecondMoment()}})) ||
      failed(verifyScalars(*this, getFactor(), getFlag(), getLearningRate())) ||
      failed(expectI32(*this, 2, "step", getStep())))
    return failure();
  // C3
  for (auto [name, beta] :
       {std::pair<StringRef, double>{"beta1", getBeta1().convertToDouble()},
        {"beta2", getBeta2().convertToDouble()}})
    if (!(beta >= 0 && beta < 1))
      return emitOpError("C3: ")
             << name << " = " << beta << ", expected 0 <= " << name << " < 1";
  if (!(getEps().convertToDouble() >= 0))
    return emitOpError("C3: eps = ")
           << getEps().convertToDouble() << ", expected 0 or more";
  // C4
  return verifySegments(*this, 4, getValue(), getSegmentLengths(), getDecays(),
                        getRates());
}

LogicalResult AdvanceOp::verify() {
  // C1
  std::pair<StringRef, Value> counts[] = {{"step", getStep()},
                                          {"good", getGood()},
                                          {"flag", getFlag()},
                                          {"new_step", getNewStep()},
                                          {"new_good", getNewGood()}};
  for (auto [name, value] : counts)
    if (failed(expectI32(*this, 1, name, value)))
      return failure();
  if (failed(expectF32(*this, 1, "scale", getScale())) ||
      failed(expectF32(*this, 1, "new_scale", getNewScale())))
    return failure();
  // C2
  double growth = getGrowth().convertToDouble();
  double backoff = getBackoff().convertToDouble();
  if (static_cast<int64_t>(getGrowthInterval()) < 0 || !(growth >= 1) ||
      !(backoff > 0 && backoff <= 1))
    return emitOpError("C2: growth_interval = ")
           << static_cast<int64_t>(getGrowthInterval())
           << ", growth = " << growth << ", backoff = " << backoff
           << ", expected 0 or more, 1 or more, and 0 < backoff <= 1";
  return success();
}

//===-- Buckets
//-------------------------------------------------------------===//

/// Elements of a member that one coordinate of the axes over which the bucket
/// is opaque packs: its global shape, split over those axes alone.
static int64_t getPackedElements(Value member, LayoutAttr bucket) {
  SmallVector<int64_t> shape(getShapeOf(member));
  LayoutAttr layout = getLayout(member);
  if (layout && bucket)
    for (const MeshAxis &axis : layout.getAxes())
      if (axis.state.isSplit() && bucket.hasAxis(axis.name) &&
          bucket.on(axis.name).isOpaque())
        shape[axis.state.dim] =
            (shape[axis.state.dim] + axis.size - 1) / axis.size;
  return ShapedType::getNumElements(shape);
}

/// C1: members have the bucket's element type. C2: their elements fill it.
static LogicalResult verifyBucket(Operation *op, Value bucket,
                                  ValueRange members) {
  if (members.empty())
    return op->emitOpError("C1: has no member, expected one or more");
  int64_t elements = 0;
  for (auto [index, member] : llvm::enumerate(members)) {
    if (!hasSameElementType(member, bucket))
      return op->emitOpError("C1: member ")
             << index << " is " << describeTensor(member.getType())
             << ", the bucket " << describeTensor(bucket.getType())
             << ", expected one element type";
    elements += getPackedElements(member, getLayout(bucket));
  }
  return expectTensor(op, 2, "bucket", bucket, {elements},
                      getElementTypeOrSelf(bucket));
}

LogicalResult PackOp::verify() {
  return verifyBucket(*this, getResult(), getMembers());
}

LogicalResult UnpackOp::verify() {
  return verifyBucket(*this, getBucket(), getMembers());
}

} // namespace mlir::dtc
