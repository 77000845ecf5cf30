//===- PipelineOps.cpp - Constraints of variables, tasks, buffers ---------===//
//
// Symbols are looked up in the module. Before outline-tasks a read may name a
// variable that a bucket has replaced: the step graph that the checker gets
// keeps the model's variables, whatever became of their storage.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"
#include "ir/OpChecks.h"

#include "llvm/ADT/STLExtras.h"

namespace mlir::dtc {

//===-- Variables -----------------------------------------------------------===//

/// C1: `init` has a known kind, with the numbers that the kind needs.
static LogicalResult verifyInit(VariableOp op) {
  static const struct {
    StringLiteral kind;
    SmallVector<StringRef, 2> numbers;
  } kinds[] = {{"zeros", {}},
               {"ones", {}},
               {"constant", {"value"}},
               {"normal", {"mean", "std"}},
               {"uniform", {"low", "high"}},
               {"file", {}}};
  auto kind = op.getInit().getAs<StringAttr>("kind");
  for (const auto &known : kinds) {
    if (!kind || kind.getValue() != known.kind)
      continue;
    for (StringRef number : known.numbers)
      if (!op.getInit().getAs<FloatAttr>(number))
        return op.emitOpError("C1: init of kind ")
               << kind << " has no number \"" << number << "\"";
    if (known.kind == "file" && !op.getInit().getAs<StringAttr>("path"))
      return op.emitOpError("C1: init of kind \"file\" has no \"path\"");
    return success();
  }
  return op.emitOpError("C1: init is ")
         << op.getInit() << ", expected kind = zeros, ones, constant, normal, "
         << "uniform or file";
}

LogicalResult VariableOp::verify() {
  if (failed(verifyInit(*this)))
    return failure();
  // C2
  if (!llvm::is_contained({"parameter", "state", "scalar"}, getRole()))
    return emitOpError("C2: role is \"")
           << getRole() << "\", expected parameter, state or scalar";
  // C3
  if ((getRole() == "state") != getOf().has_value())
    return emitOpError("C3: role is \"")
           << getRole() << "\" and of is "
           << (getOf() ? "there" : "missing")
           << ", expected it for state alone";
  // C4
  size_t members = getMembers() ? getMembers()->size() : 0;
  size_t types = getMemberTypes() ? getMemberTypes()->size() : 0;
  if (members != types)
    return emitOpError("C4: ") << members << " members with " << types
                               << " member_types, expected one for each";
  return success();
}

/// Name of a member of a bucket: a symbol or a string.
static StringRef getMemberName(Attribute member) {
  if (auto symbol = dyn_cast<FlatSymbolRefAttr>(member))
    return symbol.getValue();
  auto string = dyn_cast<StringAttr>(member);
  return string ? string.getValue() : StringRef();
}

/// Type of the variable `name`, or of the member of a bucket; null where there
/// is neither.
static RankedTensorType findVariableType(Operation *user, FlatSymbolRefAttr name,
                                         SymbolTableCollection &symbols) {
  if (auto variable =
          symbols.lookupNearestSymbolFrom<VariableOp>(user, name))
    return cast<RankedTensorType>(variable.getType());
  auto module = user->getParentOfType<ModuleOp>();
  if (!module)
    return {};
  for (auto bucket : module.getOps<VariableOp>())
    if (bucket.getMembers() && bucket.getMemberTypes())
      for (auto [member, type] :
           llvm::zip(*bucket.getMembers(), *bucket.getMemberTypes()))
        if (getMemberName(member) == name.getValue())
          return dyn_cast<RankedTensorType>(cast<TypeAttr>(type).getValue());
  return {};
}

/// C1: the variable exists. C2: its type is the value's; the layout too, where
/// both have one.
static LogicalResult verifyVariableUse(Operation *op, FlatSymbolRefAttr name,
                                       Value value,
                                       SymbolTableCollection &symbols) {
  RankedTensorType type = findVariableType(op, name, symbols);
  if (!type)
    return op->emitOpError("C1: there is no variable ") << name;
  bool sameLayout = !getLayout(type) || !getLayout(value) ||
                    getLayout(type) == getLayout(value);
  if (getGlobalShape(type) == getShapeOf(value) && sameLayout &&
      type.getElementType() == getElementTypeOrSelf(value))
    return success();
  return op->emitOpError("C2: value is ")
         << value.getType() << ", the variable " << name << " is " << type;
}

LogicalResult ReadOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyVariableUse(*this, getVariableAttr(), getResult(), symbols);
}

LogicalResult StoreOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyVariableUse(*this, getVariableAttr(), getValue(), symbols);
}

//===-- Buffers -------------------------------------------------------------===//

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

//===-- Fused ops -----------------------------------------------------------===//

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
  for (Operation &op : block.without_terminator())
    if (!isa<Lowerable>(op) || isa<FusedOp>(op))
      return emitOpError("C3: holds ")
             << op.getName() << ", expected ops that one kernel can compute";
  return success();
}

} // namespace mlir::dtc
