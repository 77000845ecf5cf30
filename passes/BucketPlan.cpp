//===- BucketPlan.cpp - Which parameters share a bucket -------------------===//
//
// Decay and rate are no part of the key: an update takes them by segments, and
// a bucket that they cut would only be reduced in more and smaller pieces.
//
//===----------------------------------------------------------------------===//

#include "passes/BucketPlan.h"

#include "passes/StepFunctions.h"

namespace mlir::dtc {

static RankedTensorType makeBucketType(const Bucket &bucket,
                                       LayoutAttr layout) {
  int64_t elements = 0;
  for (const BucketMember &member : bucket.members)
    elements += member.elements;
  auto type = cast<RankedTensorType>(bucket.members[0].gradient.getType());
  return RankedTensorType::get(elements, type.getElementType(),
                               withPads(layout, {elements}, {PadKind::Zero}));
}

RankedTensorType Bucket::getType() const {
  return makeBucketType(*this, layout);
}

RankedTensorType Bucket::getShardType() const {
  return makeBucketType(*this, layout.with(kAxisDp, AxisState::split(0)));
}

//===-- Plan --------------------------------------------------------------===//

static std::string nameBucket(VariableOp variable, Value gradient) {
  LayoutAttr layout = getLayout(variable.getType());
  std::string name = "b";
  StringRef separator = "";
  for (unsigned stage = 0; stage < 64; ++stage)
    if (getStages(layout) >> stage & 1) {
      name += (separator + Twine(stage)).str();
      separator = "_";
    }
  bool isSplit = layout.on(kAxisTp).isSplit();
  bool isPartial = getLayout(gradient).on(kAxisTp).isPartial();
  name += isSplit ? ".split" : isPartial ? ".partial" : ".whole";
  Type element = cast<RankedTensorType>(variable.getType()).getElementType();
  if (!element.isF32()) {
    llvm::raw_string_ostream os(name);
    os << '.' << element;
  }
  return name;
}

std::vector<Bucket> planBuckets(ModuleOp module, func::FuncOp step) {
  llvm::StringMap<Value> gradients;
  for (Operation &op : step.front())
    if (auto of = op.getAttrOfType<FlatSymbolRefAttr>(kGradientOfAttr))
      gradients[of.getValue()] = op.getResult(0);
  std::vector<Bucket> buckets;
  for (auto variable : module.getOps<VariableOp>()) {
    Value gradient = gradients.lookup(variable.getSymName());
    if (!gradient)
      continue;
    std::string name = nameBucket(variable, gradient);
    auto bucket = llvm::find_if(
        buckets, [&](const Bucket &other) { return other.name == name; });
    LayoutAttr layout = getLayout(variable.getType());
    if (bucket == buckets.end()) {
      buckets.push_back({name, {}, layout.withPads({}), {}, {}});
      bucket = std::prev(buckets.end());
      if (layout.on(kAxisTp).isSplit())
        bucket->layout = bucket->layout.with(kAxisTp, AxisState::opaque());
    }
    int64_t elements = ShapedType::getNumElements(
        getLocalShape(getGlobalShape(variable.getType()), layout));
    bucket->members.push_back({variable, gradient, elements});
  }
  return buckets;
}

//===-- Variables ---------------------------------------------------------===//

/// One variable for all `members`, which keep names, types and initialisers.
static VariableOp createPacked(OpBuilder &builder, StringRef name,
                               RankedTensorType type, StringRef role,
                               FlatSymbolRefAttr of,
                               ArrayRef<VariableOp> members) {
  SmallVector<Attribute> names, types, inits;
  for (VariableOp member : members) {
    names.push_back(member.getSymNameAttr());
    types.push_back(member.getTypeAttr());
    inits.push_back(member.getInit());
  }
  auto init = builder.getDictionaryAttr(
      {builder.getNamedAttr("kind", builder.getStringAttr("zeros")),
       builder.getNamedAttr("members", builder.getArrayAttr(inits))});
  return builder.create<VariableOp>(
      members[0]->getLoc(), builder.getStringAttr(name), TypeAttr::get(type),
      init, builder.getStringAttr(role), of, builder.getArrayAttr(names),
      builder.getArrayAttr(types), builder.getF64FloatAttr(0.0),
      builder.getF64FloatAttr(1.0), UnitAttr());
}

/// States of a parameter, in the order of the variable table.
static SmallVector<VariableOp> findStates(ModuleOp module,
                                          VariableOp parameter) {
  SmallVector<VariableOp> states;
  for (auto variable : module.getOps<VariableOp>())
    if (variable.getOf() == parameter.getSymName())
      states.push_back(variable);
  return states;
}

llvm::StringMap<BucketPlace>
createBucketVariables(ModuleOp module, MutableArrayRef<Bucket> buckets) {
  llvm::StringMap<BucketPlace> places;
  OpBuilder builder(module.getContext());
  for (Bucket &bucket : buckets) {
    builder.setInsertionPoint(bucket.members[0].variable);
    SmallVector<VariableOp> parameters;
    SmallVector<SmallVector<VariableOp>> states;
    for (auto [position, member] : llvm::enumerate(bucket.members)) {
      places[member.variable.getSymName()] = {&bucket, position, -1};
      parameters.push_back(member.variable);
      SmallVector<VariableOp> own = findStates(module, member.variable);
      states.resize(own.size());
      for (auto [index, state] : llvm::enumerate(own)) {
        places[state.getSymName()] = {&bucket, position,
                                      static_cast<int>(index)};
        states[index].push_back(state);
      }
    }
    bucket.variable =
        createPacked(builder, bucket.name, bucket.getType(), "parameter",
                     FlatSymbolRefAttr(), parameters);
    for (ArrayRef<VariableOp> packed : states) {
      StringRef first = VariableOp(packed[0]).getSymName();
      StringRef suffix = first.drop_front(parameters[0].getSymName().size());
      bucket.states.push_back(createPacked(
          builder, bucket.name + suffix.str(), bucket.getShardType(), "state",
          FlatSymbolRefAttr::get(bucket.variable.getSymNameAttr()), packed));
    }
  }
  return places;
}

} // namespace mlir::dtc
