//===- Fuse.cpp - Ops that one kernel computes ----------------------------===//
//
// An elementwise op alone reads and writes memory for one operation an element.
// This pass puts ops that visit the same indices into one `dtc.fused`, whose
// kernel keeps the values between them in registers. No number changes: each
// element is computed by the same operations in the same order.
//
// One walk over each task, first op first. An op joins the group of the op that
// makes its operand (or, for reductions of rows, of another reduction of the
// same rows) where together they fit a template:
//
//   map         elementwise ops of one shape
//   column_sum  elementwise ops, then sums of their results over leading
//               dimensions: a bias gradient with what it sums
//   row         reductions of the rows of one tensor
//   row         an elementwise op, then scalars that sum it up: unscale and
//   norm
//
// A group is written where its last op stands, so no op between may read what
// it makes; saves to buffers are moved behind it. Ends after one visit an op.
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"
#include "passes/StepFunctions.h"
#include "passes/TaskAssignment.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/SetVector.h"

#define DEBUG_TYPE "dtc-fuse"

namespace mlir::dtc {
#define GEN_PASS_DEF_FUSEPASS
#include "passes/Passes.h.inc"

namespace {

/// Longer kernels run out of registers before they save memory traffic.
constexpr size_t kMostOps = 8;

KernelTemplate getTemplate(Operation *op) {
  auto lowerable = dyn_cast<Lowerable>(op);
  return lowerable ? lowerable.getKernelTemplate()
                   : KernelTemplate::Instruction;
}

ArrayRef<int64_t> getShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// One element of the result at each index, from the operands' there.
bool isMap(Operation *op) {
  if (op->getNumResults() != 1 || getTemplate(op) != KernelTemplate::Map ||
      getShape(op->getResult(0)).empty())
    return false;
  auto distributable = dyn_cast<Distributable>(op);
  bool isSum = distributable && distributable.joinsStages();
  return isa<ElementwiseOp>(op) || isSum;
}

/// A reduction of the rows of its first operand: the last dimension goes.
bool isRowReduction(Operation *op) {
  if (op->getNumResults() != 1 || getTemplate(op) != KernelTemplate::Row)
    return false;
  ArrayRef<int64_t> domain = getShape(op->getOperand(0));
  return domain.size() > 1 && getShape(op->getResult(0)) == domain.drop_back();
}

/// A sum over leading dimensions.
bool isColumnSum(Operation *op) {
  auto dims = op->getAttrOfType<DenseI64ArrayAttr>("dims");
  if (getTemplate(op) != KernelTemplate::ColumnSum || !dims)
    return false;
  for (auto [position, dim] : llvm::enumerate(dims.asArrayRef()))
    if (dim != static_cast<int64_t>(position))
      return false;
  return true;
}

/// A scalar of one tensor: a norm's part, a flag's bit.
bool isSummary(Operation *op) {
  return op->getNumOperands() == 1 && op->getNumResults() == 1 &&
         getTemplate(op) == KernelTemplate::MultiTensor &&
         getShape(op->getResult(0)).empty();
}

/// Ops to be fused, in block order, and the template that they fit.
struct Group {
  SmallVector<Operation *> ops;
  KernelTemplate kernel = KernelTemplate::Map;
  /// What all ops of the group walk.
  Value walked;
};

class BlockFuser {
public:
  explicit BlockFuser(Block &block) : block(block) {}

  void run() {
    for (Operation &op : block)
      visit(&op);
    for (Group &group : groups)
      if (group.ops.size() > 1)
        write(group);
  }

private:
  void visit(Operation *op);
  bool join(Operation *op, Operation *producer, KernelTemplate kernel);
  bool mayMoveTo(const Group &group, Operation *op) const;
  void write(Group &group);

