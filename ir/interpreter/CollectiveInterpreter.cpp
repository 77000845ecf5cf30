//===- CollectiveInterpreter.cpp - Meaning of changes of layout -----------===//
//
// What each member of a group has after a collective. Blocks are placed by
// where they begin in the global tensor, so uneven shares, nested axes and
// cropped pads need no case of their own.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"
#include "ir/interpreter/HostTensor.h"

#include <cmath>

namespace mlir::dtc {

using Operands = ArrayRef<const HostTensor *>;
using Results = SmallVectorImpl<HostTensor>;
using Members = ArrayRef<const PlaceContext *>;

/// The part of `input` (of type `from`) that this place holds under `to`, both
/// R or S on every axis that differs. What `input` lacks is zero; pads that
/// hold something else are set from the layout.
static HostTensor takeBlock(const PlaceContext &context,
                            const HostTensor &input, Type from, Type to) {
  SmallVector<Extent> inputExtents = context.getExtents(from);
  SmallVector<Extent> extents = context.getExtents(to);
  HostTensor block(getPlaceShape(to));
  block.fill = input.fill;
  forEachIndex(block.shape, [&](ArrayRef<int64_t> index, int64_t linear) {
    SmallVector<int64_t> at(index);
    for (size_t dim = 0; dim < at.size(); ++dim) {
      at[dim] += extents[dim].start - inputExtents[dim].start;
      if (at[dim] >= input.shape[dim])
        return;
    }
    block[linear] = input[linearize(at, input.shape)];
  });
  return block;
}

static double reduce(ReductionKind kind, double a, double b) {
  switch (kind) {
  case ReductionKind::Sum:
    return a + b;
  case ReductionKind::Max:
    return std::isnan(a) || a > b ? a : b;
  case ReductionKind::Or:
    return static_cast<double>(static_cast<int64_t>(a) |
                               static_cast<int64_t>(b));
  }
  llvm_unreachable("all kinds of reductions are listed");
}

/// Reduces what the members hold, in their order, so that all get equal bits.
static FailureOr<HostTensor> reduceAll(Operation *op, ReductionKind kind,
                                       Operands inputs) {
  HostTensor total;
  bool isFirst = true;
  for (const HostTensor *input : inputs) {
    if (!input)
      continue;
    if (isFirst) {
      total = *input;
      isFirst = false;
      continue;
    }
    for (int64_t i = 0; i < total.getElementCount(); ++i)
      total[i] = reduce(kind, total[i], (*input)[i]);
  }
  if (isFirst)
    return op->emitOpError("no member of the group holds the operand");
  return total;
}

//===-- Without communication
//-----------------------------------------------===//

LogicalResult ToPartialOp::interpret(const PlaceContext &context,
                                     Operands operands, Results &results) {
  HostTensor result = *operands[0];
  LayoutAttr layout = getLayout(getResult().getType());
  for (StringAttr axis : getAxes().getAsRange<StringAttr>()) {
    if (layout.on(axis).reduction != ReductionKind::Sum)
      continue; // max and or are idempotent: the value itself everywhere
    int64_t coordinate = context.getCoordinate(layout, axis);
    // Over pp the first stage of the set holds it.
    int64_t owner =
        axis == kAxisPp ? llvm::countr_zero(layout.on(axis).stages) : 0;
    if (coordinate != owner)
      std::fill(result.elements.begin(), result.elements.end(), 0.0);
  }
  results.push_back(std::move(result));
  return success();
}

LogicalResult LocalSliceOp::interpret(const PlaceContext &context,
                                      Operands operands, Results &results) {
  results.push_back(takeBlock(context, *operands[0], getInput().getType(),
                              getResult().getType()));
  return success();
}

//===-- Collectives
//---------------------------------------------------------===//

LogicalResult AllReduceOp::combine(Members, Operands inputs,
                                   MutableArrayRef<HostTensor> outputs) {
  FailureOr<HostTensor> total = reduceAll(*this, getKind(), inputs);
  if (failed(total))
    return failure();
  for (HostTensor &output : outputs)
    output = *total;
  return success();
}

LogicalResult AccumulateOp::combine(Members, Operands inputs,
                                    MutableArrayRef<HostTensor> outputs) {
  FailureOr<HostTensor> total = reduceAll(*this, ReductionKind::Sum, inputs);
  if (failed(total))
    return failure();
  for (HostTensor &output : outputs)
    output = *total;
  return success();
}

LogicalResult ReduceScatterOp::combine(Members members, Operands inputs,
                                       MutableArrayRef<HostTensor> outputs) {
  FailureOr<HostTensor> total = reduceAll(*this, ReductionKind::Sum, inputs);
  if (failed(total))
    return failure();
  for (auto [member, output] : llvm::zip_equal(members, outputs))
    output =
        takeBlock(*member, *total, getInput().getType(), getResult().getType());
  return success();
}

LogicalResult AllGatherOp::combine(Members members, Operands inputs,
                                   MutableArrayRef<HostTensor> outputs) {
  Type from = getInput().getType(), to = getResult().getType();
  SmallVector<Extent> whole = members.front()->getExtents(to);
  HostTensor gathered = makeHostTensor(to);
  for (auto [member, input] : llvm::zip_equal(members, inputs)) {
    if (!input)
      return emitOpError("a member of the group does not hold the operand");
    const HostTensor &part = *input;
    gathered.fill = part.fill;
    SmallVector<Extent> extents = member->getExtents(from);
    forEachIndex(part.shape, [&](ArrayRef<int64_t> index, int64_t linear) {
      SmallVector<int64_t> at(index);
      for (size_t dim = 0; dim < at.size(); ++dim)
        at[dim] += extents[dim].start - whole[dim].start;
      if (isElement(index, extents))
        gathered[linearize(at, gathered.shape)] = part[linear];
    });
  }
  for (HostTensor &output : outputs)
    output = gathered;
  return success();
}

LogicalResult SendRecvOp::combine(Members members, Operands inputs,
                                  MutableArrayRef<HostTensor> outputs) {
  LayoutAttr layout = getLayout(getInput().getType());
  const HostTensor *sent = nullptr;
  for (auto [member, input] : llvm::zip_equal(members, inputs))
    if (member->getCoordinate(layout, kAxisPp) ==
        static_cast<int64_t>(getSource()))
      sent = input;
  if (!sent)
    return emitOpError("stage ") << getSource() << " does not hold the operand";
  for (auto [member, output] : llvm::zip_equal(members, outputs))
    if (member->getCoordinate(layout, kAxisPp) ==
        static_cast<int64_t>(getDestination()))
      output = *sent;
  return success();
}

} // namespace mlir::dtc
