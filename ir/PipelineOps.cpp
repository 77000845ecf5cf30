//===- PipelineOps.cpp - Constraints of tasks, buffers, schedules ---------===//
//
// Symbols are looked up in the module, so buffers and tasks are held to their
// users and not only to themselves.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"
#include "ir/OpChecks.h"

#include "llvm/ADT/STLExtras.h"

namespace mlir::dtc {

//===-- Buffers
//-------------------------------------------------------------===//

LogicalResult BufferOp::verify() {
  // C1
  int64_t stage = getStage(), slots = getSlots();
  if (stage < 0 || slots < 1)
    return emitOpError("C1: stage = ") << stage << ", slots = " << slots
                                       << ", expected 0 or more, and 1 or more";
  return success();
}

/// C1: the buffer exists.
static FailureOr<BufferOp> findBuffer(Operation *op, FlatSymbolRefAttr name,
                                      SymbolTableCollection &symbols) {
  if (auto buffer = symbols.lookupNearestSymbolFrom<BufferOp>(op, name))
    return buffer;
  return op->emitOpError("C1: there is no buffer ") << name;
}

/// C2: the value has the buffer's type.
static LogicalResult verifyBufferUse(Operation *op, FlatSymbolRefAttr name,
                                     Value value,
                                     SymbolTableCollection &symbols) {
  FailureOr<BufferOp> buffer = findBuffer(op, name, symbols);
  if (failed(buffer))
    return failure();
  if (buffer->getType() == value.getType())
    return success();
  return op->emitOpError("C2: value is ")
         << value.getType() << ", the buffer " << name << " is "
         << buffer->getType();
}

LogicalResult LoadOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyBufferUse(*this, getBufferAttr(), getResult(), symbols);
}

LogicalResult SaveOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyBufferUse(*this, getBufferAttr(), getValue(), symbols);
}

/// C2: of a class that the op is for.
static LogicalResult verifyBufferClass(Operation *op, FlatSymbolRefAttr name,
                                       BufferClass expected,
                                       SymbolTableCollection &symbols) {
  FailureOr<BufferOp> buffer = findBuffer(op, name, symbols);
  if (failed(buffer))
    return failure();
  if (buffer->getBufferClass() == expected)
    return success();
  return op->emitOpError("C2: the buffer ")
         << name << " is of class "
         << stringifyBufferClass(buffer->getBufferClass()) << ", expected "
         << stringifyBufferClass(expected);
}

LogicalResult ReadBatchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyBufferClass(*this, getBufferAttr(), BufferClass::Batch, symbols);
}

LogicalResult ClearOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyBufferClass(*this, getBufferAttr(), BufferClass::Accumulator,
                           symbols);
}

LogicalResult
AccumulateIntoOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (failed(verifyBufferClass(*this, getBufferAttr(), BufferClass::Accumulator,
                               symbols)))
    return failure();
  auto buffer =
      symbols.lookupNearestSymbolFrom<BufferOp>(*this, getBufferAttr());
  LayoutAttr from = getLayout(getValue()), to = getLayout(buffer.getType());
  // C3
  if (from && (!from.hasAxis(kAxisMb) ||
               from.on(kAxisMb) != AxisState::partial(ReductionKind::Sum) ||
               from.with(kAxisMb, AxisState::replicated()) != to))
    return emitOpError("C3: value lies as ")
           << from << ", the buffer as " << to
           << ", expected P(sum) over \"mb\" to become R";
  // C4
  auto type = cast<RankedTensorType>(buffer.getType());
  if (getGlobalShape(type) == getShapeOf(getValue()) &&
      type.getElementType() == getElementTypeOrSelf(getValue()))
    return success();
  return emitOpError("C4: value is ")
         << describeTensor(getValue().getType()) << ", the buffer "
         << describeTensor(type);
}

//===-- Channels
//------------------------------------------------------------===//

/// C1: what crosses a channel is no addend.
static LogicalResult verifySettled(Operation *op, StringRef name, Value value) {
  LayoutAttr layout = getLayout(value);
  if (!layout)
    return success();
  for (const MeshAxis &axis : layout.getAxes())
    if (axis.state.isPartial())
      return op->emitOpError("C1: ")
             << name << " holds " << axis.state.str() << " on axis "
             << axis.name << ", expected a settled value";
  return success();
}

LogicalResult SendOp::verify() {
  return verifySettled(*this, "value", getValue());
}

LogicalResult RecvOp::verify() {
  return verifySettled(*this, "result", getResult());
}

LogicalResult WaitOp::verify() {
  // C1
  int64_t pending = getPending();
  if (pending >= 0)
    return success();
  return emitOpError("C1: pending = ") << pending << ", expected 0 or more";
}

//===-- Schedules
//-----------------------------------------------------------===//

LogicalResult ScheduleOp::verify() {
  // C1
  for (Operation &op : getBody().front())
    if (!isa<CallOp, RepeatOp>(op))
      return emitOpError("C1: holds ")
             << op.getName() << ", expected dtc.call and dtc.repeat";
  return success();
}

LogicalResult RepeatOp::verify() {
  // C1
  int64_t count = getCount();
  if (count < 1)
    return emitOpError("C1: count = ") << count << ", expected 1 or more";
  // C2
  for (Operation &op : getBody().front())
    if (!isa<CallOp>(op))
      return emitOpError("C2: holds ") << op.getName() << ", expected dtc.call";
  return success();
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto task =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getTaskAttr());
  // C1
  if (!task)
    return emitOpError("C1: there is no task ") << getTaskAttr();
  // C2
  if (task.getNumArguments() == 0 && task.getNumResults() == 0)
    return success();
  return emitOpError("C2: task ")
         << getTaskAttr() << " has type " << task.getFunctionType()
         << ", expected () -> (): values cross by buffers and channels";
}

//===-- Fused ops
//-----------------------------------------------------------===//

LogicalResult FusedOp::verify() {
  Block &block = getBody().front();
  // C1
  if (!llvm::equal(block.getArgumentTypes(), getInputs().getTypes()))
    return emitOpError("C1: the block has arguments (")
           << block.getArgumentTypes() << "), the inputs are ("
           << getInputs().getTypes() << ")";
  // C2
  auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
  if (!yield)
    return emitOpError("C2: the block does not end in dtc.yield");
  if (!llvm::equal(yield.getValues().getTypes(), getResultTypes()))
    return emitOpError("C2: dtc.yield gives (")
           << yield.getValues().getTypes() << "), the results are ("
           << getResultTypes() << ")";
  // C3
  for (Operation &op : block.without_terminator()) {
    auto lowerable = dyn_cast<Lowerable>(op);
    bool isComputed = lowerable && !isa<FusedOp>(op) &&
                      (isa<ConstantOp>(op) || lowerable.getKernelTemplate() !=
                                                  KernelTemplate::Instruction);
    if (!isComputed)
      return emitOpError("C3: holds ")
             << op.getName() << ", expected ops that one kernel can compute";
  }
  return success();
}

} // namespace mlir::dtc
