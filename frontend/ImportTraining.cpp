//===- ImportTraining.cpp - Loss, and the attributes of the module
//---------===//
//
// 1/N and the loss scale enter at the loss op alone, as operands. N counts the
// labels that are not `ignore`; a model without labels counts the samples that
// are there, which the loader says in the input `valid`.
//
//===----------------------------------------------------------------------===//

#include "frontend/ModuleImporter.h"

namespace mlir::dtc {

using ::dtc::model::LossKind;

bool ModuleImporter::hasLabels() const {
  return graph.loss.kind == LossKind::cross_entropy;
}

void ModuleImporter::report(Value value, StringRef metric) {
  create<ReportOp>("report." + metric, value, metric);
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

Value ModuleImporter::importCrossEntropy(Value labels, Value divisor) {
  Value logits = values[graph.loss.input];
  auto rows = getFloatType({settings.globalBatch});
  auto ignore = builder.getI64IntegerAttr(graph.loss.ignore);
  Value max = create<RowMaxOp>("loss.max", rows, logits);
  Value sum = create<SumExpOp>("loss.sum_exp", rows, logits, max, TypeAttr());
  Value pick =
      create<PickOp>("loss.pick", rows, logits, labels, ignore, TypeAttr());
  Value loss =
      create<CrossEntropyOp>("loss", getFloatType({}), max, sum, pick, labels,
                             divisor, scale, ignore, TypeAttr());
  if (!isTraining)
    correct =
        create<CountCorrectOp>("correct", getScalarType(builder.getI64Type()),
                               max, pick, labels, ignore);
  return loss;
}

Value ModuleImporter::importSquaredError(Value labels, Value divisor) {
  return create<SquaredErrorOp>(
      "loss", getFloatType({}), values[graph.loss.input],
      values[graph.loss.target], labels, divisor, scale,
      builder.getI64IntegerAttr(kAbsent), TypeAttr());
}

/// Multiplies `value` by constants of `shape`, unless all are 1.
Value ModuleImporter::scaleBy(Value value, ArrayRef<double> factors,
                              ArrayRef<int64_t> shape,
                              const std::string &name) {
  if (llvm::all_of(factors, [](double factor) { return factor == 1; }))
    return value;
  SmallVector<float> elements(factors.begin(), factors.end());
  RankedTensorType type = getFloatType(shape);
  Value constant = create<ConstantOp>(
      name + ".coefficients", type,
      DenseElementsAttr::get(type, ArrayRef<float>(elements)));
  return create<MulOp>(name, value.getType(), value, constant);
}

/// The value of a term times its coefficients, its elements not yet summed.
Value ModuleImporter::importTerm(const GraphLossTerm &term,
                                 const std::string &name) {
  const GraphValue &value = graph.values[term.value];
  if (graph.loss.kind != LossKind::mean)
    return scaleBy(values[term.value], term.coefficients, value.shape, name);
  // The mean over all elements: 1/N is over samples, so 1/elements is left.
  int64_t elements = getFloatType(value.shape).getNumElements();
  return scaleBy(values[term.value], {1.0 / elements}, {}, name);
}

/// Sum over samples and terms. A value without batch counts once a sample, so
/// that its mean over samples is itself.
Value ModuleImporter::importLinearLoss(Value labels, Value divisor) {
  SmallVector<GraphLossTerm, 1> terms(graph.loss.terms);
  if (terms.empty())
    terms.push_back({graph.loss.input, {}});

  Value rows;
  auto rowType = getFloatType({settings.globalBatch});
  for (auto [i, term] : llvm::enumerate(terms)) {
    std::string name = "loss.term" + std::to_string(i);
    Value value = importTerm(term, name);
    bool isBatched = graph.values[term.value].isBatched;
    if (terms.size() == 1 && isBatched) {
      rows = value;
      break;
    }
    int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
    SmallVector<int64_t> dims =
        llvm::to_vector(llvm::seq<int64_t>(isBatched ? 1 : 0, rank));
    if (!dims.empty())
      value = create<ReduceSumOp>(
          name + ".sum", isBatched ? rowType : getFloatType({}), value,
          builder.getDenseI64ArrayAttr(dims), TypeAttr());
    if (!isBatched)
      value = create<BroadcastOp>(name + ".rows", rowType, value,
                                  builder.getDenseI64ArrayAttr({}));
    rows = rows ? create<AddOp>("loss.terms", rowType, rows, value).getResult()
                : value;
  }
  return create<LinearLossOp>("loss", getFloatType({}), rows, labels, divisor,
                              scale, builder.getI64IntegerAttr(kAbsent),
                              TypeAttr());
}

void ModuleImporter::importLoss() {
  path = "loss";
  auto countType = getScalarType(builder.getI64Type());
  Value labels = hasLabels() ? values[graph.loss.target] : valid;
  int64_t ignore = hasLabels() ? graph.loss.ignore : kAbsent;
  Value count = create<CountValidOp>("loss.valid", countType, labels,
                                     builder.getI64IntegerAttr(ignore));
  Value divisor = count;
  if (!graph.loss.isMean)
    divisor = create<ConstantOp>(
        "loss.divisor", countType,
        DenseElementsAttr::get(countType, ArrayRef<int64_t>{1}));

  Value loss;
  switch (graph.loss.kind) {
  case LossKind::cross_entropy:
    loss = importCrossEntropy(labels, divisor);
    break;
  case LossKind::mean_squared_error:
    loss = importSquaredError(labels, divisor);
    break;
  case LossKind::mean:
  case LossKind::sum:
  case LossKind::linear:
    loss = importLinearLoss(labels, divisor);
    break;
  }
  report(loss, "loss");
  report(count, "valid");
  if (correct)
    report(correct, "correct");
}

//===----------------------------------------------------------------------===//
// Attributes of the module
//===----------------------------------------------------------------------===//

/// Files of a split, in the form of table DataSplit of a program.
DictionaryAttr ModuleImporter::makeSplit(const SplitSettings &split) {
  SmallVector<Attribute> sources;
  for (auto [i, path] : llvm::enumerate(split.files)) {
    const ::dtc::model::Input *input = file.model().inputs()->Get(i);
    NamedAttrList source;
    source.set("input", builder.getStringAttr(input->name()->str()));
    source.set("files", builder.getStrArrayAttr({path}));
    if (!settings.package.empty())
      source.set("package", builder.getStringAttr(settings.package));
    source.set("scale", builder.getF64FloatAttr(input->scale()));
    source.set("shift", builder.getF64FloatAttr(0.0));
    sources.push_back(source.getDictionary(builder.getContext()));
  }
  NamedAttrList attributes;
  attributes.set("sources", builder.getArrayAttr(sources));
  attributes.set("shuffle", builder.getBoolAttr(split.isShuffled));
  return attributes.getDictionary(builder.getContext());
}

ArrayAttr ModuleImporter::makeInputs() {
  SmallVector<Attribute> inputs;
  auto add = [&](StringRef name, Type type, ArrayRef<int64_t> shape,
                 double fill, bool isValidity, int64_t classCount) {
    NamedAttrList input;
    input.set("name", builder.getStringAttr(name));
    input.set("dtype", TypeAttr::get(type));
    input.set("shape", builder.getDenseI64ArrayAttr(shape));
    input.set("fill", builder.getF64FloatAttr(fill));
    input.set("validity", builder.getBoolAttr(isValidity));
    // The loader refuses labels that are no class: they would add to no sum.
    input.set("class_count", builder.getI64IntegerAttr(classCount));
    inputs.push_back(input.getDictionary(builder.getContext()));
  };
  for (int i = 0; i < static_cast<int>(graph.inputCount); ++i) {
    const GraphValue &value = graph.values[i];
    bool isLabel = hasLabels() && i == graph.loss.target;
    add(value.name, getType(value).getElementType(), value.shape,
        isLabel ? graph.loss.ignore : 0, false,
        isLabel ? graph.values[graph.loss.input].shape.back() : 0);
  }
  if (!hasLabels())
    add(kValidInput, builder.getI32Type(), {}, kAbsent, true, 0);
  return builder.getArrayAttr(inputs);
}

DictionaryAttr ModuleImporter::makeData() {
  NamedAttrList data;
  data.set("inputs", makeInputs());
  data.set("train", makeSplit(settings.train));
  if (settings.test)
    data.set("evaluate", makeSplit(*settings.test));
  data.set("global_batch", builder.getI64IntegerAttr(settings.globalBatch));
  data.set("drop_last", builder.getBoolAttr(settings.dropsLast));
  return data.getDictionary(builder.getContext());
}

void ModuleImporter::setModuleAttributes() {
  MLIRContext *context = builder.getContext();
  auto real = [&](double value) { return builder.getF64FloatAttr(value); };
  auto integer = [&](int64_t value) {
    return builder.getI64IntegerAttr(value);
  };
  ModuleOp op = *module;
  op->setAttr(kPlanAttr,
              PlanAttr::get(context, settings.pp, settings.dp, settings.tp,
                            settings.microBatches, settings.zero,
                            settings.isGPipe ? ScheduleKind::GPipe
                                             : ScheduleKind::OneFOneB));
  op->setAttr("dtc.seed", integer(static_cast<int64_t>(settings.seed)));
  op->setAttr(kComputeAttr, TypeAttr::get(builder.getF32Type()));

  NamedAttrList optimizer;
  optimizer.set("kind",
                builder.getStringAttr(settings.isAdamW ? "adamw" : "sgd"));
  optimizer.set("lr", real(settings.lr));
  optimizer.set("beta1", real(settings.beta1));
  optimizer.set("beta2", real(settings.beta2));
  optimizer.set("eps", real(settings.eps));
  optimizer.set("momentum", real(settings.momentum));
  if (settings.clipNorm)
    optimizer.set("clip_norm", real(*settings.clipNorm));
  op->setAttr(kOptimizerAttr, optimizer.getDictionary(context));

  if (const ::dtc::model::LossScale *scale = settings.lossScale) {
    NamedAttrList attributes;
    attributes.set("initial", real(scale->initial()));
    attributes.set("growth_interval", integer(scale->growth_interval()));
    attributes.set("growth", real(scale->growth()));
    attributes.set("backoff", real(scale->backoff()));
    op->setAttr(kLossScaleAttr, attributes.getDictionary(context));
  }
  op->setAttr("dtc.data", makeData());

  NamedAttrList run;
  run.set("epochs", integer(settings.epochs));
  run.set("steps", integer(settings.steps));
  run.set("evaluate_every", integer(settings.evaluateEvery));
  run.set("deterministic", builder.getBoolAttr(settings.isDeterministic));
  op->setAttr("dtc.run", run.getDictionary(context));
}

} // namespace mlir::dtc
