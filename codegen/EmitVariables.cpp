//===- EmitVariables.cpp - Variables with their initialisers
//---------------===//
//
// A bucket keeps the names, shapes and initialisers of its members: random
// numbers and checkpoints speak of parameters, not of where they lie.
//
//===----------------------------------------------------------------------===//

#include "codegen/EmitVariables.h"

#include "codegen/ValueFacts.h"

namespace mlir::dtc {

namespace fbs = ::dtc::program;

static fbs::VariableRole toProgramRole(StringRef role) {
  if (role == "state")
    return fbs::VariableRole::State;
  return role == "scalar" ? fbs::VariableRole::Scalar
                          : fbs::VariableRole::Parameter;
}

static std::unique_ptr<fbs::InitializerT> makeInitializer(DictionaryAttr init) {
  auto made = std::make_unique<fbs::InitializerT>();
  StringRef kind = init.getAs<StringAttr>("kind").getValue();
  auto number = [&](StringRef name) {
    auto value = init.getAs<FloatAttr>(name);
    return value ? value.getValueAsDouble() : 0.0;
  };
  auto text = [&](StringRef name) {
    auto value = init.getAs<StringAttr>(name);
    return value ? value.str() : std::string();
  };
  if (kind == "zeros") {
    made->kind = fbs::InitializerKind::Zeros;
  } else if (kind == "ones") {
    made->kind = fbs::InitializerKind::Ones;
  } else if (kind == "constant") {
    made->kind = fbs::InitializerKind::Constant;
    made->a = number("value");
  } else if (kind == "normal") {
    made->kind = fbs::InitializerKind::Normal;
    made->a = number("mean");
    made->b = number("std");
  } else if (kind == "uniform") {
    made->kind = fbs::InitializerKind::Uniform;
    made->a = number("low");
    made->b = number("high");
  } else {
    assert(kind == "file" && "the verifier of dtc.variable allows no other");
    made->kind = fbs::InitializerKind::File;
    made->path = text("path");
    made->tensor = text("tensor");
  }
  return made;
}

/// What one coordinate of the split axes packs of a member.
static int64_t getPackedElements(RankedTensorType type) {
  LayoutAttr layout = getLayout(type);
  if (!layout)
    return type.getNumElements();
  return ShapedType::getNumElements(
      getLocalShape(getGlobalShape(type), layout));
}

static LogicalResult addMembers(VariableOp variable, ProgramTables &tables,
                                fbs::VariableT &made) {
  auto inits = variable.getInit().getAs<ArrayAttr>("members");
  SmallVector<StringRef> names = getMemberNames(variable);
  if (!inits || inits.size() != names.size())
    return variable.emitOpError("packs ")
           << names.size() << " members, its init has "
           << (inits ? inits.size() : 0) << ", expected one for each";
  uint64_t offset = 0;
  for (auto [name, type, init] :
       llvm::zip(names, *variable.getMemberTypes(), inits)) {
    auto tensor = cast<RankedTensorType>(cast<TypeAttr>(type).getValue());
    LayoutAttr layout = getLayout(tensor);
    if (!layout)
      return variable.emitOpError("member ")
             << name << " has type " << tensor << ", expected a layout";
    auto member = std::make_unique<fbs::MemberT>();
    member->name = name.str();
    member->global_shape = toProgramShape(getGlobalShape(tensor));
    member->layout = tables.getLayout(layout, tensor.getRank());
    member->offset = offset;
    member->init = makeInitializer(cast<DictionaryAttr>(init));
    offset += getPackedElements(tensor);
    made.members.push_back(std::move(member));
  }
  return success();
}

FailureOr<std::unique_ptr<fbs::VariableT>> makeVariable(VariableOp variable,
                                                        ProgramTables &tables) {
  auto made = std::make_unique<fbs::VariableT>();
  made->name = variable.getSymName().str();
  made->role = toProgramRole(variable.getRole());
  if (variable.getOf())
    made->of = variable.getOf()->str();
  if (variable.getMembers()) {
    if (failed(addMembers(variable, tables, *made)))
      return failure();
  } else {
    made->init = makeInitializer(variable.getInit());
  }
  return made;
}

} // namespace mlir::dtc
