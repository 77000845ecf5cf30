//===- SimulatedRanks.cpp - A training step on N ranks in one process -----===//
//
// Finds out which of the three forms a module has, brings inputs and variables
// to the ranks, and gathers what the step leaves behind.
//
//===----------------------------------------------------------------------===//

#include "ir/interpreter/SimulatedRanks.h"

#include "ir/DtcOps.h"

namespace mlir::dtc {

//===-- Trace
//---------------------------------------------------------------===//

/// Enters a part in the record of its op; clones on other stages share one.
static void addPart(std::vector<ValueRecord> &records, OpResult result,
                    size_t place, size_t placeCount, const HostTensor &tensor) {
  Operation *op = result.getOwner();
  auto type = cast<RankedTensorType>(result.getType());
  for (ValueRecord &record : records)
    if (record.op == op || (record.op->getName() == op->getName() &&
                            record.type == type && !record.parts[place])) {
      record.parts[place] = tensor;
      return;
    }
  records.push_back({op, type, Parts(placeCount)});
  records.back().parts[place] = tensor;
}

void StepTrace::record(OpResult result, size_t place, size_t placeCount,
                       const HostTensor &tensor) {
  Operation *op = result.getOwner();
  if (auto name = op->getAttrOfType<StringAttr>(kNameAttr)) {
    std::string key = name.getValue().str();
    if (result.getResultNumber() > 0)
      key += "#" + std::to_string(result.getResultNumber());
    addPart(values[key], result, place, placeCount, tensor);
  }
  if (auto parameter = op->getAttrOfType<FlatSymbolRefAttr>(kGradientOfAttr))
    addPart(gradients[parameter.getValue().str()], result, place, placeCount,
            tensor);
}

LogicalResult StepTrace::report(Operation *op, StringRef metric, double value) {
  auto [entry, isNew] = reports.try_emplace(metric.str(), value);
  bool isEqual = entry->second == value ||
                 (entry->second != entry->second && value != value);
  if (!isNew && !isEqual)
    return op->emitOpError("reports ")
           << metric << " as " << formatNumber(value)
           << " where another place reported " << formatNumber(entry->second);
  return success();
}

//===-- Set-up
//--------------------------------------------------------------===//

std::string getArgumentName(unsigned number) {
  return "argument" + std::to_string(number);
}

SimulatedRanks::SimulatedRanks(ModuleOp module, SimulationOptions options)
    : module(module), options(std::move(options)) {}

/// Schedules of the step are named `stage<s>.train`, of the evaluation
/// `stage<s>.evaluate`.
static StringRef getScheduleKind(StringRef function) {
  return function == "step" ? "train" : function;
}

static bool hasSchedules(ModuleOp module, StringRef kind) {
  return llvm::any_of(module.getOps<ScheduleOp>(), [&](ScheduleOp schedule) {
    return schedule.getSymName().ends_with(("." + kind).str());
  });
}

FailureOr<std::unique_ptr<SimulatedRanks>>
SimulatedRanks::create(ModuleOp module, SimulationOptions options) {
  std::unique_ptr<SimulatedRanks> ranks(new SimulatedRanks(module, options));
  Operation *root = module;
  if (!hasSchedules(module, getScheduleKind(options.function))) {
    ranks->function = module.lookupSymbol<func::FuncOp>(options.function);
    if (!ranks->function || ranks->function.isExternal())
      return module.emitError("no function @")
             << options.function << " with a body, and no schedules of it";
    root = ranks->function;
  }
  ranks->mesh = Mesh::find(root);
  if (!ranks->mesh.hasLayout())
    ranks->mesh = Mesh::find(module);
  ranks->variables =
      std::make_unique<VariableStore>(module, ranks->mesh, options.typed);
  if (failed(ranks->findInputs()) ||
      failed(ranks->variables->initialize(options.seed)))
    return failure();
  return ranks;
}

/// `fill` of an input in the module's `dtc.data`.
static std::optional<double> getDataFill(ModuleOp module, StringRef name) {
  auto data = module->getAttrOfType<DictionaryAttr>("dtc.data");
  auto inputs = data ? data.getAs<ArrayAttr>("inputs") : ArrayAttr();
  if (!inputs)
    return std::nullopt;
  for (auto input : inputs.getAsRange<DictionaryAttr>()) {
    auto inputName = input.getAs<StringAttr>("name");
    if (!inputName || inputName.getValue() != name)
      continue;
    if (auto fill = input.getAs<FloatAttr>("fill"))
      return fill.getValueAsDouble();
    if (auto fill = input.getAs<IntegerAttr>("fill"))
      return static_cast<double>(fill.getInt());
  }
  return std::nullopt;
}

/// Without `dtc.data` (hand-written IR) the ignore label that the losses name.
static double getIgnoreLabel(ModuleOp module, Type elementType) {
  if (!isa<IntegerType>(elementType))
    return 0;
  double ignore = 0;
  module.walk([&](Operation *op) {
    if (auto label = op->getAttrOfType<IntegerAttr>("ignore")) {
      ignore = static_cast<double>(label.getInt());
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return ignore;
}

LogicalResult SimulatedRanks::findInputs() {
  auto add = [&](std::string name, Type type) {
    for (const Input &input : inputs)
      if (input.name == name)
        return;
    auto ranked = cast<RankedTensorType>(type);
    inputs.push_back({});
    Input &input = inputs.back();
    input.name = name;
    input.type =
        RankedTensorType::get(getGlobalShape(ranked), ranked.getElementType());
    std::optional<double> fill = getDataFill(module, name);
    input.fill = fill ? *fill : getIgnoreLabel(module, ranked.getElementType());
  };
  if (function) {
    for (BlockArgument argument : function.getArguments()) {
      unsigned number = argument.getArgNumber();
      if (!isa<RankedTensorType>(argument.getType()))
        return function.emitError("argument ") << number << " is no tensor";
      auto name = function.getArgAttrOfType<StringAttr>(number, kInputNameAttr);
      add(name ? name.getValue().str() : getArgumentName(number),
          argument.getType());
    }
    return success();
  }
  WalkResult walked = module.walk([&](ReadBatchOp op) -> WalkResult {
    auto buffer = module.lookupSymbol<BufferOp>(op.getBuffer());
    if (!buffer)
      return op.emitOpError("names ")
             << op.getBuffer() << ", which is no buffer";
    add(op.getInput().str(), buffer.getType());
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

//===-- Inputs
//--------------------------------------------------------------===//

SmallVector<std::string> SimulatedRanks::getInputNames() const {
  SmallVector<std::string> names;
  for (const Input &input : inputs)
    names.push_back(input.name);
  return names;
}

const SimulatedRanks::Input *SimulatedRanks::findInput(StringRef name) const {
  for (const Input &input : inputs)
    if (input.name == name)
      return &input;
  return nullptr;
}

RankedTensorType SimulatedRanks::getInputType(StringRef name) const {
  const Input *input = findInput(name);
  return input ? input->type : RankedTensorType();
}

double SimulatedRanks::getInputFill(StringRef name) const {
  const Input *input = findInput(name);
  return input ? input->fill : 0;
}

LogicalResult SimulatedRanks::setInput(StringRef name,
                                       const HostTensor &global) {
  auto *input = const_cast<Input *>(findInput(name));
  if (!input)
    return module.emitError("no input is named ") << name;
  if (ArrayRef<int64_t>(global.shape) != input->type.getShape())
    return module.emitError("input ")
           << name << " has shape [" << input->type.getShape() << "], given ["
           << ArrayRef<int64_t>(global.shape) << "]";
  input->value = global;
  input->value.fill = input->fill;
  if (options.typed)
    roundToType(input->value, input->type.getElementType());
  input->isSet = true;
  return success();
}

//===-- Steps
//---------------------------------------------------------------===//

LogicalResult SimulatedRanks::runStep() {
  trace = StepTrace();
  Interpreter interpreter(mesh, options.typed);
  PlaceContext prototype;
  prototype.seed = options.seed;
  prototype.step = step++;
  auto lookup = [&](Operation *op, StringRef name) -> FailureOr<HostTensor> {
    const Input *input = findInput(name);
    if (!input || !input->isSet)
      return op->emitError("input ") << name << " was not given";
    return input->value;
  };
  if (function)
    return runLockstep(function, mesh, interpreter, *variables, lookup,
                       prototype, trace);
  return runSchedules(module, getScheduleKind(options.function), mesh,
                      interpreter, *variables, lookup, prototype, trace);
}

//===-- Values
//--------------------------------------------------------------===//

const ValueRecord *SimulatedRanks::getRecord(StringRef name) const {
  auto found = trace.values.find(name.str());
  return found == trace.values.end() ? nullptr : &found->second.back();
}

FailureOr<HostTensor> SimulatedRanks::getValue(StringRef name) const {
  const ValueRecord *record = getRecord(name);
  if (!record)
    return emitError(UnknownLoc::get(module.getContext()))
           << "no op of the last step has the name " << name;
  return assembleAll(record->op, record->type, mesh, record->parts);
}

FailureOr<HostTensor> SimulatedRanks::getGradient(StringRef parameter) const {
  auto found = trace.gradients.find(parameter.str());
  if (found == trace.gradients.end())
    return emitError(UnknownLoc::get(module.getContext()))
           << "no op of the last step is the gradient of " << parameter;
  const ValueRecord &record = found->second.back();
  return assembleAll(record.op, record.type, mesh, record.parts);
}

} // namespace mlir::dtc
