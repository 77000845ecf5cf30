//===- VariableOps.cpp - Constraints of variables -------------------------===//
//
// A read may name a variable that a bucket has replaced: the step graph that
// the checker gets keeps the model's variables, whatever became of their
// storage.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"
#include "ir/OpChecks.h"

#include "llvm/ADT/STLExtras.h"

namespace mlir::dtc {

/// C1: `init` has a known kind, with the numbers that the kind needs.
static LogicalResult verifyInit(VariableOp op) {
  static const struct {
    StringLiteral kind;
    SmallVector<StringRef, 2> numbers;
  } kinds[] = {{"zeros", {}},
               {"ones", {}},
               {"constant", {"value"}},
               {"normal", {"mean", "std"}},
               {"uniform", {"low", "high"}},
               {"file", {}}};
  auto kind = op.getInit().getAs<StringAttr>("kind");
  for (const auto &known : kinds) {
    if (!kind || kind.getValue() != known.kind)
      continue;
    for (StringRef number : known.numbers)
      if (!op.getInit().getAs<FloatAttr>(number))
        return op.emitOpError("C1: init of kind ")
               << kind << " has no number \"" << number << "\"";
    if (known.kind == "file" && !op.getInit().getAs<StringAttr>("path"))
      return op.emitOpError("C1: init of kind \"file\" has no \"path\"");
    return success();
  }
  return op.emitOpError("C1: init is ")
         << op.getInit() << ", expected kind = zeros, ones, constant, normal, "
         << "uniform or file";
}

/// Name of a member of a bucket: a symbol or a string.
static StringRef getMemberName(Attribute member) {
  if (auto symbol = dyn_cast<FlatSymbolRefAttr>(member))
    return symbol.getValue();
  auto string = dyn_cast<StringAttr>(member);
  return string ? string.getValue() : StringRef();
}

/// C4: members have names, and a tensor type each.
static LogicalResult verifyMembers(VariableOp op) {
  ArrayAttr members = op.getMembersAttr(), types = op.getMemberTypesAttr();
  size_t memberCount = members ? members.size() : 0;
  size_t typeCount = types ? types.size() : 0;
  if (memberCount != typeCount)
    return op.emitOpError("C4: ")
           << memberCount << " members with " << typeCount
           << " member_types, expected one for each";
  for (size_t i = 0; i < memberCount; ++i) {
    if (getMemberName(members[i]).empty())
      return op.emitOpError("C4: member ")
             << i << " is " << members[i] << ", expected a variable's name";
    auto type = dyn_cast<TypeAttr>(types[i]);
    auto tensor = type ? dyn_cast<RankedTensorType>(type.getValue()) : nullptr;
    if (!tensor || !tensor.hasStaticShape())
      return op.emitOpError("C4: type of member ")
             << i << " is " << types[i] << ", expected a static tensor";
  }
  return success();
}

LogicalResult VariableOp::verify() {
  if (failed(verifyInit(*this)))
    return failure();
  // C2
  if (!llvm::is_contained({"parameter", "state", "scalar"}, getRole()))
    return emitOpError("C2: role is \"")
           << getRole() << "\", expected parameter, state or scalar";
  // C3
  if ((getRole() == "state") != getOf().has_value())
    return emitOpError("C3: role is \"")
           << getRole() << "\" and of is " << (getOf() ? "there" : "missing")
           << ", expected it for state alone";
  return verifyMembers(*this);
}

/// Type of the variable `name`, or of the member of a bucket; null where there
/// is neither.
static RankedTensorType findVariableType(Operation *user,
                                         FlatSymbolRefAttr name,
                                         SymbolTableCollection &symbols) {
  if (auto variable = symbols.lookupNearestSymbolFrom<VariableOp>(user, name))
    return cast<RankedTensorType>(variable.getType());
  auto module = user->getParentOfType<ModuleOp>();
  if (!module)
    return {};
  for (auto bucket : module.getOps<VariableOp>())
    if (bucket.getMembers() && bucket.getMemberTypes())
      for (auto [member, type] :
           llvm::zip(*bucket.getMembers(), *bucket.getMemberTypes()))
        if (getMemberName(member) == name.getValue())
          return cast<RankedTensorType>(cast<TypeAttr>(type).getValue());
  return {};
}

/// C1: the variable exists. C2: its type is the value's; the layout too, where
/// both have one.
static LogicalResult verifyVariableUse(Operation *op, FlatSymbolRefAttr name,
                                       Value value,
                                       SymbolTableCollection &symbols) {
  RankedTensorType type = findVariableType(op, name, symbols);
  if (!type)
    return op->emitOpError("C1: there is no variable ") << name;
  bool sameLayout = !getLayout(type) || !getLayout(value) ||
                    getLayout(type) == getLayout(value);
  if (getGlobalShape(type) == getShapeOf(value) && sameLayout &&
      type.getElementType() == getElementTypeOrSelf(value))
    return success();
  return op->emitOpError("C2: value is ")
         << value.getType() << ", the variable " << name << " is " << type;
}

LogicalResult ReadOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyVariableUse(*this, getVariableAttr(), getResult(), symbols);
}

LogicalResult StoreOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyVariableUse(*this, getVariableAttr(), getValue(), symbols);
}

LogicalResult ReportOp::verify() {
  // C1
  if (getShapeOf(getValue()).empty())
    return success();
  return emitOpError("C1: value is ")
         << describeTensor(getValue().getType()) << ", expected a scalar";
}

} // namespace mlir::dtc
