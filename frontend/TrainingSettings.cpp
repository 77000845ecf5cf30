//===- TrainingSettings.cpp - How a model is trained, checked
//--------------===//
//
// One function a table of the schema. A field that a user gave and nothing
// would read is worse than an error, so what passes can't do yet stops here.
//
//===----------------------------------------------------------------------===//

#include "frontend/TrainingSettings.h"

#include "frontend/NearestName.h"

#include "llvm/ADT/STLExtras.h"

namespace mlir::dtc {
namespace {

using namespace ::dtc::model;

/// Largest size of a mesh axis, and of micro-batches a step.
constexpr int64_t kMaxAxis = 1 << 20;
/// A set of stages is a 64-bit mask.
constexpr int64_t kMaxStages = 64;

class SettingsReader {
public:
  explicit SettingsReader(const ModelFile &file)
      : file(file), model(file.model()) {}

  llvm::Expected<TrainingSettings> run();

private:
  llvm::Error readPlan();
  llvm::Error refuseUnbuilt(const Plan &plan);
  llvm::Error readStages();
  llvm::Error readBatch();
  llvm::Error readRun();
  llvm::Error readOptimizer();
  llvm::Error readPrecision();
  llvm::Error readData();
  llvm::Error readSplit(const DataSplit &split, const std::string &path,
                        SplitSettings &settings);

  llvm::Error fail(llvm::StringRef path, const llvm::Twine &text) const {
    return file.error(path, text, kModelSettingCode);
  }
  llvm::Error checkRange(int64_t value, int64_t smallest, int64_t largest,
                         const std::string &path) const {
    if (value < smallest)
      return fail(path, path + " is " + llvm::Twine(value) +
                            ", expected at least " + llvm::Twine(smallest));
    if (value > largest)
      return fail(path, path + " is " + llvm::Twine(value) +
                            ", expected at most " + llvm::Twine(largest));
    return llvm::Error::success();
  }
  llvm::Error checkReal(bool holds, double value, const std::string &path,
                        const char *expected) const {
    if (holds)
      return llvm::Error::success();
    std::string text = std::to_string(value);
    return fail(path, path + " is " + text + ", expected " + expected);
  }
  llvm::Error refuse(const std::string &path, const std::string &found,
                     const std::string &accepted) const {
    return fail(path, path + " " + found +
                          " is not built yet; accepted: " + accepted);
  }

