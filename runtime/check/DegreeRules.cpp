//===- DegreeRules.cpp - Powers of the loss scale and of 1/N --------------===//
//
// Both enter at the loss and nowhere else: its value has degree (0, 1), its
// gradient (1, 1). unscale takes the scale out again. The update wants (0, 1).
//
//===----------------------------------------------------------------------===//

#include "runtime/check/OpKinds.h"

namespace dtc::rt::check {
namespace {

Status wrong(const OpView &op, size_t operand, Degree found, Degree expected) {
  return Status::invalidProgram()
         << op.label(operand) << " has degree " << found.str()
         << " in (scale, 1/N), expected " << expected.str();
}

DegreeList give(const OpView &op, Degree degree) {
  return DegreeList(op.results.size(), degree);
}

/// All operands as `expected` says, in order.
Status expect(const OpView &op, const DegreeList &found,
              const DegreeList &expected) {
  for (size_t i = 0; i < found.size(); ++i)
    if (!(found[i] == expected[i]))
      return wrong(op, i, found[i], expected[i]);
  return Status::ok();
}

/// The scale is the last operand of a loss, the only one with a degree.
DegreeResult giveLoss(const OpView &op, const DegreeList &operands,
                      Degree degree) {
  DegreeList expected(operands.size());
  expected.back() = {1, 0};
  DTC_RETURN_IF_ERROR(expect(op, operands, expected));
  return give(op, degree);
}

} // namespace

DegreeResult productDegrees(const OpView &op, const DegreeList &operands) {
  Degree sum;
  for (Degree operand : operands)
    sum = {sum.scale + operand.scale, sum.count + operand.count};
  return give(op, sum);
}

DegreeResult equalDegrees(const OpView &op, const DegreeList &operands) {
  DTC_RETURN_IF_ERROR(
      expect(op, operands, DegreeList(operands.size(), operands[0])));
  return give(op, operands[0]);
}

DegreeResult passedDegrees(const OpView &op, const DegreeList &operands) {
  return give(op, operands[0]);
}

DegreeResult plainDegrees(const OpView &op, const DegreeList &operands) {
  DTC_RETURN_IF_ERROR(expect(op, operands, DegreeList(operands.size())));
  return give(op, {});
}

/// Bits are judged, not computed with.
DegreeResult freeDegrees(const OpView &op, const DegreeList &) {
  return give(op, {});
}

DegreeResult lossDegrees(const OpView &op, const DegreeList &operands) {
  return giveLoss(op, operands, {0, 1});
}

DegreeResult lossGradDegrees(const OpView &op, const DegreeList &operands) {
  return giveLoss(op, operands, {1, 1});
}

DegreeResult unscaleDegrees(const OpView &op, const DegreeList &operands) {
  if (!(operands[1] == Degree{1, 0}))
    return wrong(op, 1, operands[1], {1, 0});
  return give(op, {operands[0].scale - 1, operands[0].count});
}

DegreeResult squareDegrees(const OpView &op, const DegreeList &operands) {
  return give(op, {2 * operands[0].scale, 2 * operands[0].count});
}

DegreeResult rootDegrees(const OpView &op, const DegreeList &operands) {
  if (operands[0].scale % 2 || operands[0].count % 2)
    return Status::invalidProgram()
           << op.label(0) << " has degree " << operands[0].str()
           << " in (scale, 1/N), expected even ones, whose root is one";
  return give(op, {operands[0].scale / 2, operands[0].count / 2});
}

DegreeResult clipDegrees(const OpView &op, const DegreeList &operands) {
  DTC_RETURN_IF_ERROR(expect(op, operands, {{0, 2}}));
  return give(op, {});
}

DegreeResult updateDegrees(const OpView &op, const DegreeList &operands) {
  DegreeList expected(operands.size());
  expected[updateTensors(op).back()] = {0, 1}; // the gradient
  DTC_RETURN_IF_ERROR(expect(op, operands, expected));
  return give(op, {});
}

DegreeResult advanceDegrees(const OpView &op, const DegreeList &operands) {
  DTC_RETURN_IF_ERROR(expect(op, operands, {{}, {1, 0}, {}, {}}));
  return DegreeList{{}, {1, 0}, {}};
}

} // namespace dtc::rt::check
