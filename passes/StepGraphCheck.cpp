//===- StepGraphCheck.cpp - Is it still the same step? --------------------===//
//
// A wrong value of the right shape and layout passes every type check. So each
// value is followed by what it is: a result of an op of the step graph. Layout
// changes and buffers keep it, a bucket is a list of such values, and every op
// that computes must have the operands that the graph's op has.
//
//===----------------------------------------------------------------------===//

#include "passes/StepGraphCheck.h"

#include "passes/FactFlow.h"
#include "passes/StepFunctions.h"

#include "llvm/ADT/StringSet.h"

#include <set>

namespace mlir::dtc {
namespace {

using TermSet = std::set<std::string>;

/// What a value is: values of the graph, one for each member of a bucket, else
/// one. A null value is one that the graph does not have.
struct Identity {
  SmallVector<Value, 1> members;
  /// Of a sum that lacks terms: those that it has.
  std::optional<TermSet> terms;
};

std::string format(const TermSet &terms) {
  std::string text;
  for (const std::string &term : terms)
    text += (text.empty() ? "" : ", ") + term;
  return "{" + text + "}";
}

TermSet readTerms(ArrayAttr sets) {
  TermSet terms;
  for (Attribute set : sets)
    for (Attribute term : cast<ArrayAttr>(set))
      terms.insert(cast<StringAttr>(term).str());
  return terms;
}

/// How a user knows a value of the graph.
std::string describe(Value value) {
  if (!value)
    return "a value that the graph does not have";
  Operation *op = value.getDefiningOp();
  if (op)
    return getModelName(op).str();
  auto argument = cast<BlockArgument>(value);
  auto graph = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  auto name =
      graph.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "dtc.input");
  return name ? name.str() : "input " + std::to_string(argument.getArgNumber());
}

bool keepsValue(Operation *op) {
  return isa<RelayoutOp, ToPartialOp, LocalSliceOp, MaskPadsOp, Collective>(op);
}

/// Attributes that say how an op is laid out or bundled, not what it computes.
bool isFree(StringRef name) {
  return name == "reduce_dtype" || name == "segment_lengths" ||
         name == "decays" || name == "rates" || name == "terms";
}

class GraphFlow : public FactFlow<Identity> {
public:
  GraphFlow(ModuleOp module, func::FuncOp graph)
      : module(module), graph(graph) {
    for (Operation &op : graph.front()) {
      if (auto id = op.getAttrOfType<IntegerAttr>(kIdAttr))
        byId[id.getInt()] = &op;
      if (auto read = dyn_cast<ReadOp>(op))
        reads[read.getVariable()] = read.getResult();
      if (auto store = dyn_cast<StoreOp>(op))
        stores[store.getVariable()] = store.getValue();
    }
  }

  LogicalResult checkStores(ArrayRef<func::FuncOp> parts);

private:
  Identity getInput(StringRef name) override;
  LogicalResult transfer(Operation *op, ArrayRef<Identity> operands,
                         SmallVectorImpl<Identity> &results) override;
  LogicalResult checkOp(Operation *op, ArrayRef<Operation *> originals,
                        ArrayRef<Identity> operands);
  LogicalResult checkAttributes(Operation *op, Operation *original, size_t k);
  LogicalResult checkSum(Operation *op, Operation *original,
                         ArrayRef<Identity> operands, Identity &result);
  LogicalResult checkStore(StoreOp op, const Identity &value);
  FailureOr<SmallVector<Operation *>> findOriginals(Operation *op);
  SmallVector<std::string> getMemberNames(StringRef variable);
  bool comesOverStages(Operation *sum, const TermSet &missing,
                       Operation *original);

  ModuleOp module;
  func::FuncOp graph;
  DenseMap<int64_t, Operation *> byId;
  llvm::StringMap<Value> reads;
  llvm::StringMap<Value> stores;
  /// Stages on which a step in tasks stored a variable.
  llvm::StringMap<std::multiset<int64_t>> stored;
};

Identity GraphFlow::getInput(StringRef name) {
  for (BlockArgument argument : graph.getArguments()) {
    auto own = graph.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                  "dtc.input");
    if (own && own.getValue() == name)
      return {{argument}, std::nullopt};
  }
  return {{Value()}, std::nullopt};
}

/// A variable's own name, or those of a bucket's members.
SmallVector<std::string> GraphFlow::getMemberNames(StringRef name) {
  auto variable = module.lookupSymbol<VariableOp>(name);
  SmallVector<std::string> names;
  ArrayAttr members = variable ? variable.getMembersAttr() : ArrayAttr();
  if (!members)
    return {name.str()};
  for (Attribute member : members) {
    if (auto symbol = dyn_cast<FlatSymbolRefAttr>(member))
      names.push_back(symbol.getValue().str());
    else
      names.push_back(cast<StringAttr>(member).str());
  }
  return names;
}

