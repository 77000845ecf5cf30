//===- RandomGraph.cpp - Random models for run-tests ----------------------===//
//
// Grows a list of [batch, width] values by random layers, then puts a loss on
// the last one. Everything is named and marked as import does it, so the whole
// pipeline can follow.
//
//===----------------------------------------------------------------------===//

#include "tests/tools/RandomGraph.h"

#include "ir/DtcOps.h"

#include <random>

namespace mlir::dtc::test {
namespace {

class Generator {
public:
  Generator(MLIRContext &context, uint64_t seed)
      : builder(&context), random(seed) {}

  OwningOpRef<ModuleOp> make();

private:
  int64_t draw(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  bool chance(int64_t percent) { return draw(1, 100) <= percent; }
  RankedTensorType type(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, builder.getF32Type());
  }
  RankedTensorType scalar(Type elementType) {
    return RankedTensorType::get({}, elementType);
  }
  int64_t width(Value value) {
    return cast<RankedTensorType>(value.getType()).getShape().back();
  }
  template <typename Op, typename... Args>
  Op create(const std::string &name, Args &&...args) {
    auto op = builder.create<Op>(NameLoc::get(builder.getStringAttr(name)),
                                 std::forward<Args>(args)...);
    op->setAttr(kNameAttr, builder.getStringAttr(name));
    op->setAttr(kPhaseAttr, builder.getStringAttr("forward"));
    return op;
  }

  void setAttributes(ModuleOp module);
  void addVariable(const std::string &name, RankedTensorType type,
                   StringRef role, double initial, bool isRandom);
  Value addParameter(const std::string &name, ArrayRef<int64_t> shape);
  void addScalars();
  DictionaryAttr describeInput(StringRef name, Type elementType,
                               ArrayRef<int64_t> shape, double fill);

  Value pickValue() { return values[draw(0, values.size() - 1)]; }
  Value addLinear(const std::string &name, Value input);
  Value addPair(const std::string &name, Value input);
  Value addSlices(const std::string &name, Value input);
  Value addGate(const std::string &name, Value input);
  Value addTranspose(const std::string &name, Value input);
  Value addLayer(const std::string &name, Value input);
  void addLoss(Value prediction, Value target, Value labels);

