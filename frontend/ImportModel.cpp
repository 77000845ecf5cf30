//===- ImportModel.cpp - Model file to module
//------------------------------===//
//
// Everything was checked when the graph was built, so the import can't fail: it
// writes the graph down. Variables come first, in the order of the layers,
// which is the order of every table that later phases make of them.
//
//===----------------------------------------------------------------------===//

#include "frontend/ImportModel.h"

#include "frontend/ModuleImporter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

#include <cmath>

namespace mlir::dtc {

using ::dtc::model::InitKind;

ModuleImporter::ModuleImporter(MLIRContext &context, const ModelFile &file,
                               const ModelGraph &graph,
                               const TrainingSettings &settings)
    : file(file), graph(graph), settings(settings),
      stream(findResidualStream(graph)), builder(&context) {}

RankedTensorType ModuleImporter::getFloatType(ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, builder.getF32Type());
}

RankedTensorType ModuleImporter::getScalarType(Type elementType) {
  return RankedTensorType::get({}, elementType);
}

RankedTensorType ModuleImporter::getType(const GraphValue &value) {
  SmallVector<int64_t, 4> shape(value.shape);
  if (value.isBatched)
    shape.insert(shape.begin(), settings.globalBatch);
  Type element =
      value.isInteger ? Type(builder.getI32Type()) : Type(builder.getF32Type());
  return RankedTensorType::get(shape, element);
}

Location ModuleImporter::locate(StringRef name, StringRef path) {
  SourcePosition position = file.position(path);
  Location place = UnknownLoc::get(builder.getContext());
  if (position.line > 0)
    place = FileLineColLoc::get(builder.getContext(), file.name(),
                                position.line, position.column);
  return NameLoc::get(builder.getStringAttr(name), place);
}

/// Initialisers of the schema in terms of those of the dialect:
/// kaiming is normal with variance 2 / fan_in (He et al. 2015), xavier uniform
/// in ±sqrt(6 / (fan_in + fan_out)) (Glorot and Bengio 2010).
DictionaryAttr ModuleImporter::makeInit(const GraphParameter &parameter) {
  auto make = [&](StringRef kind, ArrayRef<NamedAttribute> fields) {
    SmallVector<NamedAttribute> all{
        builder.getNamedAttr("kind", builder.getStringAttr(kind))};
    all.append(fields.begin(), fields.end());
    return builder.getDictionaryAttr(all);
  };
  auto real = [&](StringRef name, double value) {
    return builder.getNamedAttr(name, builder.getF64FloatAttr(value));
  };
  auto text = [&](StringRef name, StringRef value) {
    return builder.getNamedAttr(name, builder.getStringAttr(value));
  };

  bool isMatrix = parameter.shape.size() == 2;
  const ::dtc::model::Init *init = parameter.init;
  InitKind kind = init ? *init->kind() : InitKind::kaiming;
  if (kind == InitKind::file)
    return make("file", {text("path", file.resolvePath(init->path()->str())),
                         text("tensor", parameter.name)});
  if (kind == InitKind::ones)
    return make("ones", {});
  if (kind == InitKind::normal && !parameter.isBias)
    return make("normal", {real("mean", 0.0), real("std", init->std())});
  if (kind == InitKind::kaiming && isMatrix)
    return make("normal", {real("mean", 0.0),
                           real("std", std::sqrt(2.0 / parameter.shape[1]))});
  if (kind == InitKind::xavier && isMatrix) {
    double bound = std::sqrt(6.0 / (static_cast<double>(parameter.shape[0]) +
                                    static_cast<double>(parameter.shape[1])));
    return make("uniform", {real("low", -bound), real("high", bound)});
  }
  return make("zeros", {});
}

void ModuleImporter::addScalar(StringRef name, Type elementType,
                               double initial) {
  NamedAttrList init;
  init.set("kind", builder.getStringAttr(initial == 0 ? "zeros" : "constant"));
  if (initial != 0)
    init.set("value", builder.getF64FloatAttr(initial));
  builder.create<VariableOp>(
      locate(name, ""), builder.getStringAttr(name),
      TypeAttr::get(getScalarType(elementType)),
      init.getDictionary(builder.getContext()), builder.getStringAttr("scalar"),
      FlatSymbolRefAttr(), ArrayAttr(), ArrayAttr(),
      builder.getF64FloatAttr(0.0), builder.getF64FloatAttr(1.0), UnitAttr());
}