FailureOr<SmallVector<Operation *>> GraphFlow::findOriginals(Operation *op) {
  SmallVector<int64_t> ids;
  if (auto id = op->getAttrOfType<IntegerAttr>(kIdAttr))
    ids.push_back(id.getInt());
  else if (auto list = op->getAttrOfType<DenseI64ArrayAttr>("dtc.ids"))
    llvm::append_range(ids, list.asArrayRef());
  SmallVector<Operation *> originals;
  for (int64_t id : ids) {
    Operation *original = byId.lookup(id);
    if (!original)
      return op->emitOpError(getModelName(op))
             << ": has id " << id << ", which no op of the graph has";
    if (original->getName() != op->getName())
      return op->emitOpError(getModelName(op))
             << ": has the id of " << getModelName(original)
             << ", which the graph says is " << original->getName();
    originals.push_back(original);
  }
  if (originals.empty())
    return op->emitOpError(getModelName(op))
           << ": has no " << kIdAttr
           << ", expected that of the graph's op which it computes";
  return originals;
}

LogicalResult GraphFlow::checkAttributes(Operation *op, Operation *original,
                                         size_t k) {
  ArrayRef<StringAttr> names = op->getName().getAttributeNames();
  for (StringAttr name : names) {
    Attribute here = op->getAttr(name), there = original->getAttr(name);
    if (!isFree(name) && here != there)
      return op->emitOpError(getModelName(op))
             << ": " << name.getValue() << " is " << here << ", the graph says "
             << there;
  }
  for (StringRef name : {"decays", "rates"}) {
    auto here = op->getAttrOfType<DenseF64ArrayAttr>(name);
    auto there = original->getAttrOfType<DenseF64ArrayAttr>(name);
    if (here && there &&
        (here.size() <= static_cast<int64_t>(k) || here[k] != there[0]))
      return op->emitOpError(getModelName(op))
             << ": " << name << " of member " << k
             << " differ from the graph's " << there[0];
  }
  return success();
}

LogicalResult GraphFlow::checkOp(Operation *op, ArrayRef<Operation *> originals,
                                 ArrayRef<Identity> operands) {
  for (auto [k, original] : llvm::enumerate(originals)) {
    if (failed(checkAttributes(op, original, k)))
      return failure();
    if (op->getNumOperands() != original->getNumOperands())
      return op->emitOpError(getModelName(op))
             << ": has " << op->getNumOperands() << " operands, the graph says "
             << original->getNumOperands();
    for (auto [i, operand] : llvm::enumerate(operands)) {
      bool isBucket = operand.members.size() > 1;
      if (isBucket && operand.members.size() != originals.size())
        return op->emitOpError(getModelName(op))
               << ": operand " << i << " has " << operand.members.size()
               << " members, expected " << originals.size();
      Value here =
          operand.members.empty() ? Value() : operand.members[isBucket ? k : 0];
      Value there = original->getOperand(i);
      if (here != there)
        return op->emitOpError(getModelName(op))
               << ": operand " << i << " is " << describe(here)
               << ", the graph says " << describe(there);
      if (operand.terms)
        return op->emitOpError(getModelName(op))
               << ": operand " << i << " is " << describe(here)
               << " with terms " << format(*operand.terms) << " only";
    }
  }
  return success();
}

/// True where a missing term is made on another stage than the sum's.
bool GraphFlow::comesOverStages(Operation *sum, const TermSet &missing,
                                Operation *original) {
  LayoutAttr layout = getLayout(sum->getResult(0));
  if (!layout)
    return false;
  auto function = sum->getParentOfType<func::FuncOp>();
  auto sets = original->getAttrOfType<ArrayAttr>("terms");
  bool found = false;
  for (auto [i, operand] : llvm::enumerate(original->getOperands())) {
    TermSet terms = readTerms(ArrayAttr::get(sum->getContext(), {sets[i]}));
    Operation *maker = operand.getDefiningOp();
    if (!missing.count(*terms.begin()) || !maker)
      continue;
    function.walk([&](Operation *op) {
      LayoutAttr own =
          op->getNumResults() ? getLayout(op->getResult(0)) : nullptr;
      found |= own && !keepsValue(op) &&
               op->getAttr(kIdAttr) == maker->getAttr(kIdAttr) &&
               getStages(own) != getStages(layout);
    });
  }
  return found;
}

