//===- ShapeRules.cpp - Shapes of an op's operands and results ------------===//
//
// Global shapes, as the graph says them. A program comes from outside: what
// the other rules index is made sure here.
//
//===----------------------------------------------------------------------===//

#include "runtime/check/OpKinds.h"

#include <algorithm>

namespace dtc::rt::check {
namespace {

Status wrongOperand(const OpView &op, size_t operand,
                    const std::string &expected) {
  return Status::invalidProgram()
         << op.label(operand) << " is " << shapeText(op.operands[operand])
         << ", expected " << expected;
}

Status wrongResult(const OpView &op, const Shape &expected) {
  return Status::invalidProgram()
         << "the result is " << shapeText(op.results[0]) << ", expected "
         << shapeText(expected);
}

Status expectResult(const OpView &op, const Shape &expected) {
  return op.results[0] == expected ? Status::ok() : wrongResult(op, expected);
}

bool isOneOf(const std::string &kind, std::initializer_list<const char *> list) {
  return std::find(list.begin(), list.end(), kind) != list.end();
}

Status checkMatMul(const OpView &op) {
  for (size_t i : {size_t(0), size_t(1)})
    if (op.operands[i].size() != 2)
      return wrongOperand(op, i, "rank 2");
  size_t m = op.hasFlag("transpose_lhs"), n = !op.hasFlag("transpose_rhs");
  if (op.operands[0][1 - m] != op.operands[1][1 - n])
    return wrongOperand(op, 1,
                        std::to_string(op.operands[0][1 - m]) + " to sum over");
  return expectResult(op, {op.operands[0][m], op.operands[1][n]});
}

Status checkBinary(const OpView &op) {
  const Shape &lhs = op.operands[0], &rhs = op.operands[1];
  if (rhs.size() > lhs.size() ||
      !std::equal(rhs.rbegin(), rhs.rend(), lhs.rbegin()))
    return wrongOperand(op, 1, "the last dimensions of " + shapeText(lhs));
  return expectResult(op, lhs);
}

/// The listed dimensions are within `rank` and increase.
Status checkDims(const std::vector<int64_t> &dims, size_t rank) {
  for (size_t i = 0; i < dims.size(); ++i)
    if (dims[i] < 0 || static_cast<size_t>(dims[i]) >= rank ||
        (i && dims[i] <= dims[i - 1]))
      return Status::invalidProgram()
             << "its dims are no increasing dimensions of rank " << rank;
  return Status::ok();
}

Status checkReduce(const OpView &op) {
  std::vector<int64_t> dims = op.integers("dims");
  DTC_RETURN_IF_ERROR(checkDims(dims, op.operands[0].size()));
  Shape kept;
  for (size_t dim = 0; dim < op.operands[0].size(); ++dim)
    if (std::find(dims.begin(), dims.end(), static_cast<int64_t>(dim)) ==
        dims.end())
      kept.push_back(op.operands[0][dim]);
  return expectResult(op, kept);
}

Status checkBroadcast(const OpView &op) {
  std::vector<int64_t> dims = op.integers("dims");
  DTC_RETURN_IF_ERROR(checkDims(dims, op.results[0].size()));
  if (dims.size() != op.operands[0].size())
    return wrongOperand(op, 0, "rank " + std::to_string(dims.size()));
  for (size_t i = 0; i < dims.size(); ++i)
    if (op.results[0][static_cast<size_t>(dims[i])] != op.operands[0][i])
      return wrongOperand(op, 0, "its dimensions in the result");
  return Status::ok();
}

Status checkTranspose(const OpView &op) {
  std::vector<int64_t> permutation = op.integers("permutation");
  std::vector<int64_t> sorted = permutation;
  std::sort(sorted.begin(), sorted.end());
  DTC_RETURN_IF_ERROR(checkDims(sorted, op.operands[0].size()));
  if (permutation.size() != op.operands[0].size())
    return wrongOperand(op, 0, "rank " + std::to_string(permutation.size()));
  Shape result;
  for (int64_t from : permutation)
    result.push_back(op.operands[0][static_cast<size_t>(from)]);
  return expectResult(op, result);
}

/// Operands but the first have the rows (all dimensions but the last) of it.
Status checkRows(const OpView &op, size_t count, bool isGradient) {
  const Shape &logits = op.operands[0];
  if (logits.empty())
    return wrongOperand(op, 0, "at least rank 1");
  Shape rows(logits.begin(), logits.end() - 1);
  for (size_t i = 1; i < count; ++i)
    if (op.operands[i] != rows)
      return wrongOperand(op, i, shapeText(rows));
  return expectResult(op, isGradient ? logits : rows);
}

/// A loss on rows: tensors of one shape, labels with its first dimensions, N
/// and the scale scalars.
Status checkLoss(const OpView &op) {
  size_t labels = op.operands.size() - 3;
  const Shape &first = op.operands[0], &rows = op.operands[labels];
  for (size_t i = 1; i < labels; ++i)
    if (op.operands[i] != first &&
        !isOneOf(op.kind(), {"cross_entropy_grad"}))
      return wrongOperand(op, i, shapeText(first));
  if (rows.size() > first.size() ||
      !std::equal(rows.begin(), rows.end(), first.begin()))
    return wrongOperand(op, labels, "the first dimensions of " +
                                        shapeText(first));
  for (size_t i = labels + 1; i < op.operands.size(); ++i)
    if (!op.operands[i].empty())
      return wrongOperand(op, i, "a scalar");
  if (op.kind() == "cross_entropy_grad")
    return checkRows(op, labels + 1, true);
  bool isGradient = isOneOf(op.kind(), {"squared_error_grad",
                                        "linear_loss_grad"});
  return expectResult(op, isGradient ? first : Shape());
}

Status checkUpdate(const OpView &op) {
  for (size_t index : updateTensors(op))
    if (op.operands[index] != op.operands[0])
      return wrongOperand(op, index, shapeText(op.operands[0]));
  for (size_t i = updateTensors(op).back() + 1; i < op.operands.size(); ++i)
    if (!op.operands[i].empty())
      return wrongOperand(op, i, "a scalar");
  for (const Shape &result : op.results)
    if (result != op.operands[0])
      return wrongResult(op, op.operands[0]);
  return Status::ok();
}

Status checkBox(const OpView &op) {
  if (op.results[0].size() != op.operands[0].size())
    return wrongOperand(op, 0, "the rank of the result");
  return Status::ok();
}

Status checkAllScalars(const OpView &op) {
  for (size_t i = 0; i < op.operands.size(); ++i)
    if (!op.operands[i].empty())
      return wrongOperand(op, i, "a scalar");
  return expectResult(op, {});
}

} // namespace

Status checkShapes(const OpView &op) {
  std::string kind = op.kind();
  if (kind == "matmul")
    return checkMatMul(op);
  if (isOneOf(kind, {"add", "sub", "mul"}))
    return checkBinary(op);
  if (isOneOf(kind, {"relu", "relu_grad", "cast", "sum", "dropout", "sqrt"})) {
    for (size_t i = 1; i < op.operands.size(); ++i)
      if (op.operands[i] != op.operands[0])
        return wrongOperand(op, i, shapeText(op.operands[0]));
    return expectResult(op, op.operands[0]);
  }
  if (kind == "reduce_sum")
    return checkReduce(op);
  if (kind == "broadcast")
    return checkBroadcast(op);
  if (kind == "transpose")
    return checkTranspose(op);
  if (isOneOf(kind, {"slice", "pad"}))
    return checkBox(op);
  if (kind == "reshape")
    return elementCount(op.operands[0]) == elementCount(op.results[0])
               ? Status::ok()
               : wrongOperand(op, 0, "the elements of the result");
  if (isOneOf(kind, {"row_max", "sum_exp", "pick"}))
    return checkRows(op, op.operands.size(), false);
  if (isOneOf(kind, {"cross_entropy", "cross_entropy_grad", "squared_error",
                     "squared_error_grad", "linear_loss", "linear_loss_grad"}))
    return checkLoss(op);
  if (isOneOf(kind, {"unscale", "sgd", "adamw"}))
    return checkUpdate(op);
  if (isOneOf(kind, {"nonfinite_bit", "sum_squares", "count_valid"}))
    return expectResult(op, {});
  if (kind == "count_correct") {
    for (size_t i = 1; i < op.operands.size(); ++i)
      if (op.operands[i] != op.operands[0])
        return wrongOperand(op, i, shapeText(op.operands[0]));
    return expectResult(op, {});
  }
  if (kind == "constant")
    return Status::ok();
  return checkAllScalars(op); // advance, clip_factor, empty_bit, or ...
}

} // namespace dtc::rt::check
