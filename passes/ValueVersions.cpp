//===- ValueVersions.cpp - A value in the layouts its uses need -----------===//
//
// A relayout costs communication or a copy, so it is made once for all that may
// share it: for the whole step where the result is kept anyway (a settled
// value, what a stage receives), within a phase where keeping it would cost
// memory.
//
//===----------------------------------------------------------------------===//

#include "passes/ValueVersions.h"

#include "passes/StepFunctions.h"

namespace mlir::dtc {

LayoutAttr withPadsOfChange(RankedTensorType type, LayoutAttr layout) {
  LayoutAttr from = getLayout(type);
  bool isInteger = type.getElementType().isInteger();
  SmallVector<PadKind> kinds;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    PadKind kind = from.padOf(dim);
    if (kind == PadKind::None)
      kind = isInteger ? PadKind::Fill : PadKind::Zero;
    kinds.push_back(kind);
  }
  return withPads(layout, getGlobalShape(type), kinds);
}

TypeAttr findReduceDtype(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (auto dtype = op->getAttrOfType<TypeAttr>("reduce_dtype"))
    return dtype;
  for (Value operand : op->getOperands())
    if (TypeAttr dtype = findReduceDtype(operand))
      return dtype;
  return {};
}

StringAttr getPhase(Operation *op) {
  return op->getAttrOfType<StringAttr>(kPhaseAttr);
}

bool isUpdate(Operation *op) {
  StringAttr phase = getPhase(op);
  return phase && phase == "update";
}

void describeAsValue(Operation *made, Value value, StringAttr phase) {
  if (Operation *op = value.getDefiningOp()) {
    for (StringRef name : {StringRef(kNameAttr), StringRef(kIdAttr)})
      if (Attribute attribute = op->getAttr(name))
        made->setAttr(name, attribute);
  } else if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
    if (auto name = function.getArgAttrOfType<StringAttr>(
            argument.getArgNumber(), "dtc.input"))
      made->setAttr(kNameAttr, name);
  }
  if (phase)
    made->setAttr(kPhaseAttr, phase);
}

void ValueVersions::define(Value value, ValueFacts known) {
  versions[value] = {{value, nullptr}};
  facts[value] = known;
}

const ValueFacts &ValueVersions::getFacts(Value value) const {
  auto found = facts.find(value);
  assert(found != facts.end() && "a value is used before it is laid out");
  return found->second;
}

Value ValueVersions::getBase(Value value) const {
  auto found = versions.find(value);
  return found == versions.end() ? value : found->second.front().value;
}

SmallVector<Value> ValueVersions::getUsable(Value value,
                                            Operation *user) const {
  SmallVector<Value> usable;
  StringAttr phase = getPhase(user);
  auto found = versions.find(value);
  assert(found != versions.end() && "a value is used before it is laid out");
  for (const Version &version : found->second)
    if (!version.phase || version.phase == phase)
      usable.push_back(version.value);
  return usable;
}

/// The relayout, and after it what enters partial values.
Value ValueVersions::makeChange(OpBuilder &builder, Value original, Value from,
                                LayoutAttr target, StringAttr phase) {
  auto type = cast<RankedTensorType>(from.getType());
  LayoutAttr layout = getLayout(type), middle = target;
  SmallVector<Attribute> entered;
  for (const MeshAxis &axis : target.getAxes()) {
    AxisState state = layout.on(axis.name);
    if (!axis.state.isPartial() || state.isPartial())
      continue;
    entered.push_back(axis.name);
    middle = middle.with(axis.name, state);
  }
  Location loc = from.getLoc();
  Value result = from;
  if (middle.getAxes() != layout.getAxes()) {
    Type to = withLayout(type, withPadsOfChange(type, middle));
    auto change = builder.create<RelayoutOp>(loc, to, from,
                                             getFacts(original).reduceDtype);
    describeAsValue(change, original, phase);
    result = change;
  }
  if (entered.empty())
    return result;
  type = cast<RankedTensorType>(result.getType());
  auto enter = builder.create<ToPartialOp>(
      loc, withLayout(type, withPadsOfChange(type, target)), result,
      builder.getArrayAttr(entered));
  describeAsValue(enter, original, phase);
  return enter;
}

