//===- GraphFacts.cpp - What follows from a step graph alone --------------===//
//
// One walk over the ops, then the stores and the updates.
//
//===----------------------------------------------------------------------===//

#include "runtime/check/GraphFacts.h"

#include <algorithm>

namespace dtc::rt::check {

std::string GraphFacts::name(uint32_t index) const {
  return value(index).name()->str();
}

const TermNames *GraphFacts::fullTerms(uint32_t value) const {
  auto found = sums.find(value);
  return found == sums.end() ? nullptr : &found->second;
}

static std::optional<uint32_t>
find(const std::map<std::string, uint32_t> &map, const std::string &name) {
  auto found = map.find(name);
  if (found == map.end())
    return std::nullopt;
  return found->second;
}

std::optional<uint32_t> GraphFacts::readOf(const std::string &name) const {
  return find(reads, name);
}
std::optional<uint32_t> GraphFacts::inputOf(const std::string &name) const {
  return find(inputs, name);
}
std::optional<uint32_t> GraphFacts::storeOf(const std::string &name) const {
  return find(stores, name);
}

std::optional<uint32_t> GraphFacts::reportOf(const std::string &metric) const {
  return find(reports, metric);
}

OpView GraphFacts::view(uint32_t index) const {
  OpView view{&op(index), {}, {}};
  if (view.table->operands())
    for (uint32_t operand : *view.table->operands())
      view.operands.push_back(toShape(value(operand).shape()));
  for (uint32_t result : *view.table->results())
    view.results.push_back(toShape(value(result).shape()));
  return view;
}

std::string GraphFacts::termsText(const TermNames &terms) const {
  std::string text;
  for (uint32_t term : terms)
    text += (text.empty() ? "" : ", ") + program->terms()->Get(term)->str();
  return "{" + text + "}";
}

std::optional<uint32_t> GraphFacts::termOf(const std::string &name) const {
  for (uint32_t i = 0; i < program->terms()->size(); ++i)
    if (program->terms()->Get(i)->str() == name)
      return i;
  return std::nullopt;
}

//===-- Values and ops ------------------------------------------------------===//

Status GraphFacts::readValues() {
  size_t count = valueCount();
  canonicals.resize(count);
  degrees.resize(count);
  makers.assign(count, -1);
  isMade.assign(count, false);
  for (uint32_t i = 0; i < count; ++i) {
    canonicals[i] = i;
    const program::GraphValue &entry = value(i);
    bool isRead = entry.variable() && entry.variable()->size();
    bool isInput = entry.input() && entry.input()->size();
    isMade[i] = isRead || isInput;
    if (isRead)
      canonicals[i] = reads.try_emplace(entry.variable()->str(), i).first->second;
    else if (isInput)
      canonicals[i] = inputs.try_emplace(entry.input()->str(), i).first->second;
    // The loss scale is the one variable with a degree; its name is fixed.
    if (isRead && entry.variable()->str() == "dtc.loss_scale")
      degrees[i] = {1, 0};
  }
  return Status::ok();
}

/// Refuses ids and sets that are not what the kind wants, then infers degrees.
Status GraphFacts::readOp(uint32_t index) {
  const program::GraphOp &entry = op(index);
  if (!entry.results())
    return Status::invalidProgram() << "it has no result";
  DTC_RETURN_IF_ERROR(checkCounts(entry));
  DegreeList operands;
  if (entry.operands())
    for (uint32_t operand : *entry.operands()) {
      if (operand >= valueCount() || !isMade[operand])
        return Status::invalidProgram()
               << "operand " << operands.size() << " is value " << operand
               << ", which no input, read or earlier op makes";
      operands.push_back(degrees[operand]);
    }
  for (uint32_t result : *entry.results()) {
    if (result >= valueCount() || isMade[result])
      return Status::invalidProgram()
             << "its result is value " << result << " of " << valueCount()
             << ", expected one that nothing else makes";
    isMade[result] = true;
    makers[result] = static_cast<int32_t>(index);
  }
  DTC_RETURN_IF_ERROR(checkShapes(view(index)));
  if (joinsTerms(entry)) {
    TermNames all;
    for (const program::TermSet *set : *entry.terms())
      if (set->terms())
        for (uint32_t term : *set->terms()) {
          if (term >= program->terms()->size())
            return Status::invalidProgram()
                   << "term " << term << " of " << program->terms()->size();
          if (!all.insert(term).second && entry.kind()->str() == "sum")
            return Status::invalidProgram()
                   << "term " << program->terms()->Get(term)->str()
                   << " enters the sum twice";
        }
    sums[entry.results()->Get(0)] = std::move(all);
  }
  DTC_ASSIGN_OR_RETURN(DegreeList results,
                       findOpKind(entry.kind()->str())
                           ->degrees(view(index), operands));
  for (size_t i = 0; i < results.size(); ++i)
    degrees[entry.results()->Get(static_cast<uint32_t>(i))] = results[i];
  return Status::ok();
}

Status GraphFacts::readOps() {
  for (uint32_t i = 0; i < opCount(); ++i)
    if (Status status = readOp(i); !status.isOk())
      return std::move(status).at("step graph op " + std::to_string(i) + " " +
                                  op(i).kind()->str() + " " +
                                  op(i).name()->str());
  return Status::ok();
}

Status GraphFacts::readStores() {
  for (const program::GraphStore *store : *table->stores()) {
    std::string variable = store->variable()->str();
    if (store->value() >= valueCount() || !isMade[store->value()])
      return Status::invalidProgram() << "step graph store of " << variable
                                      << ": value " << store->value()
                                      << ", which nothing makes";
    if (!stores.try_emplace(variable, canonicals[store->value()]).second)
      return Status::invalidProgram()
             << "step graph: variable " << variable << " is stored twice";
    bool isScale = variable == "dtc.loss_scale";
    if (!(degrees[store->value()] == Degree{isScale, 0}))
      return Status::invalidProgram()
             << "step graph store of " << variable << ": its value has degree "
             << degrees[store->value()].str() << ", expected "
             << Degree{isScale, 0}.str();
  }
  if (table->reports())
    for (const program::GraphReport *report : *table->reports()) {
      std::string metric = report->metric()->str();
      if (report->value() >= valueCount() || !isMade[report->value()])
        return Status::invalidProgram() << "step graph report of " << metric
                                        << ": value " << report->value()
                                        << ", which nothing makes";
      if (!reports.try_emplace(metric, canonicals[report->value()]).second)
        return Status::invalidProgram()
               << "step graph: metric " << metric << " is reported twice";
    }
  return Status::ok();
}

//===-- Updates -------------------------------------------------------------===//

/// The update reads a parameter, its gradient, and is what the graph stores.
Status GraphFacts::checkUpdate(const program::GraphOp &entry,
                               TermNames &updated) {
  uint32_t read = entry.operands()->Get(0);
  const flatbuffers::String *variable = value(read).variable();
  if (!variable || !variable->size())
    return Status::invalidProgram()
           << "operand value is " << name(read) << ", expected a variable";
  std::optional<uint32_t> term = termOf(variable->str());
  std::optional<uint32_t> stored = storeOf(variable->str());
  if (!term || !updated.insert(*term).second)
    return Status::invalidProgram()
           << "variable " << variable->str()
           << (term ? " is updated twice" : " has no term in norm and flag");
  if (stored != entry.results()->Get(0))
    return Status::invalidProgram()
           << "its result is not what the graph stores in "
           << variable->str();
  OpView shape{&entry, std::vector<Shape>(entry.operands()->size()), {}};
  gradients[*term] = entry.operands()->Get(
      static_cast<uint32_t>(updateTensors(shape).back()));
  return Status::ok();
}

/// Each term named after a variable summarises that variable's gradient.
Status GraphFacts::checkSummaries(const program::GraphOp &join,
                                  const char *kind) {
  for (uint32_t i = 0; i < join.operands()->size(); ++i) {
    const program::TermSet &set = *join.terms()->Get(i);
    if (!set.terms() || set.terms()->size() != 1)
      continue;
    auto expected = gradients.find(set.terms()->Get(0));
    int32_t made = maker(join.operands()->Get(i));
    if (expected == gradients.end() || made < 0)
      continue;
    const program::GraphOp &summary = op(static_cast<uint32_t>(made));
    uint32_t judged = summary.operands()->Get(0);
    bool fits = judged == expected->second;
    // The flag judges still scaled gradients: what unscale takes.
    if (int32_t unscale = maker(expected->second); !fits && unscale >= 0)
      fits = op(static_cast<uint32_t>(unscale)).kind()->str() == "unscale" &&
             op(static_cast<uint32_t>(unscale)).operands()->Get(0) == judged;
    if (summary.kind()->str() != kind || !fits)
      return Status::invalidProgram()
             << operandName(join, i) << " is " << summary.kind()->str()
             << " of " << name(judged) << ", expected " << kind
             << " of the gradient of "
             << program->terms()->Get(expected->first)->str();
  }
  return Status::ok();
}

Status GraphFacts::checkFlag(uint32_t flag, const TermNames &updated) {
  const TermNames *terms = fullTerms(flag);
  bool isFull = terms && std::includes(terms->begin(), terms->end(),
                                       updated.begin(), updated.end());
  if (!isFull)
    return Status::invalidProgram()
           << "operand flag is " << name(flag) << " over "
           << termsText(terms ? *terms : TermNames())
           << ", expected all of " << termsText(updated);
  return checkSummaries(op(static_cast<uint32_t>(maker(flag))),
                        "nonfinite_bit");
}

Status GraphFacts::checkFactor(uint32_t factor, const TermNames &updated) {
  int32_t made = maker(factor);
  if (made < 0)
    return Status::invalidProgram()
           << "operand factor is " << name(factor)
           << ", expected a clip_factor or a constant";
  const program::GraphOp &clip = op(static_cast<uint32_t>(made));
  if (clip.kind()->str() == "constant")
    return Status::ok();
  if (clip.kind()->str() != "clip_factor")
    return Status::invalidProgram()
           << "operand factor is made by " << clip.kind()->str()
           << ", expected clip_factor or constant";
  uint32_t squares = clip.operands()->Get(0);
  const TermNames *terms = fullTerms(squares);
  if (!terms || *terms != updated)
    return Status::invalidProgram()
           << "the clip factor is over "
           << termsText(terms ? *terms : TermNames()) << ", expected "
           << termsText(updated);
  return checkSummaries(op(static_cast<uint32_t>(maker(squares))),
                        "sum_squares");
}

Status GraphFacts::checkUpdates() {
  TermNames updated;
  for (bool first : {true, false})
    for (uint32_t i = 0; i < opCount(); ++i) {
      const program::GraphOp &entry = op(i);
      if (!isUpdate(entry))
        continue;
      OpView shape = view(i);
      auto gradient = static_cast<uint32_t>(updateTensors(shape).back());
      Status status = Status::ok();
      if (first) {
        status = checkUpdate(entry, updated);
      } else {
        status = checkFactor(entry.operands()->Get(gradient + 1), updated);
        if (status.isOk())
          status = checkFlag(entry.operands()->Get(gradient + 2), updated);
      }
      if (!status.isOk())
        return std::move(status).at("step graph op " + std::to_string(i) + " " +
                                    entry.kind()->str() + " " +
                                    entry.name()->str());
    }
  return Status::ok();
}

Result<GraphFacts> GraphFacts::build(const program::Program &program,
                                     const program::StepGraph &graph,
                                     bool isTraining) {
  GraphFacts facts;
  facts.program = &program;
  facts.table = &graph;
  DTC_RETURN_IF_ERROR(facts.readValues());
  DTC_RETURN_IF_ERROR(facts.readOps());
  DTC_RETURN_IF_ERROR(facts.readStores());
  if (isTraining)
    DTC_RETURN_IF_ERROR(facts.checkUpdates());
  else if (graph.stores()->size())
    return Status::invalidProgram()
           << "the evaluation graph stores "
           << graph.stores()->Get(0)->variable()->str() << ", expected no store";
  return facts;
}

} // namespace dtc::rt::check