void ModuleImporter::addVariables() {
  for (const GraphParameter &parameter : graph.parameters)
    builder.create<VariableOp>(
        locate(parameter.name, parameter.path),
        builder.getStringAttr(parameter.name),
        TypeAttr::get(getFloatType(parameter.shape)), makeInit(parameter),
        builder.getStringAttr("parameter"), FlatSymbolRefAttr(), ArrayAttr(),
        ArrayAttr(), builder.getF64FloatAttr(parameter.decay),
        builder.getF64FloatAttr(parameter.rate),
        parameter.isFrozen ? builder.getUnitAttr() : UnitAttr());
  addScalar(kStepVariable, builder.getI32Type(), 0);
  addScalar(kLossScaleVariable, builder.getF32Type(),
            settings.lossScale ? settings.lossScale->initial() : 1.0);
  addScalar(kGoodStepsVariable, builder.getI32Type(), 0);
}

/// Reads each parameter that a layer uses, and the loss scale.
void ModuleImporter::readVariables() {
  parameters.assign(graph.parameters.size(), Value());
  std::vector<bool> used(graph.parameters.size(), false);
  for (const GraphLayer &layer : graph.layers)
    for (int index : {layer.weight, layer.bias})
      if (index >= 0)
        used[index] = true;
  // A parameter layer is a use of its parameter only if its value is one.
  std::vector<bool> isRead(graph.values.size(), false);
  for (const GraphLayer &layer : graph.layers)
    for (int value : {layer.input, layer.with, layer.add})
      if (value >= 0)
        isRead[value] = true;
  for (const GraphLossTerm &term : graph.loss.terms)
    isRead[term.value] = true;
  if (graph.loss.input >= 0 && graph.loss.terms.empty())
    isRead[graph.loss.input] = true;
  std::vector<bool> isTied(graph.parameters.size(), false);
  for (const GraphLayer &layer : graph.layers)
    if (layer.layer->weight())
      isTied[layer.weight] = true;
  for (const GraphLayer &layer : graph.layers)
    if (*layer.layer->kind() == ::dtc::model::LayerKind::parameter)
      used[layer.weight] = isRead[layer.result] || isTied[layer.weight];

  for (auto [i, parameter] : llvm::enumerate(graph.parameters)) {
    if (!used[i])
      continue;
    path = parameter.path;
    parameters[i] = create<ReadOp>(
        parameter.name, getFloatType(parameter.shape), parameter.name);
  }
  path = "";
  scale =
      create<ReadOp>(kLossScaleVariable, getScalarType(builder.getF32Type()),
                     kLossScaleVariable);
}

void ModuleImporter::addFunction(StringRef name, bool training) {
  isTraining = training;
  correct = Value();
  SmallVector<Type> types;
  SmallVector<std::string> names;
  for (size_t i = 0; i < graph.inputCount; ++i) {
    types.push_back(getType(graph.values[i]));
    names.push_back(graph.values[i].name);
  }
  if (!hasLabels()) {
    types.push_back(
        RankedTensorType::get({settings.globalBatch}, builder.getI32Type()));
    names.push_back(kValidInput.str());
  }
  auto function = builder.create<func::FuncOp>(
      locate(name, ""), name, builder.getFunctionType(types, {}));
  function->setAttr("dtc.step_kind",
                    builder.getStringAttr(isTraining ? "train" : "evaluate"));
  for (auto [i, input] : llvm::enumerate(names))
    function.setArgAttr(i, "dtc.input", builder.getStringAttr(input));

  OpBuilder::InsertionGuard guard(builder);
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  values.assign(graph.values.size(), Value());
  for (size_t i = 0; i < graph.inputCount; ++i)
    values[i] = body->getArgument(i);
  valid = hasLabels() ? Value() : Value(body->getArguments().back());

  readVariables();
  for (size_t i = 0; i < graph.layers.size(); ++i)
    importLayer(i);
  importLoss();
  builder.create<func::ReturnOp>(function.getLoc());
}

OwningOpRef<ModuleOp> ModuleImporter::run() {
  module = ModuleOp::create(locate(file.model().name()->str(), ""),
                            file.model().name()->str());
  builder.setInsertionPointToStart(module->getBody());
  setModuleAttributes();
  addVariables();
  addFunction("step", /*training=*/true);
  if (settings.test)
    addFunction("evaluate", /*training=*/false);
  return std::move(module);
}

llvm::Expected<OwningOpRef<ModuleOp>> importModel(MLIRContext &context,
                                                  const ModelFile &file) {
  llvm::Expected<TrainingSettings> settings = readTrainingSettings(file);
  if (!settings)
    return settings.takeError();
  llvm::Expected<ModelGraph> graph =
      buildModelGraph(file, settings->globalBatch);
  if (!graph)
    return graph.takeError();
  context.loadDialect<DtcDialect, func::FuncDialect>();
  for (const std::string &warning : graph->warnings)
    emitWarning(UnknownLoc::get(&context)) << file.name() << ": " << warning;
  return ModuleImporter(context, file, *graph, *settings).run();
}

} // namespace mlir::dtc
