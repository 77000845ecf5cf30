//===- LayerNames.cpp - Blocks repeated, names resolved
//--------------------===//
//
// A name is looked up from the innermost block outwards, so that a block can be
// written without knowing where it stands, and at last as the full name of a
// layer elsewhere. Layers may be written in any order; the graph has them in
// one in which each comes after what it reads, the written one where it can.
//
//===----------------------------------------------------------------------===//

#include "frontend/LayerNames.h"

#include "frontend/LayerOrder.h"
#include "frontend/NearestName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::dtc {
namespace {

using ::dtc::model::Layer;
using ::dtc::model::LayerKind;

/// Stands for the value that enters the enclosing block.
constexpr llvm::StringLiteral kBlockInput = "@input";

std::string asString(const flatbuffers::String *text) {
  return text ? text->str() : std::string();
}

/// What the names inside one repetition of a block mean.
struct Scope {
  int parent = -1;
  std::string prefix; ///< `h.3.`
  int blockInput = -1;
  int stage = -1; ///< of the layers that have none of their own
  llvm::StringMap<int> values;
  llvm::StringMap<std::string> paths; ///< where each name was given
};

/// A layer as it was met, before its operands are looked up.
struct MetLayer {
  GraphLayer graph;
  int scope = 0;
  int before = -1; ///< the value that an absent `input` means
};

class NameResolver {
public:
  NameResolver(const ModelFile &file, ModelGraph &graph)
      : file(file), model(file.model()), graph(graph) {}

  llvm::Error run();

private:
  using LayerList = flatbuffers::Vector<flatbuffers::Offset<Layer>>;

  llvm::Error addInputs();
  llvm::Error expand(const LayerList &layers, int scope,
                     const std::string &path);
  llvm::Error expandBlock(const Layer &block, int scope,
                          const std::string &path);
  llvm::Error addLayer(const Layer &layer, int scope, const std::string &path);
  llvm::Error declare(llvm::StringRef name, int value, int scope,
                      const std::string &path);
  llvm::Error checkName(llvm::StringRef name, const std::string &path,
                        llvm::StringRef label);
  llvm::Error addParameter(llvm::StringRef name, const MetLayer &owner,
                           bool isBias, int &index);
  llvm::Error resolveLayer(MetLayer &met);
  llvm::Error resolveWeight(MetLayer &met);
  llvm::Error resolveLoss();

  /// Looks `name` up; -1 where nothing is called that.
  int find(llvm::StringRef name, int scope) const;
  llvm::Expected<int> resolve(llvm::StringRef name, int scope,
                              const std::string &path,
                              const llvm::Twine &label) const;
  std::vector<std::string> getKnownNames(int scope) const;

