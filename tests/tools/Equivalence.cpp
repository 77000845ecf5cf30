//===- Equivalence.cpp - Does a module mean the same? ---------------------===//
//
// Each step starts from the reference's state, so a difference is that step's
// own and never an echo of an earlier one.
//
//===----------------------------------------------------------------------===//

#include "tests/tools/Equivalence.h"

#include "ir/DtcOps.h"

#include <random>

namespace mlir::dtc::test {

//===-- Drawn values
//--------------------------------------------------------===//

/// Classes that a label input speaks of; 0 for an input that only says which
/// samples are present.
static int64_t findClasses(ModuleOp module, StringRef function,
                           StringRef input) {
  auto step = module.lookupSymbol<func::FuncOp>(function);
  int64_t classes = 0;
  for (BlockArgument argument :
       step ? step.getArguments() : Block::BlockArgListType()) {
    auto name = step.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                  kInputNameAttr);
    if (name && name.getValue() != input)
      continue;
    for (Operation *user : argument.getUsers())
      if (auto pick = dyn_cast<PickOp>(user))
        classes = getGlobalShape(pick.getLogits().getType()).back();
  }
  return classes;
}

static HostTensor drawFloats(RankedTensorType type, std::mt19937_64 &random) {
  HostTensor tensor(type.getShape());
  // Multiples of 1/8 are exact in every element type.
  std::uniform_int_distribution<int> eighths(-16, 16);
  for (double &x : tensor.elements)
    x = eighths(random) / 8.0;
  return tensor;
}

static HostTensor drawLabels(RankedTensorType type, int64_t classes,
                             double ignore, std::mt19937_64 &random) {
  HostTensor tensor(type.getShape());
  std::uniform_int_distribution<int64_t> label(
      0, std::max<int64_t>(classes, 1) - 1);
  std::uniform_int_distribution<int> die(1, 6);
  for (double &x : tensor.elements) {
    x = classes ? static_cast<double>(label(random)) : 1;
    if (ignore != 0 && die(random) == 1)
      x = ignore;
  }
  return tensor;
}

/// The inputs of one step: what is given, else drawn.
static LogicalResult makeInputs(ModuleOp module, SimulatedRanks &ranks,
                                const EquivalenceOptions &options, int64_t step,
                                StepOutcome &outcome) {
  std::mt19937_64 random(options.seed * 7919 + step);
  for (const std::string &name : ranks.getInputNames()) {
    RankedTensorType type = ranks.getInputType(name);
    auto given = options.given.find(name);
    if (given != options.given.end()) {
      FailureOr<HostTensor> tensor =
          shapeNumbers(module.getLoc(), name, given->second, type);
      if (failed(tensor))
        return failure();
      outcome.inputs[name] = *tensor;
    } else if (isa<FloatType>(type.getElementType()))
      outcome.inputs[name] = drawFloats(type, random);
    else
      outcome.inputs[name] =
          drawLabels(type, findClasses(module, options.function, name),
                     ranks.getInputFill(name), random);
  }
  return success();
}

/// Initial values that are given, and drawn ones for files.
static LogicalResult setInitialValues(ModuleOp module, SimulatedRanks &ranks,
                                      const EquivalenceOptions &options) {
  std::mt19937_64 random(options.seed * 104729 + 1);
  VariableStore &variables = ranks.getVariables();
  for (VariableOp op : module.getOps<VariableOp>()) {
    auto kind = op.getInit().getAs<StringAttr>("kind");
    if (!kind || kind.getValue() != "file" || op.getMembers())
      continue;
    if (failed(variables.set(
            op.getSymName(),
            drawFloats(variables.getType(op.getSymName()), random))))
      return failure();
  }
  for (const std::string &name : variables.getNames()) {
    auto given = options.given.find(name);
    if (given == options.given.end())
      continue;
    FailureOr<HostTensor> value = shapeNumbers(
        module.getLoc(), name, given->second, variables.getType(name));
    if (failed(value) || failed(variables.set(name, *value)))
      return failure();
  }
  return success();
}

//===-- Steps
//---------------------------------------------------------------===//

