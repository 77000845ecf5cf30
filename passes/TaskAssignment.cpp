//===- TaskAssignment.cpp - Which task of a stage an op belongs to --------===//
//
// Four steps over one stage's ops. What varies over time is the loop; its
// backward part is cut by what the neighbour waits for; what the loop reads but
// does not vary is the prologue; the rest can wait for the epilogue, and does,
// so that static values are kept only where the loop needs them.
//
//===----------------------------------------------------------------------===//

#include "passes/TaskAssignment.h"

#include "passes/StepFunctions.h"

namespace mlir::dtc {
namespace {

/// True for a value of the forward phase, wherever it was made: what a batch
/// or a forward op gives, seen through views and sends.
bool isForwardValue(Value value) {
  Operation *def = value.getDefiningOp();
  if (!def)
    return true;
  if (TaskAssignment::isFree(def) || isa<SendRecvOp>(def))
    return def->getNumOperands() == 0 || isForwardValue(def->getOperand(0));
  return isForward(def);
}

bool isOnStage(Value value, int64_t stage) {
  LayoutAttr layout = getLayout(value);
  return layout && (getStages(layout) >> stage & 1);
}

/// Refuses an op that would run before what it reads.
LogicalResult verifyOrder(Operation *op, TaskKind task,
                          std::optional<TaskKind> source, Value operand) {
  if (!source || *source <= task || *source == TaskKind::Epilogue)
    return success(); // An accumulated value is refused with its own words.
  return op->emitError() << getModelName(op) << " belongs to the "
                         << stringifyTaskKind(task) << " task but uses "
                         << getModelName(operand.getDefiningOp())
                         << ", which the " << stringifyTaskKind(*source)
                         << " task makes; phases forward and backward must "
                            "follow each other";
}

/// Refuses a send that runs against the pipeline: the receiver's task would
/// have to end before the sender's could begin.
LogicalResult verifyDirection(SendRecvOp op) {
  bool forward = isForwardValue(op.getInput());
  if (!variesOverTime(op.getInput()))
    return op.emitError()
           << getModelName(op) << " is sent from stage " << op.getSource()
           << " to stage " << op.getDestination()
           << " but is the same for all micro-batches, expected a value that "
              "is split or partial over axis \"mb\"";
  if (forward == (op.getSource() < op.getDestination()))
    return success();
  return op.emitError() << getModelName(op) << " of phase "
                        << (forward ? "forward" : "backward")
                        << " is sent from stage " << op.getSource()
                        << " to stage " << op.getDestination()
                        << ", expected a " << (forward ? "later" : "earlier")
                        << " stage";
}

} // namespace

//===-- What an op is -----------------------------------------------------===//

bool isForward(Operation *op) {
  auto phase = op->getAttrOfType<StringAttr>(kPhaseAttr);
  return phase && phase.getValue() == "forward";
}

bool variesOverTime(Value value) {
  LayoutAttr layout = getLayout(value);
  return layout && !layout.on(kAxisMb).isReplicated();
}

uint64_t getRunningStages(Operation *op) {
  uint64_t stages = 0;
  for (Value result : op->getResults())
    if (LayoutAttr layout = getLayout(result))
      stages |= getStages(layout);
  if (op->getNumResults() > 0 && !isa<Collective>(op))
    return stages;
  for (Value operand : op->getOperands())
    if (LayoutAttr layout = getLayout(operand))
      stages |= getStages(layout);
  return stages;
}

bool TaskAssignment::isFree(Operation *op) {
  if (isa<ReadOp>(op) || (isPure(op) && op->getNumOperands() == 0))
    return true;
  if (auto slice = dyn_cast<LocalSliceOp>(op))
    return slice.getAxis() == kAxisMb;
  auto lowerable = dyn_cast<Lowerable>(op);
  return lowerable && lowerable.getKernelTemplate() == KernelTemplate::View;
}

//===-- The assignment ----------------------------------------------------===//

LogicalResult TaskAssignment::collect(func::FuncOp step) {
  for (Operation &op : step.getBody().front().without_terminator()) {
    if (!(getRunningStages(&op) >> stage & 1))
      continue;
    if (auto send = dyn_cast<SendRecvOp>(op))
      if (failed(verifyDirection(send)))
        return failure();
    ops.push_back(&op);
  }
  return success();
}

void TaskAssignment::markSlice(Value value,
                               DenseSet<Operation *> &slice) const {
  Operation *def = value.getDefiningOp();
  if (!def || !isOnStage(value, stage) || !variesOverTime(value) ||
      tasks.contains(def))
    return;
  bool isReceive = isa<SendRecvOp>(def);
  if (!isFree(def) && (!slice.insert(def).second || isReceive))
    return;
  for (Value operand : def->getOperands())
    markSlice(operand, slice);
}

LogicalResult TaskAssignment::assignLoop() {
  SmallVector<Operation *> backward;
  for (Operation *op : ops) {
    if (isFree(op) || isa<AccumulateOp>(op))
      continue;
    bool operandVaries = llvm::any_of(op->getOperands(), variesOverTime);
    bool resultVaries = llvm::any_of(op->getResults(), variesOverTime);
    if (operandVaries && !resultVaries)
      return op->emitError()
             << getModelName(op)
             << " joins all micro-batches: it reads a value that is split or "
                "partial over axis \"mb\" and gives one that is not; only "
                "dtc.accumulate does that, lower micro_batches to 1 or sum";
    if (!resultVaries)
      continue;
    auto send = dyn_cast<SendRecvOp>(op);
    if (send ? isForwardValue(send.getInput()) : isForward(op))
      tasks[op] = TaskKind::Forward;
    else
      backward.push_back(op);
  }
  DenseSet<Operation *> slice;
  bool sends = false;
  for (Operation *op : backward)
    if (auto send = dyn_cast<SendRecvOp>(op); send && isSender(send)) {
      sends = true;
      slice.insert(op);
      markSlice(send.getInput(), slice);
    }
  for (Operation *op : backward) {
    // A channel is ordered, so one task takes all that arrives on it.
    bool receives = isa<SendRecvOp>(op) && !isSender(cast<SendRecvOp>(op));
    tasks[op] = slice.contains(op) || (receives && sends) ? TaskKind::Backward
                                                          : TaskKind::Weight;
  }
  return success();
}

LogicalResult TaskAssignment::assignAccumulates() {
  for (Operation *op : ops) {
    auto accumulate = dyn_cast<AccumulateOp>(op);
    if (!accumulate)
      continue;
    std::optional<TaskKind> source = getSource(accumulate.getInput());
    if (source == TaskKind::Epilogue)
      return accumulate.emitError() << getModelName(op)
                                    << " accumulates what is known only after "
                                       "the last micro-batch";
    // A view of a batch can be summed anywhere; its phase says where.
    if (!source || source == TaskKind::Prologue)
      source = isForward(op) ? TaskKind::Forward : TaskKind::Weight;
    tasks[op] = *source;
  }
  return success();
}

LogicalResult TaskAssignment::markPrologue(Operation *user, Value value) {
  Operation *def = value.getDefiningOp();
  if (!def || !isOnStage(value, stage))
    return success();
  if (isa<AccumulateOp>(def))
    return user->emitError()
           << getModelName(user) << " uses " << getModelName(def)
           << " inside the loop over micro-batches, but the sum is known only "
              "after the last one; lower micro_batches to 1";
  if (!isFree(def) && !tasks.try_emplace(def, TaskKind::Prologue).second)
    return success();
  if (isa<Collective>(def) &&
      llvm::is_contained(cast<Collective>(def).getGroupAxes(), kAxisPp))
    return def->emitError() << getModelName(def)
                            << " is reduced over axis \"pp\" before the "
                               "loop over micro-batches, expected after it";
  for (Value operand : def->getOperands())
    if (failed(markPrologue(isFree(def) ? user : def, operand)))
      return failure();
  return success();
}

LogicalResult TaskAssignment::assignStatic() {
  for (Operation *op : ops) {
    if (!tasks.contains(op) || tasks.lookup(op) == TaskKind::Prologue)
      continue;
    auto send = dyn_cast<SendRecvOp>(op);
    if (send && !isSender(send))
      continue;
    for (Value operand : op->getOperands())
      if (isOnStage(operand, stage) &&
          (failed(verifyOrder(op, tasks.lookup(op), getSource(operand),
                              operand)) ||
           failed(markPrologue(op, operand))))
        return failure();
  }
  for (Operation *op : ops)
    if (!isFree(op))
      tasks.try_emplace(op, TaskKind::Epilogue);
  return success();
}

std::optional<TaskKind> TaskAssignment::getSource(Value value) const {
  Operation *def = value.getDefiningOp();
  if (!def)
    return TaskKind::Prologue;
  if (isa<AccumulateOp>(def))
    return TaskKind::Epilogue;
  if (!isFree(def))
    return tasks.lookup(def);
  for (Value operand : def->getOperands())
    if (std::optional<TaskKind> source = getSource(operand))
      return source;
  return std::nullopt;
}

bool TaskAssignment::hasTask(TaskKind kind) const {
  return llvm::any_of(tasks, [&](auto &entry) { return entry.second == kind; });
}

FailureOr<TaskAssignment> TaskAssignment::build(func::FuncOp step,
                                                int64_t stage) {
  TaskAssignment assignment(stage);
  if (failed(assignment.collect(step)) || failed(assignment.assignLoop()) ||
      failed(assignment.assignAccumulates()) ||
      failed(assignment.assignStatic()))
    return failure();
  return assignment;
}

} // namespace mlir::dtc
