//===- VariableStore.cpp - What a step remembers --------------------------===//
//
// A member of a bucket is found by counting: members are packed in order, each
// with the padded elements of one coordinate, and a rank's shard begins where
// its extent of the bucket begins.
//
//===----------------------------------------------------------------------===//

#include "ir/interpreter/VariableStore.h"

#include "ir/interpreter/Interpreter.h"
#include "ir/interpreter/Philox.h"

#include "mlir/IR/BuiltinTypes.h"

namespace mlir::dtc {

//===-- Initial values
//------------------------------------------------------===//

static double getNumber(DictionaryAttr init, StringRef key, double otherwise) {
  if (auto value = init.getAs<FloatAttr>(key))
    return value.getValueAsDouble();
  if (auto value = init.getAs<IntegerAttr>(key))
    return static_cast<double>(value.getInt());
  return otherwise;
}

FailureOr<HostTensor> makeInitialValue(Operation *op, DictionaryAttr init,
                                       StringRef name, RankedTensorType type,
                                       uint64_t seed) {
  auto kindAttr = init.getAs<StringAttr>("kind");
  StringRef kind = kindAttr ? kindAttr.getValue() : StringRef();
  HostTensor value(type.getShape());
  RandomStream stream(seed, name);
  for (int64_t i = 0; i < value.getElementCount(); ++i) {
    if (kind == "zeros")
      value[i] = 0;
    else if (kind == "ones")
      value[i] = 1;
    else if (kind == "constant")
      value[i] = getNumber(init, "value", 0);
    else if (kind == "normal")
      value[i] =
          getNumber(init, "mean", 0) +
          getNumber(init, "std", 1) * stream.getNormal(kInitialValueStep, i);
    else if (kind == "uniform") {
      double low = getNumber(init, "low", 0), high = getNumber(init, "high", 1);
      value[i] = low + (high - low) * stream.getUniform(kInitialValueStep, i);
    } else
      return op->emitOpError("initialiser of ")
             << name << " is " << init
             << ", expected kind zeros, ones, constant, normal or uniform";
  }
  roundToType(value, type.getElementType());
  return value;
}

static bool isFile(DictionaryAttr init) {
  auto kind = init.getAs<StringAttr>("kind");
  return kind && kind.getValue() == "file";
}

static RankedTensorType withoutEncoding(Type type) {
  return RankedTensorType::get(getGlobalShape(type),
                               cast<RankedTensorType>(type).getElementType());
}

/// Initialiser of a member: a bucket's `init` lists them under `members`, or
/// says one kind for all.
static DictionaryAttr getMemberInit(VariableOp bucket, size_t position) {
  if (auto inits = bucket.getInit().getAs<ArrayAttr>("members"))
    return dyn_cast<DictionaryAttr>(inits[position]);
  return bucket.getInit();
}

//===-- Names
//---------------------------------------------------------------===//

static std::string getMemberName(Attribute member) {
  if (auto symbol = dyn_cast<FlatSymbolRefAttr>(member))
    return symbol.getValue().str();
  return cast<StringAttr>(member).getValue().str();
}

VariableStore::VariableStore(ModuleOp module, const Mesh &mesh, bool typed)
    : module(module), mesh(mesh), typed(typed) {
  for (VariableOp op : module.getOps<VariableOp>()) {
    entries.push_back(std::make_unique<Entry>());
    Entry &entry = *entries.back();
    entry.op = op;
    entry.ranks.resize(mesh.getRankCount());
    entry.stored.resize(mesh.getRankCount());
    byName[op.getSymName()] = &entry;
    std::optional<ArrayAttr> packed = op.getMembers();
    if (!packed)
      continue;
    for (auto [i, member] : llvm::enumerate(*packed)) {
      auto type = cast<TypeAttr>((*op.getMemberTypes())[i]).getValue();
      members[getMemberName(member)] = {&entry, i,
                                        cast<RankedTensorType>(type)};
    }
  }
}

VariableStore::Entry *VariableStore::find(StringRef variable) const {
  auto found = byName.find(variable);
  return found == byName.end() ? nullptr : found->second;
}

SmallVector<std::string> VariableStore::getNames() const {
  SmallVector<std::string> names;
  for (const std::unique_ptr<Entry> &entry : entries) {
    std::optional<ArrayAttr> members = entry->op.getMembers();
    if (!members)
      names.push_back(entry->op.getSymName().str());
    else
      for (Attribute member : *members)
        names.push_back(getMemberName(member));
  }
  return names;
}

RankedTensorType VariableStore::getType(StringRef name) const {
  auto member = members.find(name);
  if (member != members.end())
    return withoutEncoding(member->second.type);
  if (Entry *entry = find(name))
    return withoutEncoding(entry->op.getType());
  return nullptr;
}

//===-- Global values in and out
//--------------------------------------------===//

LogicalResult VariableStore::initialize(uint64_t seed) {
  for (const std::string &name : getNames()) {
    auto member = members.find(name);
    Operation *op;
    DictionaryAttr init;
    if (member != members.end()) {
      op = member->second.bucket->op;
      init = getMemberInit(member->second.bucket->op, member->second.position);
    } else {
      op = find(name)->op;
      init = find(name)->op.getInit();
    }
    if (!init)
      return op->emitOpError("has no initialiser for ") << name;
    if (isFile(init))
      continue;
    FailureOr<HostTensor> value =
        makeInitialValue(op, init, name, getType(name), seed);
    if (failed(value) || failed(set(name, *value)))
      return failure();
  }
  return success();
}

LogicalResult VariableStore::set(StringRef name, const HostTensor &global) {
  RankedTensorType type = getType(name);
  if (!type)
    return module.emitError("no variable is named ") << name;
  if (ArrayRef<int64_t>(global.shape) != type.getShape())
    return module.emitError("variable ")
           << name << " has shape [" << type.getShape() << "], given ["
           << ArrayRef<int64_t>(global.shape) << "]";
  HostTensor value = global;
  if (typed)
    roundToType(value, type.getElementType());
  auto member = members.find(name);
  return member != members.end() ? setMember(member->second, value)
                                 : setEntry(*find(name), value);
}

LogicalResult VariableStore::setEntry(Entry &entry, const HostTensor &global) {
  for (size_t rank = 0; rank < entry.ranks.size(); ++rank) {
    const Coordinates &place = mesh.getPlace(mesh.getPlaceOf(rank, 0));
    if (isHeldAt(entry.op.getType(), place))
      entry.ranks[rank] = distribute(global, entry.op.getType(), place);
  }
  return success();
}

/// Where a member begins in its bucket.
static int64_t getMemberOffset(VariableOp bucket, size_t position) {
  int64_t offset = 0;
  for (Attribute type :
       bucket.getMemberTypes()->getValue().take_front(position))
    offset += getElementCount(getPlaceShape(cast<TypeAttr>(type).getValue()));
  return offset;
}

LogicalResult VariableStore::setMember(const Member &member,
                                       const HostTensor &global) {
  Entry &bucket = *member.bucket;
  Type type = bucket.op.getType();
  int64_t offset = getMemberOffset(bucket.op, member.position);
  for (size_t rank = 0; rank < bucket.ranks.size(); ++rank) {
    PlaceContext context;
    context.coordinates = mesh.getPlace(mesh.getPlaceOf(rank, 0));
    if (!isHeldAt(type, context.coordinates))
      continue;
    if (!bucket.ranks[rank])
      bucket.ranks[rank] = makeHostTensor(type);
    HostTensor &shard = *bucket.ranks[rank];
    Extent extent = context.getExtents(type).front();
    HostTensor part = distribute(global, member.type, context.coordinates);
    for (int64_t i = 0; i < part.getElementCount(); ++i) {
      int64_t at = offset + i - extent.start;
      if (at >= 0 && at < extent.length)
        shard[at] = part[i];
    }
  }
  return success();
}

Parts VariableStore::spread(
    const std::vector<std::optional<HostTensor>> &ranks) const {
  Parts parts(mesh.getPlaceCount());
  for (size_t rank = 0; rank < ranks.size(); ++rank)
    parts[mesh.getPlaceOf(rank, 0)] = ranks[rank];
  return parts;
}

FailureOr<HostTensor> VariableStore::get(StringRef name) const {
  auto member = members.find(name);
  if (member != members.end())
    return getMember(member->second);
  if (Entry *entry = find(name))
    return getEntry(*entry);
  return module.emitError("no variable is named ") << name;
}

FailureOr<HostTensor> VariableStore::getEntry(const Entry &entry) const {
  return assembleAll(entry.op, entry.op.getType(), mesh, spread(entry.ranks));
}

FailureOr<HostTensor> VariableStore::gatherShards(const Entry &bucket,
                                                  size_t rank) const {
  SmallVector<bool> joined;
  for (const MeshAxis &axis : getLayout(bucket.op.getType()).getAxes())
    joined.push_back(axis.state.isSplit());
  const Coordinates &own = mesh.getPlace(mesh.getPlaceOf(rank, 0));
  SmallVector<Coordinates> places;
  SmallVector<const HostTensor *> shards;
  for (size_t other = 0; other < bucket.ranks.size(); ++other) {
    const Coordinates &place = mesh.getPlace(mesh.getPlaceOf(other, 0));
    bool isPeer = true;
    for (size_t axis = 0; axis < joined.size(); ++axis)
      isPeer &= joined[axis] || place[axis] == own[axis];
    if (!isPeer)
      continue;
    places.push_back(place);
    shards.push_back(bucket.ranks[other] ? &*bucket.ranks[other] : nullptr);
  }
  return assemble(bucket.op, bucket.op.getType(), places, shards, joined);
}

FailureOr<HostTensor> VariableStore::getMember(const Member &member) const {
  const Entry &bucket = *member.bucket;
  int64_t offset = getMemberOffset(bucket.op, member.position);
  Parts parts(mesh.getPlaceCount());
  for (size_t rank = 0; rank < bucket.ranks.size(); ++rank) {
    if (!bucket.ranks[rank])
      continue;
    FailureOr<HostTensor> packed = gatherShards(bucket, rank);
    if (failed(packed))
      return failure();
    HostTensor part = makeHostTensor(member.type);
    for (int64_t i = 0; i < part.getElementCount(); ++i)
      part[i] = (*packed)[offset + i];
    parts[mesh.getPlaceOf(rank, 0)] = std::move(part);
  }
  std::string name = getMemberName((*bucket.op.getMembers())[member.position]);
  if (failed(
          checkReplicas(bucket.op, "member " + name, member.type, mesh, parts)))
    return failure();
  return assembleAll(bucket.op, member.type, mesh, parts);
}

//===-- During a step
//-------------------------------------------------------===//

FailureOr<HostTensor> VariableStore::read(Operation *op, StringRef variable,
                                          size_t rank) const {
  Entry *entry = find(variable);
  if (!entry)
    return op->emitOpError("names ") << variable << ", which is no variable";
  if (!entry->ranks[rank])
    return op->emitOpError("reads ")
           << variable << ", which has no value on rank " << rank
           << "; set it before the step (initialisers of kind file are not "
              "read)";
  return *entry->ranks[rank];
}

LogicalResult VariableStore::store(Operation *op, StringRef variable,
                                   size_t rank, const HostTensor &value) {
  Entry *entry = find(variable);
  if (!entry)
    return op->emitOpError("names ") << variable << ", which is no variable";
  if (entry->stored[rank])
    return op->emitOpError("stores ")
           << variable << " on rank " << rank << " a second time in one step";
  if (ArrayRef<int64_t>(value.shape) !=
      ArrayRef<int64_t>(getPlaceShape(entry->op.getType())))
    return op->emitOpError("stores shape [")
           << ArrayRef<int64_t>(value.shape) << "] in " << variable
           << ", which holds [" << getPlaceShape(entry->op.getType())
           << "] here";
  entry->stored[rank] = value;
  return success();
}

LogicalResult VariableStore::commit() {
  for (const std::unique_ptr<Entry> &entry : entries) {
    for (size_t rank = 0; rank < entry->ranks.size(); ++rank)
      if (entry->stored[rank])
        entry->ranks[rank] = std::exchange(entry->stored[rank], std::nullopt);
    if (failed(checkReplicas(entry->op, "the value after the step",
                             entry->op.getType(), mesh, spread(entry->ranks))))
      return failure();
  }
  return success();
}

} // namespace mlir::dtc
