//===- Lockstep.cpp - A function on all places at once --------------------===//
//
// Every op runs on all places before the next one does, so collectives need no
// waiting and replicas can be compared after each op. `mb` is an axis of places
// here, not time.
//
//===----------------------------------------------------------------------===//

#include "ir/interpreter/SimulatedRanks.h"

#include "ir/DtcOps.h"

namespace mlir::dtc {
namespace {

class Lockstep {
public:
  Lockstep(const Mesh &mesh, Interpreter &interpreter, VariableStore &variables,
           const PlaceContext &prototype, StepTrace &trace)
      : mesh(mesh), interpreter(interpreter), variables(variables),
        prototype(prototype), trace(trace) {}

  LogicalResult run(func::FuncOp function, InputLookup inputs);

private:
  LogicalResult runOp(Operation *op);
  LogicalResult runRead(ReadOp op);
  LogicalResult runStore(StoreOp op);
  LogicalResult runReport(ReportOp op);
  LogicalResult runReturn(func::ReturnOp op);
  LogicalResult runRelayout(RelayoutOp op);
  LogicalResult runCollective(Collective op);
  LogicalResult runPlaces(Operation *op);
  /// Checks replicas, records, and remembers the parts of a result.
  LogicalResult keep(OpResult result, Parts parts);

  PlaceContext at(Operation *op, size_t place) const;
  /// Places that agree on all axes but `axes`, in mesh order.
  std::vector<SmallVector<size_t>> getGroups(ArrayRef<bool> axes) const;

