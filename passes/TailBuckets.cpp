//===- TailBuckets.cpp - One tail op for all members of a bucket ----------===//
//
// Which ops belong together is read off the graph: the k-th op that uses
// anything of one member is the k-th op of its chain, and all members of a
// bucket have the same chain. No op is known by name; what an op makes of a
// bucket its rules say (a result is opaque where its operand is, or a summary).
//
// Steps: 1. reads become views of the bucket; 2. gradients are reduced over mb,
// packed, and reduced into shards; 3. ops of the tail are given their chains;
// 4. in program order each k-th op is merged where the first member has it, and
// n-ary sums take one term a bucket; 5. the members' ops go.
//
//===----------------------------------------------------------------------===//

#include "passes/TailBuckets.h"

#include "passes/StepFunctions.h"
#include "passes/ValueVersions.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::dtc {
namespace {

class TailMerger {
public:
  TailMerger(func::FuncOp function, MutableArrayRef<Bucket> buckets,
             const llvm::StringMap<BucketPlace> &places)
      : function(function), buckets(buckets), places(places),
        builder(function.getContext()) {}
  LogicalResult merge();

private:
  void replaceReads();
  void reduceGradients();
  Value changeTo(Value value, LayoutAttr layout, Value described);
  Value accumulate(Value gradient);
  LogicalResult findChains();
  LogicalResult mergeChains();
  LogicalResult mergeOps(Bucket &bucket, ArrayRef<Operation *> ops);
  LogicalResult checkAlike(Bucket &bucket, ArrayRef<Operation *> ops) const;
  Operation *createMerged(Bucket &bucket, ArrayRef<Operation *> ops);
  void describe(Operation *merged, Bucket &bucket,
                ArrayRef<Operation *> ops) const;
  void mergeTerms(Operation *join);
  Value lookup(Value value) const {
    Value found = merged.lookup(value);
    return found ? found : value;
  }