LogicalResult GraphFlow::checkSum(Operation *op, Operation *original,
                                  ArrayRef<Identity> operands,
                                  Identity &result) {
  Value whole = original->getResult(0);
  auto sets = original->getAttrOfType<ArrayAttr>("terms");
  auto claimed = op->getAttrOfType<ArrayAttr>("terms");
  TermSet has;
  DenseSet<unsigned> counted;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    TermSet carried;
    if (operand.terms && operand.members[0] == whole) {
      carried = *operand.terms;
    } else {
      for (Value member : operand.members) {
        // One value may be several terms (x + x): each counts once.
        unsigned index = 0, count = original->getNumOperands();
        while (index < count && (original->getOperand(index) != member ||
                                 counted.contains(index)))
          ++index;
        if (index == count || operand.terms)
          return op->emitOpError(getModelName(op))
                 << ": operand " << i << " is " << describe(member)
                 << ", which is no term of it in the graph";
        counted.insert(index);
        carried.merge(
            readTerms(ArrayAttr::get(op->getContext(), {sets[index]})));
      }
    }
    TermSet says = readTerms(ArrayAttr::get(op->getContext(), {claimed[i]}));
    if (says != carried)
      return op->emitOpError(getModelName(op))
             << ": operand " << i << " is said to have terms " << format(says)
             << ", it carries " << format(carried);
    has.merge(carried);
  }
  TermSet all = readTerms(sets);
  result = {{whole}, std::nullopt};
  if (has == all)
    return success();
  // Parts of a sum are added up elsewhere: those that assign-stages made, and
  // a stage's share of a sum over stages.
  LayoutAttr layout = getLayout(op->getResult(0));
  bool isPart = getModelName(op) != getModelName(original) ||
                (layout && layout.on(kAxisPp).isPartial());
  if (isPart) {
    if (!layout || !layout.on(kAxisPp).isPartial())
      result.terms = has;
    return success();
  }
  TermSet missing;
  for (const std::string &term : all)
    if (!has.count(term))
      missing.insert(term);
  InFlightDiagnostic error = op->emitOpError(getModelName(op));
  error << ": has terms " << format(has) << ", the graph " << format(all);
  if (comesOverStages(op, missing, original))
    error << "; from axis \"pp\"";
  return error;
}

LogicalResult GraphFlow::checkStore(StoreOp op, const Identity &value) {
  SmallVector<std::string> names = getMemberNames(op.getVariable());
  if (names.size() != value.members.size())
    return op.emitOpError()
           << op.getVariable() << ": stores " << value.members.size()
           << " values, expected " << names.size();
  auto function = op->getParentOfType<func::FuncOp>();
  auto stage = function->getAttrOfType<IntegerAttr>("dtc.stage");
  for (auto [name, member] : llvm::zip_equal(names, value.members)) {
    auto expected = stores.find(name);
    if (expected == stores.end() || expected->second != member)
      return op.emitOpError()
             << name << ": stores " << describe(member) << ", the graph says "
             << (expected == stores.end() ? std::string("nothing")
                                          : describe(expected->second));
    stored[name].insert(stage ? stage.getInt() : 0);
  }
  return success();
}

LogicalResult GraphFlow::transfer(Operation *op, ArrayRef<Identity> operands,
                                  SmallVectorImpl<Identity> &results) {
  if (auto read = dyn_cast<ReadOp>(op)) {
    Identity identity;
    for (const std::string &name : getMemberNames(read.getVariable()))
      identity.members.push_back(reads.lookup(name));
    results.push_back(identity);
    return success();
  }
  if (isa<UnpackOp>(op)) {
    for (Value member : operands[0].members)
      results.push_back({{member}, std::nullopt});
    return success();
  }
  if (isa<PackOp>(op)) {
    Identity whole;
    for (const Identity &operand : operands)
      llvm::append_range(whole.members, operand.members);
    results.push_back(whole);
    return success();
  }
  if (auto store = dyn_cast<StoreOp>(op))
    return checkStore(store, operands[0]);
  if (keepsValue(op)) {
    results.push_back(operands[0]);
    return success();
  }
  FailureOr<SmallVector<Operation *>> originals = findOriginals(op);
  if (failed(originals))
    return failure();
  auto distributable = dyn_cast<Distributable>(op);
  if (distributable && distributable.joinsStages())
    return checkSum(op, originals->front(), operands, results.emplace_back());
  if (failed(checkOp(op, *originals, operands)))
    return failure();
  for (unsigned r = 0; r < op->getNumResults(); ++r) {
    Identity &result = results.emplace_back();
    for (Operation *original : *originals)
      result.members.push_back(original->getResult(r));
  }
  return success();
}

/// Once on each stage that the variable is on, while the step is whole once.
LogicalResult GraphFlow::checkStores(ArrayRef<func::FuncOp> parts) {
  bool isWhole = parts.size() == 1 && !parts[0]->hasAttr("dtc.stage");
  for (auto variable : module.getOps<VariableOp>()) {
    for (const std::string &name : getMemberNames(variable.getSymName())) {
      if (!stores.contains(name))
        continue;
      LayoutAttr layout = getLayout(variable.getType());
      size_t expected =
          isWhole || !layout ? 1 : llvm::popcount(getStages(layout));
      std::multiset<int64_t> &where = stored[name];
      std::set<int64_t> distinct(where.begin(), where.end());
      if (where.size() != expected || (!isWhole && distinct.size() != expected))
        return variable.emitOpError()
               << name << ": is stored " << where.size()
               << " times, expected once on each of its stages";
    }
  }
  return success();
}

} // namespace

LogicalResult checkAgainstGraph(ModuleOp module, StringRef stepKind,
                                func::FuncOp graph) {
  SmallVector<func::FuncOp> parts = findStepParts(module, stepKind);
  GraphFlow flow(module, graph);
  if (parts.empty())
    return success();
  if (failed(flow.run(parts)))
    return failure();
  return flow.checkStores(parts);
}

} // namespace mlir::dtc
