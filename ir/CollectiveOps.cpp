//===- CollectiveOps.cpp - Constraints of changes of layout ---------------===//
//
// One global value lies in two ways. Each op says on which axes, from which
// state and to which; all else of the layouts is equal.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"
#include "ir/OpChecks.h"

namespace mlir::dtc {

/// C1: both types have a layout, on one mesh, and one global shape and element
/// type.
static LogicalResult verifySameValue(Operation *op) {
  Value input = op->getOperand(0), result = op->getResult(0);
  if (!getLayout(input) || !getLayout(result))
    return op->emitOpError("C1: ")
           << (getLayout(input) ? "result" : "input") << " has no layout";
  auto sameAxis = [](const MeshAxis &a, const MeshAxis &b) {
    return a.name == b.name && a.size == b.size;
  };
  if (!llvm::equal(getLayout(input).getAxes(), getLayout(result).getAxes(),
                   sameAxis))
    return op->emitOpError("C1: result lies as ")
           << getLayout(result) << ", on another mesh than "
           << getLayout(input);
  return expectTensor(op, 1, "result", result, getShapeOf(input),
                      getElementTypeOrSelf(input));
}

static InFlightDiagnostic emitState(Operation *op, unsigned c, StringRef what,
                                    StringRef axis, const AxisState &state) {
  return op->emitOpError("C") << c << ": " << what << " holds " << state.str()
                              << " on axis \"" << axis << "\", expected ";
}

/// The constraint `c`: on axes other than `axes` both lie alike.
static LogicalResult verifyOtherAxes(Operation *op, unsigned c,
                                     ArrayRef<StringRef> axes) {
  LayoutAttr to = getLayout(op->getResult(0));
  for (const MeshAxis &axis : getLayout(op->getOperand(0)).getAxes())
    if (!llvm::is_contained(axes, axis.name.getValue()) &&
        to.on(axis.name) != axis.state)
      return emitState(op, c, "result", axis.name, to.on(axis.name))
             << axis.state.str() << " as the input";
  return success();
}

static LogicalResult verifyAxisExists(Operation *op, StringRef axis) {
  if (getLayout(op->getOperand(0)).hasAxis(axis))
    return success();
  return op->emitOpError("C2: axis \"")
         << axis << "\" is not in " << getLayout(op->getOperand(0));
}

static FailureOr<SmallVector<StringRef>> getAxisNames(Operation *op,
                                                      ArrayAttr attribute) {
  SmallVector<StringRef> axes;
  for (auto name : attribute.getAsRange<StringAttr>()) {
    if (failed(verifyAxisExists(op, name)))
      return failure();
    axes.push_back(name);
  }
  SmallVector<StringRef> inMeshOrder;
  for (const MeshAxis &axis : getLayout(op->getOperand(0)).getAxes())
    if (llvm::is_contained(axes, axis.name.getValue()))
      inMeshOrder.push_back(axis.name);
  if (axes.empty() || axes != inMeshOrder)
    return op->emitOpError("C2: axes = ")
           << attribute << ", expected some of the mesh's, in its order";
  return axes;
}

/// True where `axis` is the innermost of those that split its dimension.
static bool isInnermost(LayoutAttr layout, StringRef axis) {
  int32_t dim = layout.on(axis).dim;
  StringRef last;
  for (const MeshAxis &other : layout.getAxes())
    if (other.state.isSplit(dim))
      last = other.name;
  return last == axis;
}

LogicalResult RelayoutOp::verify() { return verifySameValue(*this); }

LogicalResult ToPartialOp::verify() {
  if (failed(verifySameValue(*this)))
    return failure();
  FailureOr<SmallVector<StringRef>> axes = getAxisNames(*this, getAxes());
  if (failed(axes))
    return failure();
  LayoutAttr from = getLayout(getInput()), to = getLayout(getResult());
  for (StringRef axis : *axes) {
    // C3
    if (!from.on(axis).isReplicated() && !from.on(axis).isOn())
      return emitState(*this, 3, "input", axis, from.on(axis)) << "R";
    if (!to.on(axis).isPartial() || to.on(axis).stages != from.on(axis).stages)
      return emitState(*this, 3, "result", axis, to.on(axis))
             << "P(kind)" << (axis == kAxisPp ? " on the input's stages" : "");
  }
  return verifyOtherAxes(*this, 4, *axes); // C4
}

LogicalResult LocalSliceOp::verify() {
  if (failed(verifySameValue(*this)) ||
      failed(verifyAxisExists(*this, getAxis())))
    return failure();
  LayoutAttr from = getLayout(getInput()), to = getLayout(getResult());
  // C3
  if (!from.on(getAxis()).isReplicated())
    return emitState(*this, 3, "input", getAxis(), from.on(getAxis())) << "R";
  if (!to.on(getAxis()).isSplit() || !isInnermost(to, getAxis()))
    return emitState(*this, 3, "result", getAxis(), to.on(getAxis()))
           << "S(dim), innermost of its dimension";
  return verifyOtherAxes(*this, 4, {getAxis()}); // C4
}

//===-- Collectives
//---------------------------------------------------------===//

static SmallVector<StringRef> toStrings(ArrayAttr axes) {
  return llvm::map_to_vector(axes.getAsRange<StringAttr>(),
                             [](StringAttr name) { return name.getValue(); });
}

LogicalResult AllReduceOp::verify() {
  if (failed(verifySameValue(*this)))
    return failure();
  FailureOr<SmallVector<StringRef>> axes = getAxisNames(*this, getAxes());
  if (failed(axes))
    return failure();
  LayoutAttr from = getLayout(getInput()), to = getLayout(getResult());
  for (StringRef axis : *axes) {
    AxisState state = from.on(axis);
    // C3
    if (axis == kAxisMb)
      return emitOpError("C3: axis \"mb\" is time, whose reduction is "
                         "dtc.accumulate");
    if (!state.isPartial() || state.reduction != getKind())
      return emitState(*this, 3, "input", axis, state)
             << AxisState::partial(getKind()).str();
    // C4
    AxisState whole =
        axis == kAxisPp ? AxisState::on(state.stages) : AxisState::replicated();
    if (to.on(axis) != whole)
      return emitState(*this, 4, "result", axis, to.on(axis)) << whole.str();
  }
  return verifyOtherAxes(*this, 4, *axes);
}

SmallVector<StringRef> AllReduceOp::getGroupAxes() {
  return toStrings(getAxes());
}

LogicalResult ReduceScatterOp::verify() {
  if (failed(verifySameValue(*this)) ||
      failed(verifyAxisExists(*this, getAxis())))
    return failure();
  LayoutAttr from = getLayout(getInput()), to = getLayout(getResult());
  // C3
  if (from.on(getAxis()) != AxisState::partial(ReductionKind::Sum))
    return emitState(*this, 3, "input", getAxis(), from.on(getAxis()))
           << "P(sum)";
  // C4
  if (!to.on(getAxis()).isSplit(0) || !isInnermost(to, getAxis()))
    return emitState(*this, 4, "result", getAxis(), to.on(getAxis()))
           << "S(0), innermost of its dimension";
  return verifyOtherAxes(*this, 4, {getAxis()});
}

SmallVector<StringRef> ReduceScatterOp::getGroupAxes() { return {getAxis()}; }

LogicalResult AllGatherOp::verify() {
  if (failed(verifySameValue(*this)) ||
      failed(verifyAxisExists(*this, getAxis())))
    return failure();
  LayoutAttr from = getLayout(getInput()), to = getLayout(getResult());
  // C3
  if (!from.on(getAxis()).isSplit() || !isInnermost(from, getAxis()))
    return emitState(*this, 3, "input", getAxis(), from.on(getAxis()))
           << "S(dim), innermost of its dimension";
  // C4
  if (!to.on(getAxis()).isReplicated())
    return emitState(*this, 4, "result", getAxis(), to.on(getAxis())) << "R";
  return verifyOtherAxes(*this, 4, {getAxis()});
}

SmallVector<StringRef> AllGatherOp::getGroupAxes() { return {getAxis()}; }

LogicalResult AccumulateOp::verify() {
  if (failed(verifySameValue(*this)) ||
      failed(verifyAxisExists(*this, kAxisMb)))
    return failure();
  LayoutAttr from = getLayout(getInput()), to = getLayout(getResult());
  // C3
  if (from.on(kAxisMb) != AxisState::partial(ReductionKind::Sum))
    return emitState(*this, 3, "input", kAxisMb, from.on(kAxisMb)) << "P(sum)";
  // C4
  if (!to.on(kAxisMb).isReplicated())
    return emitState(*this, 4, "result", kAxisMb, to.on(kAxisMb)) << "R";
  return verifyOtherAxes(*this, 4, {StringRef(kAxisMb)});
}

SmallVector<StringRef> AccumulateOp::getGroupAxes() {
  return {StringRef(kAxisMb)};
}

LogicalResult SendRecvOp::verify() {
  if (failed(verifySameValue(*this)) ||
      failed(verifyAxisExists(*this, kAxisPp)))
    return failure();
  LayoutAttr from = getLayout(getInput()), to = getLayout(getResult());
  int64_t source = getSource(), destination = getDestination();
  auto stage = [](int64_t k) {
    return AxisState::on(k >= 0 && k < 64 ? uint64_t(1) << k : 0);
  };
  // C3
  if (!from.on(kAxisPp).isOn() ||
      !(from.on(kAxisPp).stages & stage(source).stages))
    return emitState(*this, 3, "input", kAxisPp, from.on(kAxisPp))
           << stage(source).str() << ", the source " << source;
  // C4
  if (to.on(kAxisPp) != stage(destination) || source == destination)
    return emitState(*this, 4, "result", kAxisPp, to.on(kAxisPp))
           << stage(destination).str() << ", the destination " << destination
           << ", another stage than the source " << source;
  // C5
  for (const MeshAxis &axis : from.getAxes())
    if (axis.name != kAxisPp && axis.state.isPartial())
      return emitState(*this, 5, "input", axis.name, axis.state)
             << "R or S(dim): a partial value settles before it is sent";
  return verifyOtherAxes(*this, 4, {StringRef(kAxisPp)});
}

SmallVector<StringRef> SendRecvOp::getGroupAxes() {
  return {StringRef(kAxisPp)};
}

} // namespace mlir::dtc