  const ModelFile &file;
  const ::dtc::model::Model &model;
  ModelGraph &graph;
  std::vector<Scope> scopes;
  std::vector<MetLayer> met;
  llvm::StringMap<int> byFullName;
  llvm::StringMap<int> parameterByName;
  int current = -1; ///< value of the layer before
};

std::string labelLayer(const GraphLayer &layer) {
  return "layer \"" + layer.name + "\"";
}

llvm::Error NameResolver::checkName(llvm::StringRef name,
                                    const std::string &path,
                                    llvm::StringRef label) {
  if (name.empty())
    return file.error(path, label + ": the name is empty");
  if (name.starts_with("@") || name.starts_with("dtc.") || name == "valid")
    return file.error(path, label + " \"" + name +
                                "\": the name is reserved (`@…`, `dtc.…` and "
                                "`valid` are dtc's own)");
  if (llvm::any_of(name,
                   [](char c) { return c < ' ' || c == '"' || c == '='; }))
    return file.error(path, label + " \"" + name +
                                "\": a name has no control characters, quotes "
                                "or =");
  return llvm::Error::success();
}

llvm::Error NameResolver::declare(llvm::StringRef name, int value, int scope,
                                  const std::string &path) {
  auto [entry, isNew] = scopes[scope].values.try_emplace(name, value);
  if (isNew) {
    scopes[scope].paths[name] = path;
    return llvm::Error::success();
  }
  const std::string &first = scopes[scope].paths[name];
  bool firstIsInput = llvm::StringRef(first).starts_with("inputs");
  SourcePosition position = file.position(first);
  std::string where = position.line > 0
                          ? ", first on line " + std::to_string(position.line)
                          : std::string();
  return file.error(
      path, "two values are named \"" + name + "\": " +
                (firstIsInput ? "an input and a layer" : "two layers") + where);
}

llvm::Error NameResolver::addInputs() {
  if (!model.inputs())
    return llvm::Error::success();
  for (auto [i, input] : llvm::enumerate(*model.inputs())) {
    std::string path = "inputs[" + std::to_string(i) + "]";
    std::string name = input->name()->str();
    if (llvm::Error error = checkName(name, path, "input"))
      return error;
    if (scopes[0].values.count(name))
      return file.error(path, "two inputs are named \"" + name + "\"");
    if (llvm::Error error = declare(name, i, 0, path))
      return error;
    GraphValue &value = graph.values.emplace_back();
    value.name = name;
    value.isBatched = true;
    value.isInteger = input->dtype() == ::dtc::model::DType::i32;
    if (input->shape())
      value.shape.assign(input->shape()->begin(), input->shape()->end());
  }
  graph.inputCount = graph.values.size();
  current = graph.inputCount ? 0 : -1;
  return llvm::Error::success();
}

llvm::Error NameResolver::expandBlock(const Layer &block, int scope,
                                      const std::string &path) {
  std::string name = block.name()->str();
  std::string full = scopes[scope].prefix + name;
  if (block.repeat() < 1)
    return file.error(path, "block \"" + full + "\": repeat is " +
                                llvm::Twine(block.repeat()) +
                                ", expected at least 1");
  if (!block.layers() || block.layers()->size() == 0)
    return file.error(path, "block \"" + full + "\": layers are missing");
  for (int64_t i = 0; i < block.repeat(); ++i) {
    scopes.emplace_back();
    scopes.back().parent = scope;
    scopes.back().prefix = full + "." + std::to_string(i) + ".";
    scopes.back().blockInput = current;
    scopes.back().stage = block.stage().value_or(scopes[scope].stage);
    size_t before = met.size();
    if (llvm::Error error =
            expand(*block.layers(), scopes.size() - 1, path + ".layers"))
      return error;
    if (met.size() == before)
      return file.error(path, "block \"" + full + "\": layers are missing");
  }
  if (llvm::Error error = declare(name, current, scope, path))
    return error;
  byFullName.try_emplace(full, current);
  return llvm::Error::success();
}

llvm::Error NameResolver::addParameter(llvm::StringRef name,
                                       const MetLayer &owner, bool isBias,
                                       int &index) {
  int value = find(name, 0);
  if (value >= 0 && value < static_cast<int>(graph.inputCount))
    return file.error(owner.graph.path,
                      "parameter \"" + name + "\" is also an input");
  index = graph.parameters.size();
  if (!parameterByName.try_emplace(name, index).second)
    return file.error(owner.graph.path,
                      "two parameters are named \"" + name + "\"");
  GraphParameter &parameter = graph.parameters.emplace_back();
  parameter.name = name.str();
  parameter.path = owner.graph.path;
  parameter.isBias = isBias;
  parameter.init =
      owner.graph.layer->init() ? owner.graph.layer->init() : model.init();
  return llvm::Error::success();
}

llvm::Error NameResolver::addLayer(const Layer &layer, int scope,
                                   const std::string &path) {
  if (static_cast<int64_t>(met.size()) == kMaxLayers)
    return file.error(path, "more than " + llvm::Twine(kMaxLayers) +
                                " layers once blocks are repeated");
  MetLayer added;
  added.graph.layer = &layer;
  added.graph.name = scopes[scope].prefix + layer.name()->str();
  added.graph.path = path;
  added.graph.result = graph.inputCount + met.size();
  added.graph.stage = layer.stage().value_or(scopes[scope].stage);
  added.scope = scope;
  added.before = current;

  LayerKind kind = *layer.kind();
  bool isParameter = kind == LayerKind::parameter;
  if (isParameter)
    if (llvm::Error error =
            addParameter(added.graph.name, added, false, added.graph.weight))
      return error;
  if (kind == LayerKind::linear && !layer.weight())
    if (llvm::Error error = addParameter(added.graph.name + ".weight", added,
                                         false, added.graph.weight))
      return error;
  if (kind == LayerKind::linear && layer.bias())
    if (llvm::Error error = addParameter(added.graph.name + ".bias", added,
                                         true, added.graph.bias))
      return error;

  if (llvm::Error error =
          declare(layer.name()->str(), added.graph.result, scope, path))
    return error;
  if (!byFullName.try_emplace(added.graph.name, added.graph.result).second)
    return file.error(path, "two values are named \"" + added.graph.name +
                                "\": a layer and one of a block");
  if (!isParameter && kind != LayerKind::constant)
    current = added.graph.result;
  met.push_back(std::move(added));
  return llvm::Error::success();
}

llvm::Error NameResolver::expand(const LayerList &layers, int scope,
                                 const std::string &path) {
  for (auto [i, layer] : llvm::enumerate(layers)) {
    std::string here = path + "[" + std::to_string(i) + "]";
    if (llvm::Error error = checkName(layer->name()->str(), here, "layer"))
      return error;
    if (llvm::Error error = *layer->kind() == LayerKind::block
                                ? expandBlock(*layer, scope, here)
                                : addLayer(*layer, scope, here))
      return error;
  }
  return llvm::Error::success();
}

int NameResolver::find(llvm::StringRef name, int scope) const {
  for (int at = scope; at >= 0; at = scopes[at].parent) {
    if (name == kBlockInput && scopes[at].parent >= 0)
      return scopes[at].blockInput;
    auto found = scopes[at].values.find(name);
    if (found != scopes[at].values.end())
      return found->second;
  }
  auto found = byFullName.find(name);
  return found == byFullName.end() ? -1 : found->second;
}

std::vector<std::string> NameResolver::getKnownNames(int scope) const {
  std::vector<std::string> names;
  for (int at = scope; at >= 0; at = scopes[at].parent)
    for (const auto &entry : scopes[at].values)
      names.push_back(entry.first().str());
  llvm::sort(names);
  return names;
}

llvm::Expected<int> NameResolver::resolve(llvm::StringRef name, int scope,
                                          const std::string &path,
                                          const llvm::Twine &label) const {
  int value = find(name, scope);
  if (value >= 0)
    return value;
  if (name == kBlockInput)
    return file.error(path, label + ": `@input` is the value that enters a "
                                    "block; there is none here");
  return file.error(path, label + ": nobody writes \"" + name + "\"" +
                              suggestName(name, getKnownNames(scope)));
}

llvm::Error NameResolver::resolveWeight(MetLayer &layer) {
  std::string name = asString(layer.graph.layer->weight());
  for (int at = layer.scope; at >= 0; at = scopes[at].parent) {
    auto found = parameterByName.find(scopes[at].prefix + name);
    if (found == parameterByName.end())
      continue;
    layer.graph.weight = found->second;
    return llvm::Error::success();
  }
  std::vector<std::string> known;
  for (const GraphParameter &parameter : graph.parameters)
    known.push_back(parameter.name);
  return file.error(layer.graph.path + ".weight",
                    labelLayer(layer.graph) + ": no parameter \"" + name +
                        "\"" + suggestName(name, known));
}

llvm::Error NameResolver::resolveLayer(MetLayer &layer) {
  const Layer &table = *layer.graph.layer;
  std::string label = labelLayer(layer.graph);
  LayerKind kind = *table.kind();
  if (kind == LayerKind::parameter || kind == LayerKind::constant)
    return llvm::Error::success();

  struct Operand {
    const char *field;
    const flatbuffers::String *name;
    int *value;
  };
  for (const Operand &operand :
       {Operand{"input", table.input(), &layer.graph.input},
        Operand{"with", table.with(), &layer.graph.with},
        Operand{"add", table.add(), &layer.graph.add}}) {
    if (!operand.name)
      continue;
    llvm::Expected<int> value =
        resolve(operand.name->str(), layer.scope,
                layer.graph.path + "." + operand.field, label);
    if (!value)
      return value.takeError();
    *operand.value = *value;
  }
  if (!table.input())
    layer.graph.input = layer.before;
  if (layer.graph.input < 0)
    return file.error(layer.graph.path,
                      label + ": input is missing; there is no layer before it "
                              "and the model has no inputs");
  bool needsWith = kind == LayerKind::add || kind == LayerKind::mul ||
                   kind == LayerKind::matmul;
  if (needsWith && layer.graph.with < 0)
    return file.error(layer.graph.path, label + ": with is missing");
  return table.weight() ? resolveWeight(layer) : llvm::Error::success();
}

llvm::Error NameResolver::resolveLoss() {
  const ::dtc::model::Loss *loss = model.loss();
  if (!loss)
    return file.error("", "model \"" + model.name()->str() +
                              "\" has no loss; add \"loss\": {\"kind\": …}");
  graph.loss.kind = *loss->kind();
  graph.loss.ignore = loss->ignore();
  auto lookUp = [&](const flatbuffers::String *name, const std::string &path,
                    int &value) -> llvm::Error {
    llvm::Expected<int> found = resolve(name->str(), 0, path, "loss");
    if (!found)
      return found.takeError();
    value = *found;
    return llvm::Error::success();
  };
  if (loss->terms() && (loss->input() || loss->coefficients()))
    return file.error("loss", "loss: give terms, or input and coefficients");
  graph.loss.input = current;
  if (loss->input())
    if (llvm::Error error =
            lookUp(loss->input(), "loss.input", graph.loss.input))
      return error;
  if (loss->target())
    if (llvm::Error error =
            lookUp(loss->target(), "loss.target", graph.loss.target))
      return error;
  if (*loss->kind() != ::dtc::model::LossKind::linear)
    return llvm::Error::success();

  if (!loss->terms()) {
    GraphLossTerm &term = graph.loss.terms.emplace_back();
    term.value = graph.loss.input;
    if (loss->coefficients())
      term.coefficients.assign(loss->coefficients()->begin(),
                               loss->coefficients()->end());
    return llvm::Error::success();
  }
  if (loss->terms()->size() == 0)
    return file.error("loss.terms", "loss: terms are empty");
  for (auto [i, table] : llvm::enumerate(*loss->terms())) {
    GraphLossTerm &term = graph.loss.terms.emplace_back();
    if (llvm::Error error =
            lookUp(table->input(), "loss.terms[" + std::to_string(i) + "]",
                   term.value))
      return error;
    if (table->coefficients())
      term.coefficients.assign(table->coefficients()->begin(),
                               table->coefficients()->end());
  }
  return llvm::Error::success();
}

llvm::Error NameResolver::run() {
  scopes.emplace_back();
  if (llvm::Error error = addInputs())
    return error;
  if (model.layers())
    if (llvm::Error error = expand(*model.layers(), 0, "layers"))
      return error;
  for (const MetLayer &layer : met) {
    GraphValue &value = graph.values.emplace_back();
    value.name = layer.graph.name;
  }
  for (MetLayer &layer : met)
    if (llvm::Error error = resolveLayer(layer))
      return error;
  std::vector<GraphLayer> written;
  for (MetLayer &layer : met)
    written.push_back(std::move(layer.graph));
  if (llvm::Error error = orderLayers(file, written, graph))
    return error;
  if (llvm::Error error = checkStages(file, graph))
    return error;
  return resolveLoss();
}

} // namespace

llvm::Error resolveNames(const ModelFile &file, ModelGraph &graph) {
  return NameResolver(file, graph).run();
}

} // namespace mlir::dtc
