//===- OptimizeStep.cpp - Append the tail of the step ---------------------===//
//
// Flag, unscale, norm, clip, update, scale: one sequence, in this order,
// because each guards the next. The flag is judged on still scaled gradients
// (unscaling could hide an overflow), the norm on unscaled ones, and the scale
// moves last, so that every op of the tail sees the scale that the gradients
// were made with. Nothing branches: a step with a flag stores the old values.
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"
#include "passes/StepFunctions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#define DEBUG_TYPE "dtc-optimize-step"

namespace mlir::dtc {
#define GEN_PASS_DEF_OPTIMIZESTEPPASS
#include "passes/Passes.h.inc"

namespace {

/// A trainable parameter and its gradient on the way through the tail.
struct Trained {
  VariableOp parameter;
  Value gradient; ///< scaled, then unscaled
  StringRef name() { return parameter.getSymName(); }
};

/// Numbers of the module's dtc.optimizer and dtc.loss_scale.
struct Settings {
  bool isAdamW = true;
  double rate = 0, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, momentum = 0;
  std::optional<double> clipNorm;
  int64_t growthInterval = 0;
  double growth = 2, backoff = 0.5;
};

std::optional<double> getNumber(DictionaryAttr dictionary, StringRef name) {
  if (auto value = dyn_cast_or_null<FloatAttr>(dictionary.get(name)))
    return value.getValueAsDouble();
  return std::nullopt;
}

FailureOr<Settings> readSettings(ModuleOp module) {
  Settings settings;
  auto optimizer = module->getAttrOfType<DictionaryAttr>(kOptimizerAttr);
  if (!optimizer)
    return module.emitError("has no ") << kOptimizerAttr;
  auto kind = dyn_cast_or_null<StringAttr>(optimizer.get("kind"));
  if (!kind || (kind != "adamw" && kind != "sgd"))
    return module.emitError("optimizer.kind is ")
           << optimizer.get("kind") << ", expected \"adamw\" or \"sgd\"";
  settings.isAdamW = kind == "adamw";
  std::optional<double> rate = getNumber(optimizer, "lr");
  if (!rate)
    return module.emitError("optimizer.lr is missing, expected a number");
  settings.rate = *rate;
  auto read = [&](StringRef name, double &value) {
    if (std::optional<double> number = getNumber(optimizer, name))
      value = *number;
  };
  read("beta1", settings.beta1);
  read("beta2", settings.beta2);
  read("eps", settings.epsilon);
  read("momentum", settings.momentum);
  settings.clipNorm = getNumber(optimizer, "clip_norm");
  if (auto scale = module->getAttrOfType<DictionaryAttr>(kLossScaleAttr)) {
    if (auto interval = scale.getAs<IntegerAttr>("growth_interval"))
      settings.growthInterval = interval.getInt();
    settings.growth = getNumber(scale, "growth").value_or(settings.growth);
    settings.backoff = getNumber(scale, "backoff").value_or(settings.backoff);
  }
  return settings;
}

class TailBuilder {
public:
  TailBuilder(ModuleOp module, func::FuncOp step, const Settings &settings)
      : module(module), step(step), settings(settings),
        builder(step.front().getTerminator()), loc(step.getLoc()),
        float32(RankedTensorType::get({}, builder.getF32Type())),
        int32(RankedTensorType::get({}, builder.getI32Type())) {}

  LogicalResult build();

private:
  LogicalResult findTrained();
  FailureOr<Value> read(StringRef variable);
  Value readState(VariableOp parameter, StringRef suffix);
  void store(Value value, const Twine &variable);
  void report(Value value, StringRef metric);
  template <typename OpTy>
  OpTy named(OpTy op, const Twine &name) {
    setNameAndPhase(op, name, StepPhase::Update);
    return op;
  }

  Value buildFlag(Value count);
  Value buildSumOfSquares(Value scale);
  Value buildFactor(Value sumOfSquares);
  void buildAdamW(Trained &trained, Value factor, Value flag, Value rate,
                  Value stepCount);
  void buildSgd(Trained &trained, Value factor, Value flag, Value rate);
  LogicalResult buildAdvance(Value scale, Value flag, Value stepCount);
  ArrayAttr makeTerms(ArrayRef<StringRef> names);