  func::FuncOp function;
  MutableArrayRef<Bucket> buckets;
  const llvm::StringMap<BucketPlace> &places;
  OpBuilder builder;
  DenseMap<Value, BucketPlace> owners;
  DenseMap<Value, Value> merged; ///< a member's value: the bucket's
  DenseMap<Operation *, std::pair<Bucket *, size_t>>
      links; ///< place in a chain
  DenseMap<Bucket *, SmallVector<SmallVector<Operation *>>> chains;
  SmallVector<Operation *> dead;
};

//===-- Reads and gradients -----------------------------------------------===//

void TailMerger::replaceReads() {
  llvm::MapVector<Bucket *, SmallVector<ReadOp>> reads;
  for (auto read : function.getOps<ReadOp>()) {
    auto place = places.find(read.getVariable());
    if (place != places.end() && !isUpdate(read))
      reads[place->second.bucket].push_back(read);
  }
  for (auto &[bucket, ops] : reads) {
    builder.setInsertionPoint(ops[0]);
    auto whole = builder.create<ReadOp>(ops[0].getLoc(), bucket->getType(),
                                        bucket->variable.getSymName());
    SmallVector<Type> types;
    for (BucketMember &member : bucket->members)
      types.push_back(member.variable.getType());
    auto views = builder.create<UnpackOp>(ops[0].getLoc(), types, whole);
    SmallVector<Operation *> read(ops.begin(), ops.end());
    describe(whole, *bucket, read);
    describe(views, *bucket, read);
    for (ReadOp op : ops) {
      BucketPlace place = places.lookup(op.getVariable());
      owners[op] = place;
      merged[op] = whole;
      op.getResult().replaceUsesWithIf(
          views.getMembers()[place.position],
          [](OpOperand &use) { return !isUpdate(use.getOwner()); });
      dead.push_back(op);
    }
  }
}

Value TailMerger::changeTo(Value value, LayoutAttr layout, Value described) {
  auto type = cast<RankedTensorType>(value.getType());
  auto change = builder.create<RelayoutOp>(
      value.getLoc(), withLayout(type, withPadsOfChange(type, layout)), value,
      findReduceDtype(described));
  describeAsValue(change, described, builder.getStringAttr("update"));
  return change;
}

/// The gradient R over mb and P over dp. One that is whole over dp (a nonlinear
/// op made it of a reduced value) enters the bucket's sum once.
Value TailMerger::accumulate(Value gradient) {
  Value value = gradient;
  LayoutAttr layout = getLayout(value);
  if (layout.on(kAxisMb).isPartial())
    value = changeTo(value, layout.with(kAxisMb, AxisState::replicated()),
                     gradient);
  layout = getLayout(value);
  if (!layout.on(kAxisDp).isReplicated())
    return value;
  LayoutAttr partial =
      layout.with(kAxisDp, AxisState::partial(ReductionKind::Sum));
  auto enter = builder.create<ToPartialOp>(
      value.getLoc(),
      withLayout(cast<RankedTensorType>(value.getType()), partial), value,
      builder.getStrArrayAttr({StringRef(kAxisDp)}));
  describeAsValue(enter, gradient, builder.getStringAttr("update"));
  return enter;
}

/// mb first, so that dp is one collective a step; then dp, into shards; then
/// the axes left, which are summed on the shard alone.
void TailMerger::reduceGradients() {
  for (Operation &op : function.front())
    if (isUpdate(&op)) {
      builder.setInsertionPoint(&op);
      break;
    }
  for (Bucket &bucket : buckets) {
    SmallVector<Value> gradients;
    for (auto [position, member] : llvm::enumerate(bucket.members)) {
      owners[member.gradient] = {&bucket, position, -1};
      gradients.push_back(accumulate(member.gradient));
    }
    Value first = bucket.members[0].gradient;
    LayoutAttr layout = bucket.layout;
    LayoutAttr packed = getLayout(gradients[0]);
    for (StringRef axis : {kAxisPp, kAxisDp, kAxisTp})
      if (packed.on(axis).isPartial())
        layout = layout.with(axis, packed.on(axis));
    auto pack = builder.create<PackOp>(first.getLoc(),
                                       withLayout(bucket.getType(), layout),
                                       gradients, bucket.name);
    pack->setAttr(kNameAttr, builder.getStringAttr(bucket.name + ".grad"));
    pack->setAttr(kPhaseAttr, builder.getStringAttr("update"));
    Value reduced = changeTo(pack, layout.with(kAxisDp, AxisState::split(0)),
                             pack.getResult());
    LayoutAttr shard = getLayout(bucket.getShardType());
    if (getLayout(reduced).getAxes() != shard.getAxes())
      reduced = changeTo(reduced, shard, pack.getResult());
    for (const BucketMember &member : bucket.members)
      merged[member.gradient] = reduced;
  }
}

//===-- Chains ------------------------------------------------------------===//

LogicalResult TailMerger::findChains() {
  for (Operation &op : function.front()) {
    auto distributable = dyn_cast<Distributable>(op);
    if (!isUpdate(&op) || isa<RelayoutOp, ToPartialOp, PackOp>(op) ||
        (distributable && distributable.joinsStages()))
      continue;
    std::optional<BucketPlace> owner;
    auto own = [&](BucketPlace place) {
      bool isOther = owner && (owner->bucket != place.bucket ||
                               owner->position != place.position);
      owner = place;
      return !isOther;
    };
    bool isAlone = true;
    for (Value operand : op.getOperands())
      if (owners.contains(operand))
        isAlone &= own(owners.lookup(operand));
    if (auto symbol = op.getAttrOfType<FlatSymbolRefAttr>("variable"))
      if (places.contains(symbol.getValue()))
        isAlone &= own(places.lookup(symbol.getValue()));
    if (!isAlone)
      return op.emitOpError(getModelName(&op))
             << ": uses values of several parameters, expected those of one; "
                "only sums join them under zero = 1";
    if (!owner)
      continue;
    auto &ofBucket = chains[owner->bucket];
    ofBucket.resize(owner->bucket->members.size());
    links[&op] = {owner->bucket, ofBucket[owner->position].size()};
    ofBucket[owner->position].push_back(&op);
    for (Value result : op.getResults())
      owners[result] = *owner;
    dead.push_back(&op);
  }
  return success();
}

LogicalResult TailMerger::checkAlike(Bucket &bucket,
                                     ArrayRef<Operation *> ops) const {
  auto isAlike = [&](Operation *op) {
    return op->getName() == ops[0]->getName() &&
           op->getNumOperands() == ops[0]->getNumOperands() &&
           llvm::all_of(llvm::zip(op->getOperands(), ops[0]->getOperands()),
                        [&](auto pair) {
                          return lookup(std::get<0>(pair)) ==
                                 lookup(std::get<1>(pair));
                        });
  };
  for (Operation *op : ops)
    if (!isAlike(op))
      return op->emitOpError(getModelName(op))
             << ": differs from " << getModelName(ops[0])
             << ", expected one update for all parameters of bucket "
             << bucket.name;
  return success();
}

void TailMerger::describe(Operation *op, Bucket &bucket,
                          ArrayRef<Operation *> ops) const {
  // `up.weight.unscaled` becomes `b0.split.unscaled`.
  std::string name = bucket.name;
  for (BucketMember &member : bucket.members) {
    StringRef own = getModelName(ops[0]);
    if (own.consume_front(member.variable.getSymName()))
      name = bucket.name + own.str();
  }
  op->setAttr(kNameAttr, StringAttr::get(op->getContext(), name));
  if (StringAttr phase = getPhase(ops[0]))
    op->setAttr(kPhaseAttr, phase);
  SmallVector<int64_t> ids;
  for (Operation *one : ops)
    if (auto id = one->getAttrOfType<IntegerAttr>(kIdAttr))
      ids.push_back(id.getInt());
  if (!ids.empty())
    op->setAttr(kIdsAttr, DenseI64ArrayAttr::get(op->getContext(), ids));
}

/// One list of all ops' lists under `name`.
void concatenate(NamedAttrList &attributes, StringRef name,
                 ArrayRef<Operation *> ops) {
  SmallVector<double> all;
  for (Operation *op : ops)
    if (auto list = op->getAttrOfType<DenseF64ArrayAttr>(name))
      llvm::append_range(all, list.asArrayRef());
  attributes.set(name, DenseF64ArrayAttr::get(ops[0]->getContext(), all));
}

Operation *TailMerger::createMerged(Bucket &bucket, ArrayRef<Operation *> ops) {
  Operation *op = ops[0];
  NamedAttrList attributes(op->getAttrDictionary());
  if (op->getAttrOfType<DenseI64ArrayAttr>("segment_lengths")) {
    SmallVector<int64_t> elements;
    for (const BucketMember &member : bucket.members)
      elements.push_back(member.elements);
    attributes.set("segment_lengths", builder.getDenseI64ArrayAttr(elements));
    concatenate(attributes, "decays", ops);
    concatenate(attributes, "rates", ops);
  }
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(lookup(operand));
  SmallVector<Type> types(op->getResultTypes());
  if (auto symbol = op->getAttrOfType<FlatSymbolRefAttr>("variable")) {
    BucketPlace place = places.lookup(symbol.getValue());
    VariableOp variable =
        place.state < 0 ? bucket.variable : bucket.states[place.state];
    attributes.set("variable",
                   FlatSymbolRefAttr::get(variable.getSymNameAttr()));
    for (Type &type : types)
      type = variable.getType();
  } else if (auto distributable = dyn_cast<Distributable>(op)) {
    // A result is a bucket where its operand's opacity makes it opaque.
    for (const AxisRule &rule : distributable.getAxisRules(kAxisTp))
      for (auto [type, state] : llvm::zip(types, rule.results))
        if (state.isOpaque())
          type = RankedTensorType::get(bucket.getType().getShape(),
                                       getElementTypeOrSelf(type));
  }
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  state.addTypes(types);
  state.addAttributes(attributes);
  return builder.create(state);
}

LogicalResult TailMerger::mergeOps(Bucket &bucket, ArrayRef<Operation *> ops) {
  if (failed(checkAlike(bucket, ops)))
    return failure();
  Operation *made = createMerged(bucket, ops);
  made->removeAttr(kIdAttr);
  describe(made, bucket, ops);
  for (Operation *op : ops)
    for (auto [old, result] : llvm::zip(op->getResults(), made->getResults()))
      merged[old] = result;
  return success();
}

/// Operands of one bucket are one term, named as all of its members.
void TailMerger::mergeTerms(Operation *join) {
  auto terms = join->getAttrOfType<ArrayAttr>("terms");
  llvm::MapVector<Value, SmallVector<Attribute>> united;
  for (auto [index, operand] : llvm::enumerate(join->getOperands()))
    llvm::append_range(united[lookup(operand)],
                       cast<ArrayAttr>(terms[index]).getValue());
  SmallVector<Value> operands;
  SmallVector<Attribute> sets;
  for (auto &[operand, names] : united) {
    operands.push_back(operand);
    sets.push_back(builder.getArrayAttr(names));
  }
  join->setOperands(operands);
  join->setAttr("terms", builder.getArrayAttr(sets));
}

LogicalResult TailMerger::mergeChains() {
  for (auto &[bucket, ofBucket] : chains)
    for (ArrayRef<Operation *> chain : ofBucket)
      if (chain.size() != ofBucket[0].size())
        return function.emitError("bucket ")
               << bucket->name << ": its parameters have " << chain.size()
               << " and " << ofBucket[0].size()
               << " ops in the tail, expected one update for all";
  DenseMap<Bucket *, size_t> done;
  for (Operation &op : llvm::make_early_inc_range(function.front())) {
    auto link = links.find(&op);
    if (link == links.end()) {
      auto distributable = dyn_cast<Distributable>(op);
      if (isUpdate(&op) && distributable && distributable.joinsStages())
        mergeTerms(&op);
      continue;
    }
    auto [bucket, index] = link->second;
    if (index < done[bucket])
      continue;
    ++done[bucket];
    SmallVector<Operation *> ops;
    for (ArrayRef<Operation *> chain : chains[bucket])
      ops.push_back(chain[index]);
    builder.setInsertionPoint(&op);
    if (failed(mergeOps(*bucket, ops)))
      return failure();
  }
  return success();
}

LogicalResult TailMerger::merge() {
  replaceReads();
  if (llvm::any_of(function.front(),
                   [](Operation &op) { return isUpdate(&op); })) {
    reduceGradients();
    if (failed(findChains()) || failed(mergeChains()))
      return failure();
  }
  for (Operation *op : llvm::reverse(dead))
    op->erase();
  return success();
}

} // namespace

LogicalResult mergeTail(func::FuncOp function, MutableArrayRef<Bucket> buckets,
                        const llvm::StringMap<BucketPlace> &places) {
  return TailMerger(function, buckets, places).merge();
}

} // namespace mlir::dtc
