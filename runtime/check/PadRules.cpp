//===- PadRules.cpp - What the pads of an op's results hold ---------------===//
//
// Pads that a sum runs over have to be zero, and rows without a sample have to
// be known by their label. What is not shown to be zero is any.
//
//===----------------------------------------------------------------------===//

#include "runtime/check/OpKinds.h"

#include <algorithm>

namespace dtc::rt::check {
namespace {

bool isZero(PadKind kind) { return kind == PadKind::Zero; }
bool isGarbage(PadKind kind) {
  return kind == PadKind::Any || kind == PadKind::Fill;
}
PadKind zeroIf(bool condition) {
  return condition ? PadKind::Zero : PadKind::Any;
}

Status needsZero(const OpView &op, size_t operand, size_t dim, PadKind found) {
  return Status::invalidProgram()
         << op.label(operand) << " has pads "
         << program::EnumNamePadKind(found) << " in dimension " << dim
         << ", expected Zero: the op sums over them";
}

Pads allOf(const Shape &shape, PadKind kind) {
  return Pads(shape.size(), kind);
}

} // namespace

PadResult matMulPads(const OpView &op, const PadList &operands) {
  size_t m = op.hasFlag("transpose_lhs"), n = !op.hasFlag("transpose_rhs");
  PadKind left = operands[0][1 - m], right = operands[1][1 - n];
  // One zero factor is enough, since pads are finite.
  if (isGarbage(left) && !isZero(right))
    return needsZero(op, 0, 1 - m, left);
  if (isGarbage(right) && !isZero(left))
    return needsZero(op, 1, 1 - n, right);
  return PadList{{zeroIf(isZero(operands[0][m])),
                  zeroIf(isZero(operands[1][n]))}};
}

/// A sum is zero where all its operands are; one that is broadcast has its
/// values in the pads of the dimensions that it lacks.
PadResult sumPads(const OpView &op, const PadList &operands) {
  Pads pads;
  for (size_t dim = 0; dim < op.results[0].size(); ++dim) {
    bool zero = true;
    for (const Pads &operand : operands) {
      size_t lacking = operands[0].size() - operand.size();
      zero &= dim >= lacking && isZero(operand[dim - lacking]);
    }
    pads.push_back(zeroIf(zero));
  }
  return PadList{pads};
}

PadResult productPads(const OpView &op, const PadList &operands) {
  Pads pads;
  for (size_t dim = 0; dim < op.results[0].size(); ++dim) {
    bool zero = false;
    for (const Pads &operand : operands) {
      size_t lacking = operands[0].size() - operand.size();
      zero |= dim >= lacking && isZero(operand[dim - lacking]);
    }
    pads.push_back(zeroIf(zero));
  }
  return PadList{pads};
}

PadResult keptPads(const OpView &, const PadList &operands) {
  Pads pads;
  for (PadKind kind : operands[0])
    pads.push_back(zeroIf(isZero(kind)));
  return PadList{pads};
}

PadResult eitherZeroPads(const OpView &op, const PadList &operands) {
  return productPads(op, operands);
}

PadResult reducePads(const OpView &op, const PadList &operands) {
  std::vector<int64_t> summed = op.integers("dims");
  Pads pads;
  for (size_t dim = 0; dim < operands[0].size(); ++dim) {
    bool isSummed = std::find(summed.begin(), summed.end(),
                              static_cast<int64_t>(dim)) != summed.end();
    if (isSummed && isGarbage(operands[0][dim]))
      return needsZero(op, 0, dim, operands[0][dim]);
    if (!isSummed)
      pads.push_back(zeroIf(isZero(operands[0][dim])));
  }
  return PadList{pads};
}

PadResult broadcastPads(const OpView &op, const PadList &operands) {
  Pads pads = allOf(op.results[0], PadKind::Any);
  std::vector<int64_t> dims = op.integers("dims");
  for (size_t from = 0; from < std::min(dims.size(), operands[0].size());
       ++from)
    if (static_cast<size_t>(dims[from]) < pads.size())
      pads[static_cast<size_t>(dims[from])] = zeroIf(isZero(operands[0][from]));
  return PadList{pads};
}

PadResult reshapePads(const OpView &op, const PadList &operands) {
  Pads pads = allOf(op.results[0], PadKind::Any);
  for (auto [from, to] : keptDims(op.operands[0], op.results[0]))
    pads[static_cast<size_t>(to)] = operands[0][static_cast<size_t>(from)];
  return PadList{pads};
}

PadResult transposePads(const OpView &op, const PadList &operands) {
  Pads pads;
  for (int64_t from : op.integers("permutation"))
    if (static_cast<size_t>(from) < operands[0].size())
      pads.push_back(operands[0][static_cast<size_t>(from)]);
  return PadList{pads};
}

PadResult noPads(const OpView &op, const PadList &) {
  PadList pads;
  for (const Shape &shape : op.results)
    pads.push_back(allOf(shape, PadKind::Any));
  return pads;
}

PadResult anyPads(const OpView &op, const PadList &operands) {
  return noPads(op, operands);
}

/// The operand named labels has the input's fill value in its pads.
static Status checkLabels(const OpView &op, const PadList &operands) {
  for (size_t i = 0; i < operands.size(); ++i)
    if (operandName(*op.table, i) == "operand labels")
      for (size_t dim = 0; dim < operands[i].size(); ++dim)
        if (operands[i][dim] == PadKind::Zero ||
            operands[i][dim] == PadKind::Any)
          return Status::invalidProgram()
                 << "operand labels has pads "
                 << program::EnumNamePadKind(operands[i][dim])
                 << " in dimension " << dim
                 << ", expected Fill: rows without a sample are known by it";
  return Status::ok();
}

PadResult labelledPads(const OpView &op, const PadList &operands) {
  DTC_RETURN_IF_ERROR(checkLabels(op, operands));
  return noPads(op, operands);
}

/// A loss's gradient: zero in rows without a sample and in pad classes.
PadResult maskedPads(const OpView &op, const PadList &operands) {
  DTC_RETURN_IF_ERROR(checkLabels(op, operands));
  return PadList{allOf(op.results[0], PadKind::Zero)};
}

PadResult summedPads(const OpView &op, const PadList &operands) {
  for (size_t dim = 0; dim < operands[0].size(); ++dim)
    if (isGarbage(operands[0][dim]))
      return needsZero(op, 0, dim, operands[0][dim]);
  return noPads(op, operands);
}

/// Zero gradient, zero state and zero value stay zero.
PadResult updatePads(const OpView &op, const PadList &operands) {
  Pads pads;
  for (size_t dim = 0; dim < op.results[0].size(); ++dim) {
    bool zero = true;
    for (size_t index : updateTensors(op))
      zero &= isZero(operands[index][dim]);
    pads.push_back(zeroIf(zero));
  }
  return PadList(op.results.size(), pads);
}

} // namespace dtc::rt::check