  const Mesh &mesh;
  Interpreter &interpreter;
  VariableStore &variables;
  PlaceContext prototype;
  StepTrace &trace;
  llvm::DenseMap<Value, Parts> values;
};

PlaceContext Lockstep::at(Operation *op, size_t place) const {
  PlaceContext context = prototype;
  context.op = op;
  context.coordinates = mesh.getPlace(place);
  return context;
}

std::vector<SmallVector<size_t>>
Lockstep::getGroups(ArrayRef<bool> axes) const {
  std::map<size_t, SmallVector<size_t>> groups; // by the member at coordinate 0
  for (size_t place = 0; place < mesh.getPlaceCount(); ++place) {
    size_t first = place;
    for (size_t axis = 0; axis < axes.size(); ++axis)
      if (axes[axis])
        first = mesh.withCoordinate(first, axis, 0);
    groups[first].push_back(place);
  }
  std::vector<SmallVector<size_t>> inOrder;
  for (auto &[first, members] : groups)
    inOrder.push_back(std::move(members));
  return inOrder;
}

LogicalResult Lockstep::keep(OpResult result, Parts parts) {
  Operation *op = result.getOwner();
  std::string what = "result " + std::to_string(result.getResultNumber());
  if (failed(checkReplicas(op, what, result.getType(), mesh, parts)))
    return failure();
  for (size_t place = 0; place < parts.size(); ++place)
    if (parts[place])
      trace.record(result, place, parts.size(), *parts[place]);
  values[result] = std::move(parts);
  return success();
}

//===-- Variables, reports, results
//-----------------------------------------===//

LogicalResult Lockstep::runRead(ReadOp op) {
  Parts parts(mesh.getPlaceCount());
  for (size_t place = 0; place < parts.size(); ++place) {
    if (!isHeldAt(op.getType(), mesh.getPlace(place)))
      continue;
    FailureOr<HostTensor> value =
        variables.read(op, op.getVariable(), mesh.getRank(place));
    if (failed(value) ||
        failed(interpreter.finish(cast<OpResult>(op.getResult()), at(op, place),
                                  *value)))
      return failure();
    parts[place] = std::move(*value);
  }
  return keep(cast<OpResult>(op.getResult()), std::move(parts));
}

LogicalResult Lockstep::runStore(StoreOp op) {
  const Parts &parts = values[op.getValue()];
  for (size_t rank = 0; rank < mesh.getRankCount(); ++rank)
    if (const std::optional<HostTensor> &part = parts[mesh.getPlaceOf(rank, 0)])
      if (failed(variables.store(op, op.getVariable(), rank, *part)))
        return failure();
  return success();
}

LogicalResult Lockstep::runReport(ReportOp op) {
  for (const std::optional<HostTensor> &part : values[op.getValue()])
    if (part && failed(trace.report(op, op.getMetric(), (*part)[0])))
      return failure();
  return success();
}

LogicalResult Lockstep::runReturn(func::ReturnOp op) {
  for (Value value : op.getOperands()) {
    const Parts &parts = values[value];
    FailureOr<HostTensor> whole = assembleAll(op, value.getType(), mesh, parts);
    if (failed(whole))
      return failure();
    trace.results.push_back(std::move(*whole));
    trace.resultParts.push_back(
        {op, cast<RankedTensorType>(value.getType()), parts});
  }
  return success();
}

//===-- Ops
//-----------------------------------------------------------------===//

LogicalResult Lockstep::runRelayout(RelayoutOp op) {
  LayoutAttr from = getLayout(op.getInput()), to = getLayout(op.getResult());
  if (!from || !to)
    return op.emitOpError("changes a layout, but a type has none");
  SmallVector<bool> changes;
  for (auto [a, b] : llvm::zip_equal(from.getAxes(), to.getAxes()))
    changes.push_back(a.state != b.state);

  const Parts &inputs = values[op.getInput()];
  Parts parts(mesh.getPlaceCount());
  for (const SmallVector<size_t> &group : getGroups(changes)) {
    SmallVector<Coordinates> places;
    SmallVector<const HostTensor *> held;
    for (size_t place : group) {
      places.push_back(mesh.getPlace(place));
      held.push_back(inputs[place] ? &*inputs[place] : nullptr);
    }
    FailureOr<HostTensor> whole =
        assemble(op, op.getInput().getType(), places, held, changes);
    if (failed(whole))
      return failure();
    for (size_t place : group) {
      if (!isHeldAt(op.getType(), mesh.getPlace(place)))
        continue;
      HostTensor part = distribute(*whole, op.getType(), mesh.getPlace(place));
      for (auto [i, axis] : llvm::enumerate(to.getAxes()))
        if (changes[i] && axis.state.isPartial() &&
            axis.state.reduction == ReductionKind::Sum &&
            mesh.getPlace(place)[i] != getFirstHolder(axis))
          part = HostTensor(part.shape);
      if (failed(interpreter.finish(cast<OpResult>(op.getResult()),
                                    at(op, place), part, whole->fill)))
        return failure();
      parts[place] = std::move(part);
    }
  }
  return keep(cast<OpResult>(op.getResult()), std::move(parts));
}

LogicalResult Lockstep::runCollective(Collective op) {
  Value input = op->getOperand(0);
  auto result = cast<OpResult>(op->getResult(0));
  SmallVector<bool> axes(mesh.getAxes().size(), false);
  for (StringRef name : op.getGroupAxes()) {
    std::optional<size_t> axis = mesh.getAxis(name);
    if (!axis)
      return op->emitOpError("is over axis ") << name << ", not in the mesh";
    axes[*axis] = true;
  }

  const Parts &inputs = values[input];
  Parts parts(mesh.getPlaceCount());
  for (const SmallVector<size_t> &group : getGroups(axes)) {
    SmallVector<PlaceContext> contexts;
    SmallVector<const HostTensor *> held;
    double fill = 0;
    for (size_t place : group) {
      contexts.push_back(at(op, place));
      held.push_back(inputs[place] ? &*inputs[place] : nullptr);
      fill = held.back() ? held.back()->fill : fill;
    }
    if (llvm::all_of(held, [](const HostTensor *part) { return !part; }))
      continue; // a group of another stage
    SmallVector<const PlaceContext *> members;
    for (const PlaceContext &context : contexts)
      members.push_back(&context);
    SmallVector<HostTensor> outputs(group.size());
    if (failed(op.combine(members, held, outputs)))
      return failure();
    for (auto [i, place] : llvm::enumerate(group)) {
      if (!isHeldAt(result.getType(), mesh.getPlace(place)))
        continue;
      if (failed(interpreter.finish(result, contexts[i], outputs[i], fill)))
        return failure();
      parts[place] = std::move(outputs[i]);
    }
  }
  return keep(result, std::move(parts));
}

LogicalResult Lockstep::runPlaces(Operation *op) {
  auto distributable = dyn_cast<Distributable>(op);
  bool joinsStages = distributable && distributable.joinsStages();
  SmallVector<Parts> parts(op->getNumResults(), Parts(mesh.getPlaceCount()));
  for (size_t place = 0; place < mesh.getPlaceCount(); ++place) {
    if (!isHeldAt(op->getResult(0).getType(), mesh.getPlace(place)))
      continue;
    SmallVector<const HostTensor *> operands;
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      const std::optional<HostTensor> &part = values[operand][place];
      if (part)
        operands.push_back(&*part);
      else if (!joinsStages) // else a term of another stage
        return op->emitOpError("operand ")
               << i << " is not held at " << mesh.describe(mesh.getPlace(place))
               << ", where the result is";
    }
    if (joinsStages && operands.empty())
      return op->emitOpError("no operand is held at ")
             << mesh.describe(mesh.getPlace(place)) << ", where the result is";
    SmallVector<HostTensor> results;
    if (failed(interpreter.run(op, at(op, place), operands, results)))
      return failure();
    for (auto [i, result] : llvm::enumerate(results))
      parts[i][place] = std::move(result);
  }
  for (auto [result, ofResult] : llvm::zip_equal(op->getResults(), parts))
    if (failed(keep(cast<OpResult>(result), std::move(ofResult))))
      return failure();
  return success();
}

LogicalResult Lockstep::runOp(Operation *op) {
  for (Value operand : op->getOperands())
    if (!values.count(operand))
      return op->emitOpError("reads a value that no op of the function made");
  if (auto read = dyn_cast<ReadOp>(op))
    return runRead(read);
  if (auto store = dyn_cast<StoreOp>(op))
    return runStore(store);
  if (auto report = dyn_cast<ReportOp>(op))
    return runReport(report);
  if (auto end = dyn_cast<func::ReturnOp>(op))
    return runReturn(end);
  if (auto relayout = dyn_cast<RelayoutOp>(op))
    return runRelayout(relayout);
  if (auto collective = dyn_cast<Collective>(op))
    return runCollective(collective);
  if (Interpreter::canRun(op))
    return runPlaces(op);
  return op->emitOpError("has no meaning in a step; expected graph ops, "
                         "changes of layout, read, store and report");
}

LogicalResult Lockstep::run(func::FuncOp function, InputLookup inputs) {
  for (BlockArgument argument : function.getArguments()) {
    StringAttr name = function.getArgAttrOfType<StringAttr>(
        argument.getArgNumber(), kInputNameAttr);
    FailureOr<HostTensor> global =
        inputs(function, name ? name.getValue().str()
                              : getArgumentName(argument.getArgNumber()));
    if (failed(global))
      return failure();
    Parts parts(mesh.getPlaceCount());
    for (size_t place = 0; place < parts.size(); ++place)
      if (isHeldAt(argument.getType(), mesh.getPlace(place)))
        parts[place] = distributeAddends(*global, argument.getType(),
                                         mesh.getPlace(place));
    values[argument] = std::move(parts);
  }
  for (Operation &op : function.getBody().front())
    if (failed(runOp(&op)))
      return failure();
  return variables.commit();
}

} // namespace

LogicalResult runLockstep(func::FuncOp function, const Mesh &mesh,
                          Interpreter &interpreter, VariableStore &variables,
                          InputLookup inputs, PlaceContext prototype,
                          StepTrace &trace) {
  return Lockstep(mesh, interpreter, variables, prototype, trace)
      .run(function, inputs);
}

} // namespace mlir::dtc