  const ModelFile &file;
  const Model &model;
  TrainingSettings settings;
};

llvm::Error SettingsReader::refuseUnbuilt(const Plan &plan) {
  if (plan.zero() > 1)
    return refuse("plan.zero", std::to_string(plan.zero()), "0, 1");
  if (plan.schedule() == Schedule::interleaved)
    return refuse("plan.schedule", "interleaved", "1f1b, gpipe");
  if (plan.schedule() == Schedule::zero_bubble)
    return refuse("plan.schedule", "zero-bubble", "1f1b, gpipe");
  if (plan.chunks() != 1)
    return refuse("plan.chunks", std::to_string(plan.chunks()), "1");
  if (plan.sp())
    return refuse("plan.sp", "true", "false");
  if (plan.recompute() != Recompute::none)
    return refuse("plan.recompute", EnumNameRecompute(plan.recompute()),
                  "none");
  return llvm::Error::success();
}

llvm::Error SettingsReader::readPlan() {
  const Plan *plan = model.plan();
  if (!plan)
    return llvm::Error::success();
  struct Field {
    const char *path;
    int64_t value, smallest, largest;
    int64_t *to;
  };
  for (const Field &field :
       {Field{"plan.dp", plan->dp(), 1, kMaxAxis, &settings.dp},
        Field{"plan.tp", plan->tp(), 1, kMaxAxis, &settings.tp},
        Field{"plan.pp", plan->pp(), 1, kMaxStages, &settings.pp},
        Field{"plan.micro_batches", plan->micro_batches(), 1, kMaxAxis,
              &settings.microBatches},
        Field{"plan.zero", plan->zero(), 0, 3, &settings.zero}}) {
    if (llvm::Error error =
            checkRange(field.value, field.smallest, field.largest, field.path))
      return error;
    *field.to = field.value;
  }
  settings.isGPipe = plan->schedule() == Schedule::gpipe;
  return refuseUnbuilt(*plan);
}

/// Stages are given for all layers or for none, from 0, and fit `pp`.
llvm::Error SettingsReader::readStages() {
  int64_t last = -1;
  auto visit =
      [&](auto &self,
          const flatbuffers::Vector<flatbuffers::Offset<Layer>> &layers,
          const std::string &path) -> llvm::Error {
    for (auto [i, layer] : llvm::enumerate(layers)) {
      std::string here = path + "[" + std::to_string(i) + "]";
      if (layer->layers())
        if (llvm::Error error = self(self, *layer->layers(), here + ".layers"))
          return error;
      if (!layer->stage())
        continue;
      if (*layer->stage() < 0)
        return fail(here + ".stage",
                    "layer \"" + layer->name()->str() + "\": stage is " +
                        llvm::Twine(*layer->stage()) + ", expected at least 0");
      last = std::max<int64_t>(last, *layer->stage());
    }
    return llvm::Error::success();
  };
  if (!model.layers())
    return llvm::Error::success();
  if (llvm::Error error = visit(visit, *model.layers(), "layers"))
    return error;
  if (last >= 0 && last + 1 != settings.pp)
    return fail("plan.pp", "plan.pp is " + llvm::Twine(settings.pp) +
                               ", but the layers are annotated with " +
                               llvm::Twine(last + 1) + " stages");
  return llvm::Error::success();
}

llvm::Error SettingsReader::readBatch() {
  const Batch *batch = model.batch();
  if (!batch || (!batch->global() && !batch->per_rank()))
    return fail("batch", "batch: global or per_rank is missing");
  if (batch->global() && batch->per_rank())
    return fail("batch", "batch: give global or per_rank, not both");
  settings.dropsLast = batch->last() == LastBatch::drop;
  std::string path = batch->global() ? "batch.global" : "batch.per_rank";
  int64_t given = batch->global() ? *batch->global() : *batch->per_rank();
  if (llvm::Error error = checkRange(given, 1, INT32_MAX, path))
    return error;
  settings.globalBatch = batch->global() ? given : given * settings.dp;
  return checkRange(settings.globalBatch, 1, INT32_MAX, path);
}

llvm::Error SettingsReader::readRun() {
  if (model.epochs() && model.steps())
    return fail("epochs", "give epochs or steps, not both");
  if (model.epochs())
    if (llvm::Error error = checkRange(*model.epochs(), 1, INT32_MAX, "epochs"))
      return error;
  if (model.steps())
    if (llvm::Error error =
            checkRange(*model.steps(), 1, INT64_MAX / 2, "steps"))
      return error;
  settings.steps = model.steps().value_or(0);
  settings.epochs = model.steps() ? 0 : model.epochs().value_or(1);
  settings.isDeterministic = model.deterministic();
  settings.seed = model.seed();
  const Evaluation *evaluation = model.evaluation();
  if (!evaluation)
    return llvm::Error::success();
  if (evaluation->every())
    if (llvm::Error error = checkRange(*evaluation->every(), 1, INT64_MAX / 2,
                                       "evaluation.every"))
      return error;
  settings.evaluateEvery = evaluation->every().value_or(0);
  if (!model.data() || !model.data()->test())
    return fail("evaluation", "evaluation: data.test is missing");
  if (!model.loss() || *model.loss()->kind() != LossKind::cross_entropy)
    return fail("evaluation.metric",
                "evaluation: metric accuracy needs a cross_entropy loss");
  return llvm::Error::success();
}

llvm::Error SettingsReader::readOptimizer() {
  const Optimizer *optimizer = model.optimizer();
  if (!optimizer)
    return fail("", "model \"" + model.name()->str() +
                        "\" has no optimizer; add \"optimizer\": "
                        "{\"kind\": …, \"lr\": …}");
  if (!optimizer->lr())
    return fail("optimizer", "optimizer: lr is missing");
  settings.isAdamW = *optimizer->kind() == OptimizerKind::adamw;
  settings.lr = *optimizer->lr();
  settings.momentum = optimizer->momentum();
  settings.eps = optimizer->eps();
  settings.clipNorm = optimizer->clip_norm()
                          ? std::optional<double>(*optimizer->clip_norm())
                          : std::nullopt;
  if (const auto *betas = optimizer->betas()) {
    if (betas->size() != 2)
      return fail("optimizer.betas", "optimizer.betas has " +
                                         llvm::Twine(betas->size()) +
                                         " numbers, expected 2");
    settings.beta1 = betas->Get(0);
    settings.beta2 = betas->Get(1);
  }
  auto isDecay = [](double value) { return value >= 0 && value < 1; };
  struct Field {
    const char *path;
    double value;
    bool holds;
    const char *expected;
  };
  for (const Field &field :
       {Field{"optimizer.lr", settings.lr, settings.lr >= 0, "at least 0"},
        Field{"optimizer.momentum", settings.momentum,
              isDecay(settings.momentum), "0 <= momentum < 1"},
        Field{"optimizer.betas", settings.beta1, isDecay(settings.beta1),
              "0 <= beta < 1"},
        Field{"optimizer.betas", settings.beta2, isDecay(settings.beta2),
              "0 <= beta < 1"},
        Field{"optimizer.eps", settings.eps, settings.eps >= 0, "at least 0"},
        Field{"optimizer.clip_norm", settings.clipNorm.value_or(1),
              settings.clipNorm.value_or(1) > 0, "more than 0"}})
    if (llvm::Error error =
            checkReal(field.holds, field.value, field.path, field.expected))
      return error;
  return llvm::Error::success();
}

llvm::Error SettingsReader::readPrecision() {
  const Precision *precision = model.precision();
  if (!precision)
    return llvm::Error::success();
  if (precision->compute() != Compute::f32)
    return refuse("precision.compute", EnumNameCompute(precision->compute()),
                  "f32");
  const LossScale *scale = precision->loss_scale();
  if (!scale)
    return llvm::Error::success();
  settings.lossScale = scale;
  std::string path = "precision.loss_scale.";
  if (llvm::Error error = checkReal(scale->initial() > 0, scale->initial(),
                                    path + "initial", "more than 0"))
    return error;
  if (llvm::Error error = checkReal(scale->growth() >= 1, scale->growth(),
                                    path + "growth", "at least 1"))
    return error;
  if (llvm::Error error =
          checkReal(scale->backoff() > 0 && scale->backoff() <= 1,
                    scale->backoff(), path + "backoff", "0 < backoff <= 1"))
    return error;
  return checkRange(scale->growth_interval(), 1, INT32_MAX,
                    path + "growth_interval");
}

llvm::Error SettingsReader::readSplit(const DataSplit &split,
                                      const std::string &path,
                                      SplitSettings &result) {
  std::vector<std::string> inputs;
  if (model.inputs())
    for (const Input *input : *model.inputs())
      inputs.push_back(input->name()->str());
  result.files.resize(inputs.size());
  if (split.files())
    for (const DataFile *entry : *split.files()) {
      std::string name = entry->input()->str();
      auto found = llvm::find(inputs, name);
      if (found == inputs.end())
        return fail(path + "." + name, path + ": the model has no input \"" +
                                           name + "\"" +
                                           suggestName(name, inputs));
      std::string &place = result.files[found - inputs.begin()];
      if (!place.empty())
        return fail(path, path + ": two files for input \"" + name + "\"");
      if (entry->path()->size() == 0)
        return fail(path, path + ": the file of input \"" + name +
                              "\" is empty text");
      place = settings.package.empty() ? file.resolvePath(entry->path()->str())
                                       : entry->path()->str();
    }
  for (auto [name, given] : llvm::zip(inputs, result.files))
    if (given.empty())
      return fail(path, path + ": no file for input \"" + name + "\"");
  return llvm::Error::success();
}

llvm::Error SettingsReader::readData() {
  const Data *data = model.data();
  if (!data || !data->train())
    return fail("data", "data: train is missing; it says from which file "
                        "each input is read");
  if (data->package()) {
    settings.package = data->package()->str();
    if (settings.package.empty() ||
        llvm::StringRef(settings.package).contains('/') ||
        settings.package == "..")
      return fail("data.package", "data.package \"" + settings.package +
                                      "\": expected the name of a folder "
                                      "of /usr/share/datasets");
  }
  settings.train.isShuffled = data->train()->shuffle().value_or(true);
  if (llvm::Error error =
          readSplit(*data->train(), "data.train", settings.train))
    return error;
  if (!data->test())
    return llvm::Error::success();
  settings.test.emplace();
  settings.test->isShuffled = data->test()->shuffle().value_or(false);
  return readSplit(*data->test(), "data.test", *settings.test);
}

llvm::Expected<TrainingSettings> SettingsReader::run() {
  for (auto read : {&SettingsReader::readPlan, &SettingsReader::readStages,
                    &SettingsReader::readBatch, &SettingsReader::readRun,
                    &SettingsReader::readOptimizer,
                    &SettingsReader::readPrecision, &SettingsReader::readData})
    if (llvm::Error error = (this->*read)())
      return std::move(error);
  return settings;
}

} // namespace

llvm::Expected<TrainingSettings> readTrainingSettings(const ModelFile &file) {
  return SettingsReader(file).run();
}

} // namespace mlir::dtc
