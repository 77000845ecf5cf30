//===- ComputeOps.cpp - Constraints of compute ops ------------------------===//
//
// Shapes and element types; how values lie is held to the rules in layouts/.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"
#include "ir/OpChecks.h"

namespace mlir::dtc {

LogicalResult MatMulOp::verify() {
  // C1
  for (auto [name, value] : {std::pair<StringRef, Value>{"lhs", getLhs()},
                             {"rhs", getRhs()},
                             {"result", getResult()}})
    if (getShapeOf(value).size() != 2)
      return emitOpError("C1: ")
             << name << " is " << describeTensor(value.getType())
             << ", expected rank 2";
  ArrayRef<int64_t> lhs = getShapeOf(getLhs()), rhs = getShapeOf(getRhs());
  int64_t m = lhs[getTransposeLhs() ? 1 : 0],
          k = lhs[getTransposeLhs() ? 0 : 1];
  int64_t n = rhs[getTransposeRhs() ? 0 : 1];
  int64_t rhsK = rhs[getTransposeRhs() ? 1 : 0];
  // C2
  if (k != rhsK)
    return emitOpError("C2: lhs contracts a dimension of ")
           << k << ", rhs one of " << rhsK;
  // C4
  if (!hasSameElementType(getLhs(), getRhs()))
    return emitOpError("C4: lhs is ")
           << describeTensor(getLhs().getType()) << ", rhs "
           << describeTensor(getRhs().getType())
           << ", expected one element type";
  // C3, C4
  return expectTensor(
      *this, getShapeOf(getResult()) == ArrayRef({m, n}) ? 4 : 3, "result",
      getResult(), {m, n}, getElementTypeOrSelf(getLhs()));
}

/// C1: rhs has the trailing dimensions of lhs, the result is as lhs.
/// C2: one element type.
static LogicalResult verifyBinary(Operation *op) {
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  ArrayRef<int64_t> left = getShapeOf(lhs), right = getShapeOf(rhs);
  if (right.size() > left.size() || left.take_back(right.size()) != right)
    return op->emitOpError("C1: rhs is ")
           << describeTensor(rhs.getType())
           << ", expected trailing dimensions of lhs, "
           << describeTensor(lhs.getType());
  if (!hasSameElementType(lhs, rhs))
    return op->emitOpError("C2: rhs is ")
           << describeTensor(rhs.getType()) << ", lhs "
           << describeTensor(lhs.getType()) << ", expected one element type";
  bool sameShape = hasSameShape(op->getResult(0), lhs);
  return expectTensor(op, sameShape ? 2 : 1, "result", op->getResult(0), left,
                      getElementTypeOrSelf(lhs));
}

LogicalResult AddOp::verify() { return verifyBinary(*this); }
LogicalResult SubOp::verify() { return verifyBinary(*this); }
LogicalResult MulOp::verify() { return verifyBinary(*this); }

/// C1: the result has the type of the operand `like`, up to the encoding.
static LogicalResult verifyAlike(Operation *op, Value like, Value result) {
  return expectTensor(op, 1, "result", result, getShapeOf(like),
                      getElementTypeOrSelf(like));
}

LogicalResult ReluOp::verify() {
  return verifyAlike(*this, getInput(), getResult());
}

LogicalResult MaskPadsOp::verify() {
  return verifyAlike(*this, getInput(), getResult());
}

LogicalResult ReluGradOp::verify() {
  // C1
  if (failed(expectTensor(*this, 1, "output", getOutput(),
                          getShapeOf(getCotangent()),
                          getElementTypeOrSelf(getCotangent()))))
    return failure();
  return verifyAlike(*this, getCotangent(), getResult());
}

LogicalResult CastOp::verify() {
  // C1
  return expectTensor(*this, 1, "result", getResult(), getShapeOf(getInput()),
                      getElementTypeOrSelf(getResult()));
}

//===-- Shapes
//--------------------------------------------------------------===//

LogicalResult ReduceSumOp::verify() {
  ArrayRef<int64_t> shape = getShapeOf(getInput());
  int64_t rank = shape.size(), count = getDims().size();
  // C1
  bool isRun =
      count > 0 && (getDims().front() == 0 || getDims().back() == rank - 1);
  for (auto [i, dim] : llvm::enumerate(getDims()))
    isRun &= dim >= 0 && dim < rank &&
             dim == getDims().front() + static_cast<int64_t>(i);
  if (!isRun)
    return emitOpError("C1: dims = [")
           << getDims() << "], expected the first or the last of the " << rank
           << " dimensions, in order";
  // C2
  ArrayRef<int64_t> kept =
      getDims().front() == 0 ? shape.drop_front(count) : shape.drop_back(count);
  return expectTensor(*this, 2, "result", getResult(), kept,
                      getElementTypeOrSelf(getInput()));
}

LogicalResult BroadcastOp::verify() {
  ArrayRef<int64_t> from = getShapeOf(getInput()), to = getShapeOf(getResult());
  // C1
  bool isIncreasing = getDims().size() == from.size();
  int64_t before = -1;
  for (int64_t dim : getDims()) {
    isIncreasing &= dim > before && dim < static_cast<int64_t>(to.size());
    before = dim;
  }
  if (!isIncreasing)
    return emitOpError("C1: dims = [")
           << getDims() << "], expected for each of the " << from.size()
           << " dimensions of the input one of the " << to.size()
           << " of the result, increasing";
  // C2
  SmallVector<int64_t> expected(to);
  for (auto [size, dim] : llvm::zip(from, getDims()))
    expected[dim] = size;
  return expectTensor(*this, 2, "result", getResult(), expected,
                      getElementTypeOrSelf(getInput()));
}

static int64_t getElements(Value value) {
  return ShapedType::getNumElements(getShapeOf(value));
}

LogicalResult ReshapeOp::verify() {
  // C1
  if (getElements(getInput()) != getElements(getResult()))
    return emitOpError("C1: result has ")
           << getElements(getResult()) << " elements, expected the input's "
           << getElements(getInput());
  // C2
  return expectTensor(*this, 2, "result", getResult(), getShapeOf(getResult()),
                      getElementTypeOrSelf(getInput()));
}

LogicalResult TransposeOp::verify() {
  ArrayRef<int64_t> from = getShapeOf(getInput());
  // C1
  SmallVector<int64_t> sorted(getPermutation());
  llvm::sort(sorted);
  bool isPermutation = sorted.size() == from.size();
  for (auto [i, dim] : llvm::enumerate(sorted))
    isPermutation &= dim == static_cast<int64_t>(i);
  if (!isPermutation)
    return emitOpError("C1: permutation = [")
           << getPermutation() << "], expected each of the " << from.size()
           << " dimensions once";
  // C2
  SmallVector<int64_t> expected;
  for (int64_t dim : getPermutation())
    expected.push_back(from[dim]);
  return expectTensor(*this, 2, "result", getResult(), expected,
                      getElementTypeOrSelf(getInput()));
}

/// C1: `starts` has one entry a dimension, and the box [starts, starts + size)
/// of `inner` lies within `outer`. C2: one element type.
static LogicalResult verifyBox(Operation *op, ArrayRef<int64_t> starts,
                               Value inner, Value outer) {
  ArrayRef<int64_t> box = getShapeOf(inner), whole = getShapeOf(outer);
  if (starts.size() != whole.size() || box.size() != whole.size())
    return op->emitOpError("C1: starts has ")
           << starts.size() << " entries, the box rank " << box.size()
           << ", expected " << whole.size();
  for (auto [dim, start] : llvm::enumerate(starts))
    if (start < 0 || start + box[dim] > whole[dim])
      return op->emitOpError("C1: the box is [")
             << start << ", " << start + box[dim] << ") in dimension " << dim
             << " of size " << whole[dim];
  if (hasSameElementType(inner, outer))
    return success();
  return op->emitOpError("C2: input is ")
         << describeTensor(op->getOperand(0).getType()) << ", result "
         << describeTensor(op->getResult(0).getType())
         << ", expected one element type";
}

LogicalResult SliceOp::verify() {
  return verifyBox(*this, getStarts(), getResult(), getInput());
}

LogicalResult PadOp::verify() {
  return verifyBox(*this, getStarts(), getInput(), getResult());
}

LogicalResult ConstantOp::verify() {
  // C1
  ShapedType type = getValue().getShapedType();
  return expectTensor(*this, 1, "result", getResult(), type.getShape(),
                      type.getElementType());
}

//===-- Sums
//----------------------------------------------------------------===//

LogicalResult SumOp::verify() {
  // C1
  if (getInputs().empty())
    return emitOpError("C1: has no operand, expected one or more");
  for (auto [index, input] : llvm::enumerate(getInputs()))
    if (failed(expectTensor(*this, 1, "operand " + std::to_string(index), input,
                            getShapeOf(getResult()),
                            getElementTypeOrSelf(getResult()))))
      return failure();
  // C2
  return verifyTerms(*this, getTerms(), getInputs().size(),
                     /*mustBeDisjoint=*/true);
}

} // namespace mlir::dtc