static LogicalResult gatherOutputs(SimulatedRanks &ranks,
                                   StepOutcome &outcome) {
  const StepTrace &trace = ranks.getTrace();
  for (const auto &[metric, value] : trace.reports)
    outcome.outputs["report/" + metric] =
        HostTensor(ArrayRef<int64_t>(), value);
  for (auto [i, result] : llvm::enumerate(trace.results))
    outcome.outputs["result/" + std::to_string(i)] = result;
  for (const std::string &name : ranks.getVariables().getNames()) {
    FailureOr<HostTensor> value = ranks.getVariables().get(name);
    if (failed(value))
      return failure();
    outcome.outputs["variable/" + name] = *value;
  }
  for (const auto &[parameter, records] : trace.gradients) {
    FailureOr<HostTensor> value = ranks.getGradient(parameter);
    if (failed(value))
      return failure();
    outcome.outputs["gradient/" + parameter] = *value;
  }
  return success();
}

static LogicalResult runOneStep(SimulatedRanks &ranks, StepOutcome &outcome) {
  for (const auto &[name, tensor] : outcome.inputs)
    if (failed(ranks.setInput(name, tensor)))
      return failure();
  if (failed(ranks.runStep()))
    return failure();
  return gatherOutputs(ranks, outcome);
}

FailureOr<std::vector<StepOutcome>>
runReference(ModuleOp module, const EquivalenceOptions &options) {
  FailureOr<std::unique_ptr<SimulatedRanks>> ranks = SimulatedRanks::create(
      module, {options.function, options.typed, options.seed});
  if (failed(ranks) || failed(setInitialValues(module, **ranks, options)))
    return failure();
  std::vector<StepOutcome> outcomes(options.steps);
  for (int64_t step = 0; step < options.steps; ++step) {
    StepOutcome &outcome = outcomes[step];
    if (failed(makeInputs(module, **ranks, options, step, outcome)))
      return failure();
    for (const std::string &name : (*ranks)->getVariables().getNames()) {
      FailureOr<HostTensor> value = (*ranks)->getVariables().get(name);
      if (failed(value))
        return failure();
      outcome.before[name] = *value;
    }
    if (failed(runOneStep(**ranks, outcome)))
      return failure();
    for (const auto &[name, records] : (*ranks)->getTrace().values)
      if (FailureOr<HostTensor> value = (*ranks)->getValue(name);
          succeeded(value))
        outcome.values[name] = *value;
  }
  return outcomes;
}

//===-- Comparisons
//---------------------------------------------------------===//

static void note(Comparison &comparison, const std::string &name,
                 double difference) {
  ++comparison.outputCount;
  if (difference > comparison.maxRelativeDifference ||
      comparison.worst.empty()) {
    comparison.maxRelativeDifference = difference;
    comparison.worst = name;
  }
}

FailureOr<Comparison> compare(ModuleOp module, ArrayRef<StepOutcome> reference,
                              const EquivalenceOptions &options,
                              std::unique_ptr<SimulatedRanks> &ranks) {
  FailureOr<std::unique_ptr<SimulatedRanks>> created = SimulatedRanks::create(
      module, {options.function, options.typed, options.seed});
  if (failed(created))
    return failure();
  ranks = std::move(*created);
  Comparison comparison;
  for (const StepOutcome &expected : reference) {
    StepOutcome found;
    found.inputs = expected.inputs;
    for (const auto &[name, value] : expected.before)
      if (failed(ranks->getVariables().set(name, value)))
        return failure();
    if (failed(runOneStep(*ranks, found)))
      return failure();
    for (const auto &[name, value] : expected.outputs) {
      auto output = found.outputs.find(name);
      if (output != found.outputs.end())
        note(comparison, name, getRelativeDifference(value, output->second));
      else if (!StringRef(name).starts_with("gradient/"))
        return module.emitError("the reference has ")
               << name << ", which the module after the passes lacks";
    }
  }
  if (comparison.outputCount == 0)
    return module.emitError(
        "there is nothing to compare: no report, no result, no variable");
  return comparison;
}