  ModuleOp module;
  func::FuncOp step;
  Settings settings;
  OpBuilder builder;
  Location loc;
  RankedTensorType float32, int32;
  SmallVector<Trained> trained;
};

LogicalResult TailBuilder::findTrained() {
  llvm::StringMap<Value> gradients;
  for (Operation &op : step.front())
    if (auto of = op.getAttrOfType<FlatSymbolRefAttr>(kGradientOfAttr))
      gradients[of.getValue()] = op.getResult(0);
  for (auto variable : module.getOps<VariableOp>())
    if (Value gradient = gradients.lookup(variable.getSymName()))
      trained.push_back({variable, gradient});
  if (trained.empty())
    return step.emitOpError("holds no gradient, run dtc-differentiate before "
                            "dtc-optimize-step");
  return success();
}

/// The variable's read: that of the forward graph where it has one.
FailureOr<Value> TailBuilder::read(StringRef variable) {
  for (auto op : step.getOps<ReadOp>())
    if (op.getVariable() == variable)
      return op.getResult();
  auto symbol = module.lookupSymbol<VariableOp>(variable);
  if (!symbol)
    return module.emitError("declares no variable @")
           << variable << ", expected one from import";
  auto op = builder.create<ReadOp>(loc, symbol.getType(), variable);
  return named(op, variable).getResult();
}

/// Declares `@<parameter>.<suffix>`, zero at the start, and reads it.
Value TailBuilder::readState(VariableOp parameter, StringRef suffix) {
  std::string name = (parameter.getSymName() + "." + suffix).str();
  OpBuilder::InsertionGuard guard(builder);
  // After the parameter and the states that it already has.
  Operation *last = parameter;
  while (auto next = dyn_cast_or_null<VariableOp>(last->getNextNode())) {
    if (next.getOf() != parameter.getSymName())
      break;
    last = next;
  }
  builder.setInsertionPointAfter(last);
  auto zeros = builder.getDictionaryAttr(
      builder.getNamedAttr("kind", builder.getStringAttr("zeros")));
  auto state = builder.create<VariableOp>(
      parameter.getLoc(), builder.getStringAttr(name), parameter.getTypeAttr(),
      zeros, builder.getStringAttr("state"),
      FlatSymbolRefAttr::get(parameter.getSymNameAttr()), ArrayAttr(),
      ArrayAttr(), builder.getF64FloatAttr(0.0), builder.getF64FloatAttr(1.0),
      UnitAttr());
  builder.setInsertionPoint(step.front().getTerminator());
  return named(builder.create<ReadOp>(loc, state.getType(), name), name)
      .getResult();
}

void TailBuilder::store(Value value, const Twine &variable) {
  auto symbol = FlatSymbolRefAttr::get(builder.getContext(), variable.str());
  named(builder.create<StoreOp>(loc, value, symbol), variable + ".store");
}

void TailBuilder::report(Value value, StringRef metric) {
  named(builder.create<ReportOp>(loc, value, metric), "report." + metric);
}

ArrayAttr TailBuilder::makeTerms(ArrayRef<StringRef> names) {
  SmallVector<Attribute> terms;
  for (StringRef name : names)
    terms.push_back(builder.getArrayAttr({builder.getStringAttr(name)}));
  return builder.getArrayAttr(terms);
}

Value TailBuilder::buildFlag(Value count) {
  SmallVector<Value> bits;
  SmallVector<StringRef> names;
  for (Trained &one : trained) {
    auto bit = builder.create<NonfiniteBitOp>(loc, int32, one.gradient);
    bits.push_back(named(bit, one.name() + ".nonfinite").getResult());
    names.push_back(one.name());
  }
  bits.push_back(
      named(builder.create<EmptyBitOp>(loc, int32, count), "N.empty"));
  names.push_back("N");
  auto flag = builder.create<OrOp>(loc, int32, bits, makeTerms(names));
  return named(flag, "flag").getResult();
}

/// Unscales each gradient and sums their squares.
Value TailBuilder::buildSumOfSquares(Value scale) {
  SmallVector<Value> squares;
  SmallVector<StringRef> names;
  for (Trained &one : trained) {
    auto unscaled = builder.create<UnscaleOp>(loc, one.gradient.getType(),
                                              one.gradient, scale);
    one.gradient = named(unscaled, one.name() + ".unscaled").getResult();
    names.push_back(one.name());
  }
  for (Trained &one : trained) {
    auto sum = builder.create<SumSquaresOp>(loc, float32, one.gradient,
                                            /*reduce_dtype=*/TypeAttr());
    squares.push_back(named(sum, one.name() + ".squares").getResult());
  }
  auto sum = builder.create<SumOp>(loc, float32, squares, makeTerms(names));
  return named(sum, "grad_norm.squares").getResult();
}

Value TailBuilder::buildFactor(Value sumOfSquares) {
  if (settings.clipNorm) {
    auto factor = builder.create<ClipFactorOp>(
        loc, float32, sumOfSquares,
        builder.getF64FloatAttr(*settings.clipNorm));
    return named(factor, "clip").getResult();
  }
  auto one = DenseElementsAttr::get(float32, 1.0f);
  return named(builder.create<ConstantOp>(loc, float32, one), "clip")
      .getResult();
}

void TailBuilder::buildAdamW(Trained &one, Value factor, Value flag, Value rate,
                             Value stepCount) {
  Value value = *read(one.name());
  Value first = readState(one.parameter, "m");
  Value second = readState(one.parameter, "v");
  Type type = value.getType();
  int64_t elements = cast<RankedTensorType>(type).getNumElements();
  auto update = builder.create<AdamWOp>(
      loc, type, type, type, value, first, second, one.gradient, factor, flag,
      rate, stepCount, builder.getF64FloatAttr(settings.beta1),
      builder.getF64FloatAttr(settings.beta2),
      builder.getF64FloatAttr(settings.epsilon),
      builder.getDenseI64ArrayAttr(elements),
      builder.getDenseF64ArrayAttr(one.parameter.getDecay().convertToDouble()),
      builder.getDenseF64ArrayAttr(one.parameter.getRate().convertToDouble()));
  named(update, one.name() + ".update");
  store(update.getNewValue(), one.name());
  store(update.getNewFirstMoment(), one.name() + ".m");
  store(update.getNewSecondMoment(), one.name() + ".v");
}

void TailBuilder::buildSgd(Trained &one, Value factor, Value flag, Value rate) {
  Value value = *read(one.name());
  bool hasState = settings.momentum != 0;
  Value state = hasState ? readState(one.parameter, "momentum") : Value();
  Type type = value.getType();
  int64_t elements = cast<RankedTensorType>(type).getNumElements();
  auto update = builder.create<SgdOp>(
      loc, type, hasState ? type : Type(), value, state, one.gradient, factor,
      flag, rate, builder.getF64FloatAttr(settings.momentum),
      builder.getDenseI64ArrayAttr(elements),
      builder.getDenseF64ArrayAttr(one.parameter.getDecay().convertToDouble()),
      builder.getDenseF64ArrayAttr(one.parameter.getRate().convertToDouble()));
  named(update, one.name() + ".update");
  store(update.getNewValue(), one.name());
  if (hasState)
    store(update.getNewMomentumState(), one.name() + ".momentum");
}

LogicalResult TailBuilder::buildAdvance(Value scale, Value flag,
                                        Value stepCount) {
  FailureOr<Value> good = read(kGoodStepsVariable);
  if (failed(good))
    return failure();
  auto advance = builder.create<AdvanceOp>(
      loc, stepCount.getType(), scale.getType(), good->getType(), stepCount,
      scale, *good, flag, builder.getI64IntegerAttr(settings.growthInterval),
      builder.getF64FloatAttr(settings.growth),
      builder.getF64FloatAttr(settings.backoff));
  named(advance, "advance");
  store(advance.getNewStep(), kStepVariable);
  store(advance.getNewScale(), kLossScaleVariable);
  store(advance.getNewGood(), kGoodStepsVariable);
  report(advance.getNewScale(), "loss_scale");
  return success();
}

LogicalResult TailBuilder::build() {
  FailureOr<Loss> loss = findLoss(step);
  if (failed(loss) || failed(findTrained()))
    return failure();
  FailureOr<Value> scale = read(kLossScaleVariable);
  FailureOr<Value> stepCount = read(kStepVariable);
  if (failed(scale) || failed(stepCount))
    return failure();

  Value flag = buildFlag(loss->getDivisor());
  Value squares = buildSumOfSquares(*scale);
  Value norm =
      named(builder.create<SqrtOp>(loc, float32, squares), "grad_norm");
  Value factor = buildFactor(squares);
  Value rate = named(
      builder.create<LearningRateOp>(loc, float32, *stepCount,
                                     builder.getF64FloatAttr(settings.rate)),
      "learning_rate");
  for (Trained &one : trained) {
    if (settings.isAdamW)
      buildAdamW(one, factor, flag, rate, *stepCount);
    else
      buildSgd(one, factor, flag, rate);
  }
  report(norm, "grad_norm");
  report(flag, "flag");
  report(rate, "lr");
  return buildAdvance(*scale, flag, *stepCount);
}

struct OptimizeStepPass : public impl::OptimizeStepPassBase<OptimizeStepPass> {
  using OptimizeStepPassBase::OptimizeStepPassBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    func::FuncOp step = findTrainStep(module);
    if (!step)
      return signalPassFailure();
    FailureOr<Settings> settings = readSettings(module);
    if (failed(settings) ||
        failed(TailBuilder(module, step, *settings).build()))
      signalPassFailure();
  }
};

} // namespace
} // namespace mlir::dtc