  OpBuilder builder;
  std::mt19937_64 random;
  OpBuilder::InsertPoint variableEnd;
  int64_t batch = 1;
  bool hasLabels = false;
  Value scale;
  SmallVector<Value> values;  ///< [batch, width], that layers may read
  SmallVector<Value> weights; ///< that a later layer may tie
};

//===-- Module
//--------------------------------------------------------------===//

DictionaryAttr Generator::describeInput(StringRef name, Type elementType,
                                        ArrayRef<int64_t> shape, double fill) {
  NamedAttrList input;
  input.set("name", builder.getStringAttr(name));
  input.set("dtype", TypeAttr::get(elementType));
  input.set("shape", builder.getDenseI64ArrayAttr(shape));
  input.set("fill", builder.getF64FloatAttr(fill));
  input.set("validity", builder.getBoolAttr(name == "valid"));
  return input.getDictionary(builder.getContext());
}

void Generator::setAttributes(ModuleOp module) {
  MLIRContext *context = builder.getContext();
  auto real = [&](double value) { return builder.getF64FloatAttr(value); };
  module->setAttr(
      kPlanAttr, PlanAttr::get(context, 1, 1, 1, 1, 0, ScheduleKind::OneFOneB));
  module->setAttr("dtc.seed", builder.getI64IntegerAttr(draw(0, 1000)));
  module->setAttr(kComputeAttr, TypeAttr::get(builder.getF32Type()));
  NamedAttrList optimizer;
  bool isAdamW = chance(50);
  optimizer.set("kind", builder.getStringAttr(isAdamW ? "adamw" : "sgd"));
  optimizer.set("lr", real(0.125));
  optimizer.set("beta1", real(0.5));
  optimizer.set("beta2", real(0.75));
  optimizer.set("eps", real(0.125));
  optimizer.set("momentum", real(chance(50) ? 0.5 : 0));
  if (chance(50))
    optimizer.set("clip_norm", real(2));
  module->setAttr(kOptimizerAttr, optimizer.getDictionary(context));
  if (chance(50)) {
    NamedAttrList lossScale;
    lossScale.set("initial", real(8));
    lossScale.set("growth_interval", builder.getI64IntegerAttr(2));
    lossScale.set("growth", real(2));
    lossScale.set("backoff", real(0.5));
    module->setAttr(kLossScaleAttr, lossScale.getDictionary(context));
  }
}

void Generator::addVariable(const std::string &name, RankedTensorType type,
                            StringRef role, double initial, bool isRandom) {
  OpBuilder::InsertionGuard guard(builder);
  builder.restoreInsertionPoint(variableEnd);
  NamedAttrList init;
  init.set("kind", builder.getStringAttr(isRandom ? "normal" : "constant"));
  if (isRandom) {
    init.set("mean", builder.getF64FloatAttr(0));
    init.set("std", builder.getF64FloatAttr(0.5));
  } else
    init.set("value", builder.getF64FloatAttr(initial));
  bool isWeight = type.getRank() == 2;
  builder.create<VariableOp>(
      NameLoc::get(builder.getStringAttr(name)), builder.getStringAttr(name),
      TypeAttr::get(type), init.getDictionary(builder.getContext()),
      builder.getStringAttr(role), FlatSymbolRefAttr(), ArrayAttr(),
      ArrayAttr(), builder.getF64FloatAttr(isWeight ? 0.25 : 0),
      builder.getF64FloatAttr(1.0), UnitAttr());
  variableEnd = builder.saveInsertionPoint();
}

Value Generator::addParameter(const std::string &name,
                              ArrayRef<int64_t> shape) {
  addVariable(name, type(shape), "parameter", 0, /*isRandom=*/true);
  return create<ReadOp>(name, type(shape), name);
}

void Generator::addScalars() {
  auto module = cast<ModuleOp>(variableEnd.getBlock()->getParentOp());
  bool hasScale = module->hasAttr(kLossScaleAttr);
  addVariable(kStepVariable.str(), scalar(builder.getI32Type()), "scalar", 0,
              false);
  addVariable(kLossScaleVariable.str(), scalar(builder.getF32Type()), "scalar",
              hasScale ? 8 : 1, false);
  addVariable(kGoodStepsVariable.str(), scalar(builder.getI32Type()), "scalar",
              0, false);
}

//===-- Layers
//--------------------------------------------------------------===//

Value Generator::addLinear(const std::string &name, Value input) {
  Value weight;
  for (Value tied : weights)
    if (width(tied) == width(input) && chance(40))
      weight = tied;
  if (!weight) {
    weight = addParameter(name + ".weight", {draw(1, 6), width(input)});
    weights.push_back(weight);
  }
  int64_t outputs = cast<RankedTensorType>(weight.getType()).getDimSize(0);
  RankedTensorType result = type({batch, outputs});
  bool hasBias = chance(60), hasRelu = chance(60);
  bool isLast = !hasBias && !hasRelu;
  Value value =
      create<MatMulOp>(isLast ? name : name + ".matmul", result, input, weight,
                       UnitAttr(), builder.getUnitAttr(), TypeAttr());
  if (hasBias)
    value = create<AddOp>(hasRelu ? name + ".bias_add" : name, result, value,
                          addParameter(name + ".bias", {outputs}));
  if (hasRelu)
    value = create<ReluOp>(name, result, value);
  return value;
}

/// A residual sum, a product or a difference with an equally wide value.
Value Generator::addPair(const std::string &name, Value input) {
  Value other = input;
  for (Value value : values)
    if (width(value) == width(input) && chance(60))
      other = value;
  Type result = input.getType();
  int64_t kind = draw(0, 3);
  if (kind == 0)
    return create<MulOp>(name, result, input, other);
  if (kind == 1)
    return create<SubOp>(name, result, input, other);
  auto sum = create<AddOp>(name, result, input, other);
  sum->setAttr(kResidualAttr, builder.getUnitAttr());
  for (Value operand : {input, other})
    if (Operation *op = operand.getDefiningOp())
      op->setAttr(kResidualAttr, builder.getUnitAttr());
  return sum;
}

/// The sum of two overlapping slices (each column may be read twice).
Value Generator::addSlices(const std::string &name, Value input) {
  int64_t columns = draw(1, width(input));
  RankedTensorType part = type({batch, columns});
  auto slice = [&](const std::string &suffix) {
    return create<SliceOp>(
        name + suffix, part, input,
        builder.getDenseI64ArrayAttr({0, draw(0, width(input) - columns)}));
  };
  Value first = slice(".first"), second = slice(".second");
  return create<AddOp>(name, part, first, second);
}

/// The input times the sum of its own row.
Value Generator::addGate(const std::string &name, Value input) {
  auto sum = create<ReduceSumOp>(name + ".sum", type({batch}), input,
                                 builder.getDenseI64ArrayAttr({1}), TypeAttr());
  auto repeated = create<BroadcastOp>(name + ".repeat", input.getType(), sum,
                                      builder.getDenseI64ArrayAttr({0}));
  return create<MulOp>(name, input.getType(), input, repeated);
}

/// A linear layer whose weight is kept as [in, out] and transposed.
Value Generator::addTranspose(const std::string &name, Value input) {
  int64_t outputs = draw(1, 6);
  Value weight = addParameter(name + ".weight", {width(input), outputs});
  auto turned =
      create<TransposeOp>(name + ".turn", type({outputs, width(input)}), weight,
                          builder.getDenseI64ArrayAttr({1, 0}));
  return create<MatMulOp>(name, type({batch, outputs}), input, turned,
                          UnitAttr(), builder.getUnitAttr(), TypeAttr());
}

Value Generator::addLayer(const std::string &name, Value input) {
  switch (draw(0, 9)) {
  case 0:
    return addPair(name, input);
  case 1:
    return addSlices(name, input);
  case 2:
    return addGate(name, input);
  case 3:
    return addTranspose(name, input);
  case 4:
    return create<DropoutOp>(name, input.getType(), input,
                             builder.getF64FloatAttr(0.25),
                             builder.getStringAttr(name));
  case 5:
    return create<MulOp>(name, input.getType(), input,
                         addParameter(name + ".gain", {width(input)}));
  default:
    return addLinear(name, input);
  }
}

//===-- Loss
//----------------------------------------------------------------===//

void Generator::addLoss(Value prediction, Value target, Value labels) {
  auto ignore = builder.getI64IntegerAttr(-100);
  auto countType = scalar(builder.getI64Type());
  auto lossType = scalar(builder.getF32Type());
  Value count = create<CountValidOp>("loss.valid", countType, labels, ignore);
  Value loss;
  if (hasLabels) {
    auto rows = type({batch});
    Value max = create<RowMaxOp>("loss.row_max", rows, prediction);
    Value sum =
        create<SumExpOp>("loss.sum_exp", rows, prediction, max, TypeAttr());
    Value pick = create<PickOp>("loss.pick", rows, prediction, labels, ignore,
                                TypeAttr());
    loss = create<CrossEntropyOp>("loss", lossType, max, sum, pick, labels,
                                  count, scale, ignore, TypeAttr());
  } else if (target)
    loss = create<SquaredErrorOp>("loss", lossType, prediction, target, labels,
                                  count, scale, ignore, TypeAttr());
  else
    loss = create<LinearLossOp>("loss", lossType, prediction, labels, count,
                                scale, ignore, TypeAttr());
  create<ReportOp>("report.loss", loss, "loss");
  create<ReportOp>("report.valid", count, "valid");
}

//===-- All of it
//-----------------------------------------------------------===//

OwningOpRef<ModuleOp> Generator::make() {
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(builder.getUnknownLoc(), "random");
  builder.setInsertionPointToStart(module->getBody());
  setAttributes(*module);

  batch = draw(2, 7);
  int64_t inputWidth = draw(1, 5), outputs = draw(2, 5);
  int64_t loss = draw(0, 2); // cross entropy, squared error, linear
  hasLabels = loss == 0;
  SmallVector<Type> types{type({batch, inputWidth})};
  SmallVector<std::string> names{"x"};
  if (loss == 1) {
    types.push_back(type({batch, outputs}));
    names.push_back("target");
  }
  types.push_back(RankedTensorType::get({batch}, builder.getI32Type()));
  names.push_back(hasLabels ? "label" : "valid");
  SmallVector<Attribute> inputs;
  auto step = builder.create<func::FuncOp>(builder.getUnknownLoc(), "step",
                                           builder.getFunctionType(types, {}));
  // Variables stand before the function, in the order of the layers.
  variableEnd =
      OpBuilder::InsertPoint(module->getBody(), Block::iterator(step));
  step->setAttr("dtc.step_kind", builder.getStringAttr("train"));
  for (auto [i, name] : llvm::enumerate(names)) {
    auto inputType = cast<RankedTensorType>(types[i]);
    step.setArgAttr(i, "dtc.input", builder.getStringAttr(name));
    inputs.push_back(describeInput(name, inputType.getElementType(),
                                   inputType.getShape().drop_front(),
                                   i + 1 == names.size() ? -100 : 0));
  }
  NamedAttrList data;
  data.set("inputs", builder.getArrayAttr(inputs));
  data.set("global_batch", builder.getI64IntegerAttr(batch));
  (*module)->setAttr("dtc.data", data.getDictionary(builder.getContext()));

  Block *body = step.addEntryBlock();
  builder.setInsertionPointToStart(body);
  scale = create<ReadOp>(kLossScaleVariable.str(), scalar(builder.getF32Type()),
                         kLossScaleVariable);
  values.push_back(addLinear("in", body->getArgument(0)));
  int64_t layers = draw(2, 7);
  for (int64_t i = 0; i < layers; ++i)
    values.push_back(addLayer("l" + std::to_string(i),
                              chance(70) ? values.back() : pickValue()));
  Value headWeight =
      addParameter("head.weight", {outputs, width(values.back())});
  Value prediction = create<MatMulOp>("head", type({batch, outputs}),
                                      values.back(), headWeight, UnitAttr(),
                                      builder.getUnitAttr(), TypeAttr());
  addLoss(prediction, loss == 1 ? Value(body->getArgument(1)) : Value(),
          body->getArguments().back());
  builder.create<func::ReturnOp>(builder.getUnknownLoc());
  addScalars();
  return module;
}

} // namespace

OwningOpRef<ModuleOp> makeRandomGraph(MLIRContext &context, uint64_t seed) {
  return Generator(context, seed).make();
}

} // namespace mlir::dtc::test