Value ValueVersions::settle(Value value, LayoutAttr target) {
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(getBase(value));
  Operation *op = value.getDefiningOp();
  LayoutAttr from = getLayout(getBase(value));
  Value settled = makeChange(builder, value, getBase(value), target,
                             op ? getPhase(op) : StringAttr());
  versions[value] = {{settled, nullptr}};
  if (from.on(kAxisMb).isPartial() && !target.on(kAxisMb).isPartial())
    facts[value].isAfterLoop = true;
  return settled;
}

/// A direct send from the stage where the value is made.
FailureOr<Value> ValueVersions::moveToStages(Value value, uint64_t stages,
                                             Operation *user) {
  Value base = getBase(value);
  LayoutAttr layout = getLayout(base);
  if (llvm::popcount(stages) != 1)
    return user->emitOpError(getModelName(user))
           << ": an operand lies on " << layout.on(kAxisPp).str()
           << " of axis \"pp\", and is needed on "
           << AxisState::on(stages).str()
           << "; a value is sent to one stage at a time";
  LayoutAttr whole = layout;
  for (const MeshAxis &axis : layout.getAxes())
    if (axis.state.isPartial())
      whole = whole.with(axis.name, axis.name == kAxisPp
                                        ? AxisState::on(axis.state.stages)
                                        : AxisState::replicated());
  if (whole != layout)
    base = settle(value, whole);
  OpBuilder builder(user);
  Operation *op = value.getDefiningOp();
  Value moved = makeChange(builder, value, base,
                           whole.with(kAxisPp, AxisState::on(stages)),
                           op ? getPhase(op) : getPhase(user));
  versions[value].push_back({moved, nullptr});
  return moved;
}

FailureOr<Value> ValueVersions::fit(Value value, LayoutAttr target,
                                    Operation *user) {
  uint64_t stages = getStages(target);
  auto isThere = [&](LayoutAttr layout) {
    return layout.on(kAxisPp).kind == target.on(kAxisPp).kind &&
           (stages & ~getStages(layout)) == 0;
  };
  auto countChanges = [&](LayoutAttr layout) {
    int64_t changes = 0;
    for (const MeshAxis &axis : layout.getAxes())
      if (axis.name != kAxisPp && axis.state != target.on(axis.name))
        changes += axis.state.isReplicated() ? 1 : 4;
    return changes;
  };
  Value from;
  for (Value version : getUsable(value, user))
    if (isThere(getLayout(version)) &&
        (!from ||
         countChanges(getLayout(version)) < countChanges(getLayout(from))))
      from = version;
  bool entersPp = target.on(kAxisPp).isPartial() &&
                  getLayout(getBase(value)).on(kAxisPp).isOn();
  if (!from && entersPp)
    from = getBase(value);
  if (!from) {
    FailureOr<Value> moved = moveToStages(value, stages, user);
    if (failed(moved))
      return failure();
    from = *moved;
  }
  // The value stays on all stages that it is on.
  LayoutAttr layout = getLayout(from), to = target;
  if (!entersPp)
    to = to.with(kAxisPp, layout.on(kAxisPp));
  if (to.getAxes() == layout.getAxes())
    return from;
  bool isReduced = llvm::any_of(layout.getAxes(), [&](const MeshAxis &axis) {
    return axis.state.isPartial() && !to.on(axis.name).isPartial();
  });
  if (isReduced && from == getBase(value))
    return settle(value, to);

  OpBuilder builder(user);
  Value made = makeChange(builder, value, from, to, getPhase(user));
  bool isMicroBatch =
      getFacts(value).isInput &&
      to.with(kAxisMb, layout.on(kAxisMb)).getAxes() == layout.getAxes();
  versions[value].push_back(
      {made, isMicroBatch ? StringAttr() : getPhase(user)});
  return made;
}

} // namespace mlir::dtc