  Block &block;
  std::vector<Group> groups;
  DenseMap<Operation *, size_t> groupOf;
};

/// True where nothing between the group's ops and `op` reads what they make,
/// but for saves, which can follow.
bool BlockFuser::mayMoveTo(const Group &group, Operation *op) const {
  for (Operation *member : group.ops)
    for (Operation *user : member->getUsers()) {
      bool isIn = llvm::is_contained(group.ops, user);
      if (user == op || isIn || isa<SaveOp>(user) || !user->isBeforeInBlock(op))
        continue;
      return false;
    }
  return true;
}

/// Puts `op` into the group of `producer`, which then has template `kernel`.
bool BlockFuser::join(Operation *op, Operation *producer,
                      KernelTemplate kernel) {
  Group &group = groups[groupOf.lookup(producer)];
  if (group.ops.size() >= kMostOps || !mayMoveTo(group, op))
    return false;
  group.ops.push_back(op);
  group.kernel = kernel;
  groupOf[op] = groupOf.lookup(producer);
  return true;
}

void BlockFuser::visit(Operation *op) {
  if (isRowReduction(op)) {
    for (Group &group : groups)
      if (group.kernel == KernelTemplate::Row &&
          group.walked == op->getOperand(0) &&
          join(op, group.ops.front(), KernelTemplate::Row))
        return;
    groups.push_back({{op}, KernelTemplate::Row, op->getOperand(0)});
    groupOf[op] = groups.size() - 1;
    return;
  }
  if (!isMap(op) && !isColumnSum(op) && !isSummary(op))
    return;
  for (Value operand : op->getOperands()) {
    Operation *producer = operand.getDefiningOp();
    if (!producer || !groupOf.contains(producer) || !isMap(producer))
      continue;
    const Group &group = groups[groupOf.lookup(producer)];
    bool isMapGroup = group.kernel == KernelTemplate::Map;
    if (isMap(op) && isMapGroup &&
        operand.getType() == op->getResult(0).getType() &&
        join(op, producer, KernelTemplate::Map))
      return;
    if (isColumnSum(op) &&
        (isMapGroup || group.kernel == KernelTemplate::ColumnSum) &&
        join(op, producer, KernelTemplate::ColumnSum))
      return;
    // One elementwise op only: its operand may then be overwritten.
    bool isAlone = group.ops.size() == 1 && isa<ElementwiseOp>(producer);
    if (isSummary(op) && isMapGroup && isAlone &&
        join(op, producer, KernelTemplate::Row))
      return;
  }
  if (!isMap(op))
    return;
  groups.push_back({{op}, KernelTemplate::Map, op->getResult(0)});
  groupOf[op] = groups.size() - 1;
}

void BlockFuser::write(Group &group) {
  Operation *last = group.ops.back();
  llvm::SetVector<Value> inputs, outputs;
  for (Operation *op : group.ops) {
    for (Value operand : op->getOperands())
      if (!llvm::is_contained(group.ops, operand.getDefiningOp()))
        inputs.insert(operand);
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !llvm::is_contained(group.ops, user);
          }))
        outputs.insert(result);
  }
  OpBuilder builder(last);
  SmallVector<Type> types(ValueRange(outputs.getArrayRef()).getTypes());
  auto fused = builder.create<FusedOp>(last->getLoc(), types,
                                       inputs.getArrayRef(), group.kernel);
  for (StringRef name : {StringRef(kNameAttr), StringRef(kPhaseAttr)})
    if (Attribute attribute = last->getAttr(name))
      fused->setAttr(name, attribute);

  Block &body = fused.getBody().emplaceBlock();
  IRMapping mapping;
  for (Value input : inputs)
    mapping.map(input, body.addArgument(input.getType(), input.getLoc()));
  builder.setInsertionPointToStart(&body);
  for (Operation *op : group.ops)
    builder.clone(*op, mapping);
  SmallVector<Value> yielded;
  for (Value output : outputs)
    yielded.push_back(mapping.lookup(output));
  builder.create<YieldOp>(last->getLoc(), yielded);

  Operation *behind = fused;
  for (size_t i = 0; i < outputs.size(); ++i) {
    Value output = outputs[i], result = fused.getResult(i);
    for (Operation *user : llvm::to_vector(output.getUsers()))
      if (isa<SaveOp>(user) && user->isBeforeInBlock(fused)) {
        user->moveAfter(behind);
        behind = user;
      }
    output.replaceAllUsesWith(result);
  }
  for (Operation *op : llvm::reverse(group.ops))
    op->erase();
}

/// A gradient is added to its accumulator as soon as it is made, so that the
/// gradients of a task need not all be in memory at its end.
void accumulateEarly(Block &block) {
  for (auto into : llvm::to_vector(block.getOps<AccumulateIntoOp>()))
    if (Operation *maker = into.getValue().getDefiningOp())
      into->moveAfter(maker);
}

struct FusePass : public impl::FusePassBase<FusePass> {
  using FusePassBase::FusePassBase;

  void runOnOperation() final {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(kTaskAttr)) {
        BlockFuser(function.front()).run();
        accumulateEarly(function.front());
      }
  }
};

} // namespace
} // namespace mlir::dtc
