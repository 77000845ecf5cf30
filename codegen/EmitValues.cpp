//===- EmitValues.cpp - What lies in a stage's arena
//-----------------------===//
//
// Variables first, then buffers, then the results of each task's ops. A load
// is the buffer itself and has no value of its own.
//
//===----------------------------------------------------------------------===//

#include "codegen/StageEmitter.h"

namespace mlir::dtc {

namespace fbs = ::dtc::program;

static fbs::BufferClass toProgramClass(BufferClass kind) {
  switch (kind) {
  case BufferClass::Variable:
    return fbs::BufferClass::Variable;
  case BufferClass::Batch:
    return fbs::BufferClass::Batch;
  case BufferClass::Accumulator:
    return fbs::BufferClass::Accumulator;
  case BufferClass::Stash:
    return fbs::BufferClass::Stash;
  case BufferClass::Received:
    return fbs::BufferClass::Received;
  case BufferClass::Sent:
    return fbs::BufferClass::Sent;
  case BufferClass::Static:
    return fbs::BufferClass::Static;
  }
  llvm_unreachable("no such buffer class");
}

/// Entry `index` of an op's dtc.places (or dtc.stage_places); null where it is
/// missing.
static Attribute getPlace(Operation *op, StringRef name, size_t index) {
  auto places = op->getAttrOfType<ArrayAttr>(name);
  return places && index < places.size() ? places[index] : Attribute();
}

FailureOr<uint32_t> StageEmitter::addValue(Operation *op, StringRef name,
                                           Type type, Attribute place,
                                           fbs::BufferClass bufferClass,
                                           const EmittedFacts &facts) {
  auto tensor = cast<RankedTensorType>(type);
  auto local = dyn_cast_if_present<LocalAttr>(tensor.getEncoding());
  if (!local)
    return op->emitError() << name << " has type " << type
                           << ", expected one with #dtc.local";
  auto at = dyn_cast_if_present<PlaceAttr>(place);
  if (!at)
    return op->emitError() << name << " has no place in the arena of stage "
                           << stage << "; run --dtc-plan-memory first";
  auto value = std::make_unique<fbs::ValueT>();
  value->name = name.str();
  value->logicals.assign(facts.logicals.begin(), facts.logicals.end());
  value->dtype = toProgramDType(tensor.getElementType());
  value->global_shape = toProgramShape(local.getGlobalShape());
  value->local_shape = toProgramShape(tensor.getShape());
  value->layout = context.tables.getLayout(local.getLayout(), tensor.getRank());
  value->degree_scale = facts.degree.scale;
  value->degree_count = facts.degree.count;
  for (const std::string &term : facts.terms)
    value->terms.push_back(context.tables.getTerm(term));
  value->place = std::make_unique<fbs::Place>(at.getOffset(), at.getBytes(),
                                              at.getSlots(), at.getSlotStride(),
                                              at.getMicroBatchStride());
  value->buffer_class = bufferClass;
  table->values.push_back(std::move(value));
  return static_cast<uint32_t>(table->values.size() - 1);
}

LogicalResult StageEmitter::addVariables(const StepFacts &train) {
  for (auto variable : context.module.getOps<VariableOp>()) {
    LayoutAttr layout = getLayout(variable.getType());
    if (layout && !(getStages(layout) >> stage & 1))
      continue;
    Attribute place = getPlace(variable, kPlannedStagePlacesAttr, stage);
    FailureOr<uint32_t> value =
        addValue(variable, variable.getSymName(), variable.getType(), place,
                 fbs::BufferClass::Variable, train.ofVariable(variable));
    if (failed(value))
      return failure();
    variables[variable.getSymName()] = *value;
  }
  return success();
}

LogicalResult StageEmitter::addBuffers(ArrayRef<EmittedStep> steps) {
  std::string prefix = "stage" + std::to_string(stage) + ".";
  for (auto buffer : context.module.getOps<BufferOp>()) {
    if (static_cast<int64_t>(buffer.getStage()) != stage)
      continue;
    StringRef name = buffer.getSymName();
    name.consume_front(prefix);
    for (const EmittedStep &step : steps)
      if (step.facts.knows(buffer)) {
        name.consume_front((step.name + ".").str());
        FailureOr<uint32_t> value = addValue(
            buffer, name, buffer.getType(), getPlace(buffer, kPlacesAttr, 0),
            toProgramClass(buffer.getBufferClass()), step.facts.of(buffer));
        if (failed(value))
          return failure();
        buffers[buffer.getSymName()] = *value;
        break;
      }
  }
  return success();
}

LogicalResult StageEmitter::addResults(func::FuncOp task,
                                       const StepFacts &facts) {
  for (Operation &op : task.front().without_terminator()) {
    if (auto load = dyn_cast<LoadOp>(op)) {
      values[load.getResult()] = bufferOf(load.getBuffer());
      continue;
    }
    for (auto [i, result] : llvm::enumerate(op.getResults())) {
      std::string name = getProgramName(&op).str();
      if (op.getNumResults() > 1)
        name += "." + std::to_string(i);
      FailureOr<uint32_t> value =
          addValue(&op, name, result.getType(), getPlace(&op, kPlacesAttr, i),
                   isa<RecvOp>(op) ? fbs::BufferClass::Received
                                   : fbs::BufferClass::Temporary,
                   facts.of(result));
      if (failed(value))
        return failure();
      values[result] = *value;
    }
  }
  return success();
}

/// The stage's report of plan-memory.
LogicalResult StageEmitter::addMemory() {
  auto reports = context.module->getAttrOfType<ArrayAttr>(kPlannedMemoryAttr);
  auto report = reports && stage < static_cast<int64_t>(reports.size())
                    ? dyn_cast<DictionaryAttr>(reports[stage])
                    : DictionaryAttr();
  auto number = [](DictionaryAttr from, StringRef name) -> uint64_t {
    auto value = from.getAs<IntegerAttr>(name);
    return value ? value.getInt() : 0;
  };
  if (!report || !report.getAs<IntegerAttr>("arena_bytes"))
    return context.module.emitError("has no ")
           << kPlannedMemoryAttr << " with the arena of stage " << stage
           << "; run --dtc-plan-memory first";
  table->arena_bytes = number(report, "arena_bytes");
  table->lower_bound_bytes = number(report, "lower_bound_bytes");
  table->peak_live_bytes = number(report, "peak_live_bytes");
  auto classes = report.getAs<ArrayAttr>("classes");
  if (!classes)
    return success();
  for (auto entry : classes.getAsRange<DictionaryAttr>()) {
    auto memory = std::make_unique<fbs::MemoryClassT>();
    if (auto name = entry.getAs<StringAttr>("name"))
      memory->name = name.str();
    memory->elements = number(entry, "elements");
    memory->bytes = number(entry, "bytes");
    table->memory.push_back(std::move(memory));
  }
  return success();
}

int32_t StageEmitter::getVariableValue(StringRef name) const {
  auto found = variables.find(name);
  return found == variables.end() ? -1 : static_cast<int32_t>(found->second);
}

const fbs::Place &StageEmitter::placeOf(Value value) const {
  return *table->values[valueOf(value)]->place;
}

std::vector<uint32_t> StageEmitter::valuesOf(ValueRange range) const {
  std::vector<uint32_t> ids;
  for (Value value : range)
    ids.push_back(valueOf(value));
  return ids;
}

} // namespace mlir::dtc
