//===- GraphIndex.cpp - The step graph of a program
//------------------------===//
//
// Reads, inputs and stores are properties of values; everything else is an op.
// The hash is over the graph's own bytes, so that two programs of one model can
// be seen to compute the same step whatever their plans.
//
//===----------------------------------------------------------------------===//

#include "codegen/GraphIndex.h"

#include "llvm/Support/Format.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace mlir::dtc {

namespace fbs = ::dtc::program;

/// Elements of a constant that are written out; more are named by their hash.
static constexpr int64_t kShownElements = 16;

static std::string describeConstant(DenseElementsAttr value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (value.isSplat() || value.getNumElements() <= kShownElements) {
    os << value;
    return text;
  }
  ArrayRef<char> bytes = value.getRawData();
  os << "xxh3:"
     << llvm::format_hex_no_prefix(XXH3_64bits(bytes.data(), bytes.size()), 16);
  return text;
}

/// An attribute of an op as numbers where it is some, as text otherwise.
static std::unique_ptr<fbs::AttributeT> makeAttribute(NamedAttribute named) {
  auto table = std::make_unique<fbs::AttributeT>();
  table->name = named.getName().str();
  Attribute value = named.getValue();
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    table->integers = {integer.getValue().getSExtValue()};
  } else if (isa<UnitAttr>(value)) {
    table->integers = {1};
  } else if (auto list = dyn_cast<DenseI64ArrayAttr>(value)) {
    table->integers.assign(list.asArrayRef().begin(), list.asArrayRef().end());
  } else if (auto sizes = dyn_cast<DenseI32ArrayAttr>(value)) {
    table->integers.assign(sizes.asArrayRef().begin(),
                           sizes.asArrayRef().end());
  } else if (auto text = dyn_cast<StringAttr>(value)) {
    table->text = text.str();
  } else if (auto elements = dyn_cast<DenseElementsAttr>(value)) {
    table->text = describeConstant(elements);
  } else {
    llvm::raw_string_ostream os(table->text);
    os << value;
  }
  return table;
}

static bool isDiscardable(NamedAttribute named) {
  return named.getName().getValue().starts_with("dtc.");
}

uint32_t GraphIndex::addValue(Value value, StringRef name) {
  auto type = cast<RankedTensorType>(value.getType());
  auto entry = std::make_unique<fbs::GraphValueT>();
  entry->name = name.str();
  entry->dtype = toProgramDType(type.getElementType());
  entry->shape = toProgramShape(type.getShape());
  table->values.push_back(std::move(entry));
  uint32_t index = table->values.size() - 1;
  values[value] = index;
  return index;
}

void GraphIndex::addOp(Operation &op, ProgramTables &tables) {
  int64_t id = -1;
  if (auto attribute = op.getAttrOfType<IntegerAttr>(kIdAttr))
    id = attribute.getInt();
  StringRef name = getProgramName(&op);
  if (auto store = dyn_cast<StoreOp>(op)) {
    auto entry = std::make_unique<fbs::GraphStoreT>();
    entry->variable = store.getVariable().str();
    entry->value = values.lookup(store.getValue());
    table->stores.push_back(std::move(entry));
    return;
  }
  if (auto report = dyn_cast<ReportOp>(op)) {
    auto entry = std::make_unique<fbs::GraphReportT>();
    entry->metric = report.getMetric().str();
    entry->value = values.lookup(report.getValue());
    table->reports.push_back(std::move(entry));
    return;
  }
  auto entry = std::make_unique<fbs::GraphOpT>();
  entry->kind = op.getName().stripDialect().str();
  entry->name = name.str();
  for (Value operand : op.getOperands())
    entry->operands.push_back(values.lookup(operand));
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    std::string resultName = name.str();
    if (op.getNumResults() > 1)
      resultName += "." + std::to_string(i);
    uint32_t value = addValue(result, resultName);
    entry->results.push_back(value);
    resultsById[{id, i}] = value;
    if (auto term = op.getAttrOfType<StringAttr>(kTermAttr)) {
      table->values[value]->contributes = term.str();
      termsOf[value].push_back(term.str());
    }
  }
  if (auto read = dyn_cast<ReadOp>(op)) {
    table->values.back()->variable = read.getVariable().str();
    reads.try_emplace(read.getVariable(), entry->results[0]);
    return;
  }
  for (NamedAttribute named : op.getAttrs()) {
    if (isDiscardable(named))
      continue;
    if (named.getName() != "terms") {
      entry->attributes.push_back(makeAttribute(named));
      continue;
    }
    for (Attribute set : cast<ArrayAttr>(named.getValue())) {
      auto terms = std::make_unique<fbs::TermSetT>();
      for (auto term : cast<ArrayAttr>(set).getAsRange<StringAttr>()) {
        terms->terms.push_back(tables.getTerm(term.getValue()));
        termsOf[entry->results[0]].push_back(term.str());
      }
      entry->terms.push_back(std::move(terms));
    }
  }
  opsById[id] = table->ops.size();
  resultsOf.push_back(entry->results);
  table->ops.push_back(std::move(entry));
}

GraphIndex::GraphIndex(func::FuncOp graph, ProgramTables &tables)
    : table(std::make_unique<fbs::StepGraphT>()) {
  for (BlockArgument argument : graph.getArguments()) {
    auto input = graph.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                    "dtc.input");
    std::string name =
        input ? input.str() : "input" + std::to_string(argument.getArgNumber());
    uint32_t value = addValue(argument, name);
    table->values[value]->input = name;
    inputs[name] = value;
  }
  for (Operation &op : graph.front().without_terminator())
    addOp(op, tables);

  flatbuffers::FlatBufferBuilder bytes;
  bytes.Finish(fbs::StepGraph::Pack(bytes, table.get()));
  table->hash = XXH3_64bits(bytes.GetBufferPointer(), bytes.GetSize());
}

int32_t GraphIndex::findOp(int64_t id) const {
  auto found = opsById.find(id);
  return found == opsById.end() ? -1 : static_cast<int32_t>(found->second);
}

std::optional<uint32_t> GraphIndex::findResult(int64_t id,
                                               unsigned position) const {
  auto found = resultsById.find({id, position});
  if (found == resultsById.end())
    return std::nullopt;
  return found->second;
}

SmallVector<std::string> GraphIndex::getTerms(uint32_t value) const {
  return termsOf.lookup(value);
}

static std::optional<uint32_t> find(const llvm::StringMap<uint32_t> &map,
                                    StringRef name) {
  auto found = map.find(name);
  if (found == map.end())
    return std::nullopt;
  return found->second;
}

std::optional<uint32_t> GraphIndex::findRead(StringRef variable) const {
  return find(reads, variable);
}

std::optional<uint32_t> GraphIndex::findInput(StringRef input) const {
  return find(inputs, input);
}

} // namespace mlir::dtc
