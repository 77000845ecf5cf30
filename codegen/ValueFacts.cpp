//===- EmittedFacts.cpp - What each value of the tasks is
//--------------------===//
//
// Tasks are followed stage by stage in an order in which every value is known
// before it is used: prologues, forward up the pipeline, backward and weight
// down, epilogues. On a bucket an op stands for one op of the graph a member;
// they are found by what they read.
//
//===----------------------------------------------------------------------===//

#include "codegen/ValueFacts.h"

#include "llvm/ADT/STLExtras.h"

namespace mlir::dtc {

TaskKind getTaskKind(func::FuncOp task) {
  return task->getAttrOfType<TaskKindAttr>("dtc.task").getValue();
}

SmallVector<func::FuncOp> findTasks(ModuleOp module, StringRef step,
                                    int64_t stage) {
  SmallVector<func::FuncOp> tasks;
  for (auto function : module.getOps<func::FuncOp>()) {
    auto kind = function->getAttrOfType<TaskKindAttr>("dtc.task");
    auto on = function->getAttrOfType<IntegerAttr>("dtc.stage");
    auto of = function->getAttrOfType<StringAttr>("dtc.step_kind");
    if (kind && on && of && on.getInt() == stage && of.getValue() == step)
      tasks.push_back(function);
  }
  // One task of each kind, so the order is complete.
  llvm::sort(tasks, [](func::FuncOp a, func::FuncOp b) {
    return getTaskKind(a) < getTaskKind(b);
  });
  return tasks;
}

SmallVector<StringRef> getMemberNames(VariableOp bucket) {
  SmallVector<StringRef> names;
  ArrayAttr members = *bucket.getMembers();
  for (Attribute member : members)
    names.push_back(isa<FlatSymbolRefAttr>(member)
                        ? cast<FlatSymbolRefAttr>(member).getValue()
                        : cast<StringAttr>(member).getValue());
  return names;
}

static const EmittedFacts kNoFacts;

const EmittedFacts &StepFacts::of(Value value) const {
  auto found = facts.find(value);
  return found == facts.end() ? kNoFacts : found->second;
}

const EmittedFacts &StepFacts::of(BufferOp buffer) const {
  auto found = buffers.find(buffer.getSymName());
  return found == buffers.end() ? kNoFacts : found->second;
}

//===-- Logical values and terms
//--------------------------------------------===//

SmallVector<uint32_t> StepFacts::findGraphOps(Operation *op) const {
  // What lays a value anew may carry the id of what made it.
  if (isa<ToPartialOp, LocalSliceOp, Collective, MaskPadsOp, PackOp, UnpackOp>(
          op))
    return {};
  SmallVector<int64_t> ids;
  if (auto many = op->getAttrOfType<DenseI64ArrayAttr>(kIdsOfBucketAttr))
    llvm::append_range(ids, many.asArrayRef());
  else if (auto id = op->getAttrOfType<IntegerAttr>(kIdAttr))
    ids.push_back(id.getInt());
  SmallVector<uint32_t> ops;
  for (int64_t id : ids)
    if (int32_t found = graph.findOp(id); found >= 0)
      ops.push_back(found);
  return ops.size() == ids.size() ? ops : SmallVector<uint32_t>();
}

void StepFacts::findLogicals(Operation *op,
                             MutableArrayRef<EmittedFacts> results) const {
  if (isa<PackOp>(op)) {
    for (Value member : op->getOperands())
      llvm::append_range(results[0].logicals, of(member).logicals);
    return;
  }
  if (isa<UnpackOp>(op)) {
    ArrayRef<uint32_t> logicals = of(op->getOperand(0)).logicals;
    if (logicals.size() == results.size())
      for (auto [result, logical] : llvm::zip(results, logicals))
        result.logicals = {logical};
    return;
  }
  SmallVector<uint32_t> ops = findGraphOps(op);
  for (uint32_t graphOp : ops)
    for (auto [i, result] : llvm::enumerate(results))
      if (i < graph.getResults(graphOp).size())
        result.logicals.push_back(graph.getResults(graphOp)[i]);
  // What moves or lays out a value anew leaves it the value it was.
  if (ops.empty() && op->getNumOperands() > 0)
    for (EmittedFacts &result : results)
      result.logicals = of(op->getOperand(0)).logicals;
}

void StepFacts::findTerms(Operation *op,
                          MutableArrayRef<EmittedFacts> results) const {
  SmallVector<std::string> terms;
  if (auto term = op->getAttrOfType<StringAttr>(kTermAttr)) {
    terms.push_back(term.str());
  } else if (auto sets = op->getAttrOfType<ArrayAttr>("terms")) {
    for (Attribute set : sets)
      for (auto name : cast<ArrayAttr>(set).getAsRange<StringAttr>())
        terms.push_back(name.str());
  } else if (isa<PackOp>(op) || findGraphOps(op).empty()) {
    for (Value operand : op->getOperands())
      llvm::append_range(terms, of(operand).terms);
    // Over pp a reduction brings the terms of all stages together.
    auto collective = dyn_cast<Collective>(op);
    if (collective && llvm::is_contained(collective.getGroupAxes(), kAxisPp))
      for (uint32_t logical : results[0].logicals)
        llvm::append_range(terms, graph.getTerms(logical));
  }
  llvm::sort(terms);
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  for (EmittedFacts &result : results)
    result.terms.assign(terms.begin(), terms.end());
}

//===-- Following the step
//--------------------------------------------------===//

EmittedFacts StepFacts::ofVariable(VariableOp variable) const {
  EmittedFacts read;
  if (variable.getSymName() == kLossScaleVariable)
    read.degree.scale = 1;
  SmallVector<StringRef> names{variable.getSymName()};
  if (variable.getMembers())
    names = getMemberNames(variable);
  for (StringRef name : names)
    if (std::optional<uint32_t> value = graph.findRead(name))
      read.logicals.push_back(*value);
  return read;
}

void StepFacts::setBuffer(StringRef name, const EmittedFacts &saved) {
  buffers[name] = saved;
}

/// By value: what `of` refers to moves when another value gets its facts.
void StepFacts::setFacts(Value value, EmittedFacts found) {
  facts[value] = std::move(found);
}

LogicalResult StepFacts::runFused(FusedOp op) {
  Block &block = op.getBody().front();
  for (auto [argument, operand] :
       llvm::zip(block.getArguments(), op.getInputs()))
    setFacts(argument, of(operand));
  for (Operation &inner : block.without_terminator())
    if (failed(runOp(&inner)))
      return failure();
  for (auto [result, yielded] :
       llvm::zip(op.getResults(), block.getTerminator()->getOperands()))
    setFacts(result, of(yielded));
  return success();
}

LogicalResult StepFacts::runComputation(Operation *op) {
  SmallVector<EmittedFacts> results(op->getNumResults());
  findLogicals(op, results);
  findTerms(op, results);
  if (auto scaled = dyn_cast<Scaled>(op)) {
    SmallVector<Degree> degrees;
    for (Value operand : op->getOperands())
      degrees.push_back(of(operand).degree);
    FailureOr<SmallVector<Degree>> inferred = scaled.inferDegrees(degrees);
    if (failed(inferred))
      return failure();
    for (auto [result, degree] : llvm::zip(results, *inferred))
      result.degree = degree;
  }
  for (auto [result, found] : llvm::zip(op->getResults(), results))
    facts[result] = found;
  return success();
}

LogicalResult StepFacts::runOp(Operation *op) {
  if (auto fused = dyn_cast<FusedOp>(op))
    return runFused(fused);
  if (auto read = dyn_cast<ReadOp>(op)) {
    facts[read.getResult()] =
        ofVariable(module.lookupSymbol<VariableOp>(read.getVariable()));
  } else if (auto batch = dyn_cast<ReadBatchOp>(op)) {
    EmittedFacts input;
    if (std::optional<uint32_t> value = graph.findInput(batch.getInput()))
      input.logicals = {*value};
    setBuffer(batch.getBuffer(), input);
  } else if (auto load = dyn_cast<LoadOp>(op)) {
    facts[load.getResult()] = buffers.lookup(load.getBuffer());
  } else if (auto save = dyn_cast<SaveOp>(op)) {
    setBuffer(save.getBuffer(), of(save.getValue()));
  } else if (auto accumulate = dyn_cast<AccumulateIntoOp>(op)) {
    setBuffer(accumulate.getBuffer(), of(accumulate.getValue()));
  } else if (auto send = dyn_cast<SendOp>(op)) {
    sent[send.getChannel()].push_back(of(send.getValue()));
  } else if (auto receive = dyn_cast<RecvOp>(op)) {
    auto &channel = sent[receive.getChannel()];
    size_t next = received[receive.getChannel()]++;
    if (next >= channel.size())
      return receive.emitOpError("takes value ")
             << next << " of channel " << receive.getChannel() << ", on which "
             << channel.size() << " are sent";
    facts[receive.getResult()] = channel[next];
  } else if (op->getNumResults() > 0) {
    return runComputation(op);
  }
  return success();
}

LogicalResult StepFacts::runTask(func::FuncOp task) {
  for (Operation &op : task.front().without_terminator())
    if (failed(runOp(&op)))
      return failure();
  return success();
}

LogicalResult StepFacts::run() {
  int64_t stages = module->getAttrOfType<PlanAttr>(kPlanAttr).getPp();
  auto runAll = [&](ArrayRef<TaskKind> kinds, bool down) {
    for (int64_t i = 0; i < stages; ++i)
      for (func::FuncOp task :
           findTasks(module, step, down ? stages - 1 - i : i))
        if (llvm::is_contained(kinds, getTaskKind(task)) &&
            failed(runTask(task)))
          return failure();
    return success();
  };
  return success(
      succeeded(runAll(TaskKind::Prologue, false)) &&
      succeeded(runAll(TaskKind::Forward, false)) &&
      succeeded(runAll({TaskKind::Backward, TaskKind::Weight}, true)) &&
      succeeded(runAll(TaskKind::Epilogue, false)));
}

} // namespace mlir::dtc