/// The loss of one step from the state before it, with one variable replaced.
static FailureOr<double> runLoss(SimulatedRanks &ranks,
                                 const StepOutcome &outcome, StringRef variable,
                                 const HostTensor &value) {
  StepOutcome run;
  run.inputs = outcome.inputs;
  ranks.setStep(0);
  for (const auto &[name, before] : outcome.before)
    if (failed(
            ranks.getVariables().set(name, name == variable ? value : before)))
      return failure();
  if (failed(runOneStep(ranks, run)))
    return failure();
  return run.outputs["report/loss"][0];
}

FailureOr<Comparison> compareDifferences(ModuleOp module,
                                         const StepOutcome &outcome,
                                         const EquivalenceOptions &options,
                                         int64_t elementCount) {
  constexpr double kStep = 0x1p-16;
  FailureOr<std::unique_ptr<SimulatedRanks>> ranks = SimulatedRanks::create(
      module, {options.function, options.typed, options.seed});
  if (failed(ranks))
    return failure();
  auto scale = outcome.before.find(kLossScaleVariable.str());
  Comparison comparison;
  for (const auto &[key, gradient] : outcome.outputs) {
    StringRef name = key;
    if (!name.consume_front("gradient/"))
      continue;
    const HostTensor &parameter = outcome.before.at(name.str());
    int64_t stride =
        std::max<int64_t>(1, parameter.getElementCount() / elementCount);
    HostTensor claimed, found;
    for (int64_t i = 0; i < parameter.getElementCount(); i += stride) {
      HostTensor above = parameter, below = parameter;
      above[i] += kStep;
      below[i] -= kStep;
      FailureOr<double> high = runLoss(**ranks, outcome, name, above);
      FailureOr<double> low = runLoss(**ranks, outcome, name, below);
      if (failed(high) || failed(low))
        return failure();
      found.elements.push_back((*high - *low) / (2 * kStep));
      claimed.elements.push_back(
          gradient[i] / (scale == outcome.before.end() ? 1 : scale->second[0]));
    }
    // Rounding of the loss limits a small gradient's differences absolutely.
    double relative = getRelativeDifference(claimed, found);
    for (double &x : claimed.elements)
      x += 1;
    for (double &x : found.elements)
      x += 1;
    note(comparison, key,
         std::min(relative, getRelativeDifference(claimed, found)));
  }
  if (comparison.outputCount == 0)
    return module.emitError("no op says that it is a parameter's gradient");
  return comparison;
}

/// What an expected number speaks of; null where the step has no such thing.
static std::optional<HostTensor> findOutput(const StepOutcome &outcome,
                                            StringRef kind, StringRef name) {
  bool isUnscaled = kind == "unscaled", isValue = kind == "value";
  const auto &outputs = isValue ? outcome.values : outcome.outputs;
  auto found = outputs.find(
      isValue ? name.str()
              : ((isUnscaled ? "gradient" : kind) + "/" + name).str());
  if (found == outputs.end())
    return std::nullopt;
  HostTensor tensor = found->second;
  auto scale = outcome.before.find(kLossScaleVariable.str());
  if (isUnscaled && scale != outcome.before.end())
    for (double &x : tensor.elements)
      x /= scale->second[0];
  return tensor;
}

FailureOr<Comparison> compareExpected(ModuleOp module,
                                      ArrayRef<StepOutcome> outcomes,
                                      const NamedNumbers &expected) {
  Comparison comparison;
  for (const auto &[key, numbers] : expected) {
    auto [part, name] = StringRef(key).split('/');
    auto [kind, stepText] = part.split('.');
    size_t step;
    if (stepText.getAsInteger(10, step) || step < 1 || step > outcomes.size())
      return module.emitError("expected numbers under @")
             << part << "; a part is a kind and one of " << outcomes.size()
             << " steps, as @report.1";
    std::optional<HostTensor> found =
        findOutput(outcomes[step - 1], kind, name);
    if (!found)
      return module.emitError("step ")
             << step << " has no " << kind << " named " << name;
    HostTensor wanted(found->shape);
    if (numbers.size() != wanted.elements.size())
      return module.emitError()
             << key << " has " << wanted.elements.size()
             << " elements, expected numbers are " << numbers.size();
    wanted.elements = numbers;
    note(comparison, key, getRelativeDifference(wanted, *found));
  }
  return comparison;
}

} // namespace mlir::dtc::test
