//===- EmitData.cpp - Data and length of the run
//---------------------------===//
//
// The compiler does not look into these: import writes them as attributes and
// they go through all passes untouched. A field that is missing is an error
// here and not a default, so that nothing is trained on data that nobody named.
//
//===----------------------------------------------------------------------===//

#include "codegen/EmitData.h"

namespace mlir::dtc {

namespace fbs = ::dtc::program;

namespace {

/// Typed fields of a dictionary attribute of the module.
class Fields {
public:
  Fields(ModuleOp module, StringRef path, DictionaryAttr dictionary)
      : module(module), path(path), dictionary(dictionary) {}

  template <typename Attr>
  FailureOr<Attr> get(StringRef name, StringRef expected) const {
    if (auto value = dictionary.getAs<Attr>(name))
      return value;
    return module.emitError(path)
           << " has " << name << " = " << dictionary.get(name) << ", expected "
           << expected;
  }
  DictionaryAttr find(StringRef name) const {
    return dictionary.getAs<DictionaryAttr>(name);
  }
  StringRef findText(StringRef name) const {
    auto text = dictionary.getAs<StringAttr>(name);
    return text ? text.getValue() : StringRef();
  }
  int64_t findInteger(StringRef name) const {
    auto value = dictionary.getAs<IntegerAttr>(name);
    return value ? value.getInt() : 0;
  }
  double findReal(StringRef name, double otherwise) const {
    auto value = dictionary.getAs<FloatAttr>(name);
    return value ? value.getValueAsDouble() : otherwise;
  }
  bool findFlag(StringRef name) const {
    auto value = dictionary.getAs<BoolAttr>(name);
    return value && value.getValue();
  }
  ModuleOp getModule() const { return module; }

private:
  mutable ModuleOp module;
  StringRef path;
  DictionaryAttr dictionary;
};

} // namespace

static FailureOr<std::unique_ptr<fbs::DataSplitT>>
makeSplit(ModuleOp module, StringRef path, DictionaryAttr dictionary) {
  Fields split(module, path, dictionary);
  auto made = std::make_unique<fbs::DataSplitT>();
  made->shuffle = split.findFlag("shuffle");
  FailureOr<ArrayAttr> sources = split.get<ArrayAttr>("sources", "a list");
  if (failed(sources))
    return failure();
  for (Attribute entry : *sources) {
    auto table = dyn_cast<DictionaryAttr>(entry);
    if (!table)
      return module.emitError(path)
             << " has source " << entry << ", expected a dictionary";
    Fields source(module, path, table);
    FailureOr<StringAttr> input = source.get<StringAttr>("input", "a name");
    FailureOr<ArrayAttr> files = source.get<ArrayAttr>("files", "a list");
    if (failed(input) || failed(files))
      return failure();
    auto from = std::make_unique<fbs::InputSourceT>();
    from->input = input->str();
    for (auto file : files->getAsRange<StringAttr>())
      from->files.push_back(file.str());
    from->package = source.findText("package").str();
    from->scale = source.findReal("scale", 1.0);
    from->shift = source.findReal("shift", 0.0);
    made->sources.push_back(std::move(from));
  }
  return made;
}

static FailureOr<std::unique_ptr<fbs::InputT>> makeInput(ModuleOp module,
                                                         Attribute entry) {
  auto table = dyn_cast<DictionaryAttr>(entry);
  if (!table)
    return module.emitError("dtc.data has input ")
           << entry << ", expected a dictionary";
  Fields input(module, "an input of dtc.data", table);
  FailureOr<StringAttr> name = input.get<StringAttr>("name", "a name");
  FailureOr<TypeAttr> dtype = input.get<TypeAttr>("dtype", "a type");
  FailureOr<DenseI64ArrayAttr> shape =
      input.get<DenseI64ArrayAttr>("shape", "sizes");
  if (failed(name) || failed(dtype) || failed(shape))
    return failure();
  auto made = std::make_unique<fbs::InputT>();
  made->name = name->str();
  made->dtype = toProgramDType(dtype->getValue());
  made->shape = toProgramShape(shape->asArrayRef());
  made->fill = input.findReal("fill", 0.0);
  made->validity = input.findFlag("validity");
  made->class_count = input.findInteger("class_count");
  return made;
}

LogicalResult addData(ModuleOp module, fbs::ProgramT &program) {
  auto dictionary = module->getAttrOfType<DictionaryAttr>("dtc.data");
  if (!dictionary)
    return module.emitError("has no dtc.data, which says what to train on");
  Fields data(module, "dtc.data", dictionary);
  program.data = std::make_unique<fbs::DataT>();
  FailureOr<DictionaryAttr> train =
      data.get<DictionaryAttr>("train", "a dictionary");
  FailureOr<ArrayAttr> inputs = data.get<ArrayAttr>("inputs", "a list");
  FailureOr<IntegerAttr> batch =
      data.get<IntegerAttr>("global_batch", "a number of samples");
  if (failed(train) || failed(inputs) || failed(batch))
    return failure();
  auto split = makeSplit(module, "dtc.data train", *train);
  if (failed(split))
    return failure();
  program.data->train = std::move(*split);
  if (DictionaryAttr evaluate = data.find("evaluate")) {
    auto other = makeSplit(module, "dtc.data evaluate", evaluate);
    if (failed(other))
      return failure();
    program.data->evaluate = std::move(*other);
  }
  for (Attribute entry : *inputs) {
    auto input = makeInput(module, entry);
    if (failed(input))
      return failure();
    program.data->inputs.push_back(std::move(*input));
  }
  program.data->global_batch = batch->getInt();
  program.data->drop_last = data.findFlag("drop_last");

  if (auto run = module->getAttrOfType<DictionaryAttr>("dtc.run")) {
    Fields fields(module, "dtc.run", run);
    program.epochs = fields.findInteger("epochs");
    program.steps = fields.findInteger("steps");
    program.evaluate_every = fields.findInteger("evaluate_every");
    program.deterministic = fields.findFlag("deterministic");
  }
  program.dynamic_loss_scale = module->hasAttr(kLossScaleAttr);
  return success();
}

} // namespace mlir::dtc
