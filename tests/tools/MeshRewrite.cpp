//===- MeshRewrite.cpp - The same file on another mesh --------------------===//
//
// With other sizes other dimensions have pads. What these hold is worked out
// again from the arguments on, by the rules of the ops.
//
//===----------------------------------------------------------------------===//

#include "tests/tools/MeshRewrite.h"

#include "ir/DtcOps.h"

#include "llvm/ADT/StringExtras.h"

namespace mlir::dtc::test {

std::string parseMeshes(llvm::StringRef text, std::vector<MeshSpec> &meshes) {
  SmallVector<StringRef> items;
  text.split(items, ',', -1, false);
  for (StringRef item : items) {
    MeshSpec mesh;
    mesh.text = item.str();
    SmallVector<StringRef> axes;
    item.split(axes, 'x');
    for (StringRef axis : axes) {
      auto [name, value] = axis.split(':');
      int64_t size;
      if (name == "schedule" && !value.empty())
        mesh.schedule = value.str();
      else if (!llvm::is_contained({"pp", "dp", "tp", "mb", "zero"}, name) ||
               value.getAsInteger(10, size) || size < (name == "zero" ? 0 : 1))
        return "mesh " + item.str() + ": found " + axis.str() +
               ", expected pp, dp, tp or mb with a size from 1, zero:0 to "
               "zero:3, or schedule:<name>, joined by x";
      else
        mesh.sizes[name.str()] = size;
    }
    meshes.push_back(std::move(mesh));
  }
  return "";
}

//===-- Sizes
//---------------------------------------------------------------===//

static LayoutAttr withSizes(LayoutAttr layout, const MeshSpec &mesh) {
  SmallVector<MeshAxis> axes(layout.getAxes());
  for (MeshAxis &axis : axes) {
    auto size = mesh.sizes.find(axis.name.str());
    if (size != mesh.sizes.end())
      axis.size = size->second;
  }
  return LayoutAttr::get(layout.getContext(), axes, {});
}

/// `type` on the other mesh, its pads as `kinds` say or, without, as before.
static Type withMesh(Type type, const MeshSpec &mesh,
                     std::optional<ArrayRef<PadKind>> kinds) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  LayoutAttr old = ranked ? getLayout(ranked) : LayoutAttr();
  if (!old)
    return type;
  PadVector inferred;
  PadKind otherwise =
      isa<FloatType>(ranked.getElementType()) ? PadKind::Zero : PadKind::Fill;
  for (int64_t dim = 0; dim < ranked.getRank(); ++dim) {
    PadKind kind = kinds ? (*kinds)[dim] : old.padOf(dim);
    inferred.push_back(kind == PadKind::None ? otherwise : kind);
  }
  return withLayout(
      ranked, withPads(withSizes(old, mesh), ranked.getShape(), inferred));
}

static void setMeshOfFunction(func::FuncOp function, const MeshSpec &mesh) {
  for (BlockArgument argument : function.getArguments())
    argument.setType(withMesh(argument.getType(), mesh, std::nullopt));
  function.walk([&](Operation *op) {
    if (op == function.getOperation())
      return;
    SmallVector<PadVector> operands;
    for (Type type : op->getOperandTypes())
      operands.push_back(getPads(type));
    PadRule rule;
    if (auto distributable = dyn_cast<Distributable>(op))
      rule = distributable.inferPads(operands);
    else if (!operands.empty() && op->getNumResults() == 1)
      rule.results.push_back(operands.front());
    for (auto [i, result] : llvm::enumerate(op->getResults())) {
      std::optional<ArrayRef<PadKind>> kinds;
      if (i < rule.results.size())
        kinds = rule.results[i];
      result.setType(withMesh(result.getType(), mesh, kinds));
    }
  });
  SmallVector<Type> results(function.getResultTypes());
  if (!function.isExternal())
    if (Operation *end = function.getBody().front().getTerminator())
      results.assign(end->operand_type_begin(), end->operand_type_end());
  function.setType(FunctionType::get(
      function.getContext(), function.getBody().getArgumentTypes(), results));
}

static LogicalResult setPlan(ModuleOp module, const MeshSpec &mesh) {
  auto plan = module->getAttrOfType<PlanAttr>(kPlanAttr);
  if (!plan)
    return success();
  auto get = [&](StringRef key, int64_t otherwise) {
    auto found = mesh.sizes.find(key.str());
    return found == mesh.sizes.end() ? otherwise : found->second;
  };
  ScheduleKind schedule = plan.getSchedule();
  if (!mesh.schedule.empty()) {
    std::optional<ScheduleKind> kind = symbolizeScheduleKind(mesh.schedule);
    if (!kind)
      return module.emitError("no schedule is named ") << mesh.schedule;
    schedule = *kind;
  }
  module->setAttr(
      kPlanAttr, PlanAttr::get(module.getContext(), get("pp", plan.getPp()),
                               get("dp", plan.getDp()), get("tp", plan.getTp()),
                               get("mb", plan.getMicroBatches()),
                               get("zero", plan.getZero()), schedule));
  return success();
}

bool hasLayouts(ModuleOp module) {
  bool found = false;
  module.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      found |= isa<RankedTensorType>(type) && getLayout(type);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          found |= isa<RankedTensorType>(type) && getLayout(type);
  });
  return found;
}

LogicalResult setMesh(ModuleOp module, const MeshSpec &mesh) {
  if (failed(setPlan(module, mesh)))
    return failure();
  if (!hasLayouts(module)) {
    if (module->hasAttr(kPlanAttr) || mesh.sizes.empty())
      return success();
    return module.emitError("mesh ")
           << mesh.text << " finds neither a layout nor dtc.plan to change";
  }
  if (mesh.sizes.count("pp"))
    return module.emitError("mesh ")
           << mesh.text
           << " names pp, but the layouts write their stages out; expected dp, "
              "tp, mb";
  for (VariableOp variable : module.getOps<VariableOp>())
    variable.setTypeAttr(
        TypeAttr::get(withMesh(variable.getType(), mesh, std::nullopt)));
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    setMeshOfFunction(function, mesh);
  return success();
}

//===-- Without layouts
//-----------------------------------------------------===//

static Type withoutLayout(Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked || !ranked.getEncoding())
    return type;
  return RankedTensorType::get(getGlobalShape(ranked), ranked.getElementType());
}

LogicalResult removeLayouts(ModuleOp module) {
  SmallVector<Operation *> changes;
  module.walk([&](Operation *op) {
    if (isa<RelayoutOp, ToPartialOp, LocalSliceOp, MaskPadsOp, Collective>(op))
      changes.push_back(op);
  });
  for (Operation *op : changes) {
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    op->erase();
  }
  WalkResult walked = module.walk([&](Operation *op) {
    if (isa<PackOp, UnpackOp, ScheduleOp>(op)) {
      op->emitOpError("has no meaning without layouts");
      return WalkResult::interrupt();
    }
    for (OpResult result : op->getResults())
      result.setType(withoutLayout(result.getType()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setType(withoutLayout(argument.getType()));
    if (auto variable = dyn_cast<VariableOp>(op))
      variable.setTypeAttr(TypeAttr::get(withoutLayout(variable.getType())));
    if (auto function = dyn_cast<func::FuncOp>(op)) {
      auto strip = [](ArrayRef<Type> types) {
        return llvm::map_to_vector(types, withoutLayout);
      };
      function.setType(FunctionType::get(
          op->getContext(), strip(function.getFunctionType().getInputs()),
          strip(function.getFunctionType().getResults())));
    }
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

} // namespace mlir::dtc::test
