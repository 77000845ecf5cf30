//===- StepFunctions.cpp - What passes know of a step function ------------===//
//
// The contract of import with the passes, read in one place.
//
//===----------------------------------------------------------------------===//

#include "passes/StepFunctions.h"

#include "passes/FactFlow.h"
#include "passes/TaskAssignment.h"

namespace mlir::dtc {

SmallVector<func::FuncOp> findStepFunctions(ModuleOp module) {
  SmallVector<func::FuncOp> functions;
  for (StringRef kind : {"train", "evaluate"})
    for (auto function : module.getOps<func::FuncOp>()) {
      // A task of a step names the step's kind too.
      auto attr = function->getAttrOfType<StringAttr>(kStepKindAttr);
      if (attr && attr.getValue() == kind && !function->hasAttr("dtc.task") &&
          !function.getName().ends_with(kGraphSuffix))
        functions.push_back(function);
    }
  return functions;
}

func::FuncOp findTrainStep(ModuleOp module) {
  for (func::FuncOp function : findStepFunctions(module))
    if (function->getAttrOfType<StringAttr>(kStepKindAttr) == "train")
      return function;
  module.emitError("holds no function with ")
      << kStepKindAttr << " = \"train\", expected the step that import makes";
  return {};
}

SmallVector<func::FuncOp> findStepParts(ModuleOp module, StringRef stepKind) {
  for (func::FuncOp step : findStepFunctions(module))
    if (step->getAttrOfType<StringAttr>(kStepKindAttr) == stepKind)
      return {step};
  SmallVector<func::FuncOp> tasks;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(kTaskAttr) &&
        function->getAttrOfType<StringAttr>(kStepKindAttr) == stepKind)
      tasks.push_back(function);
  // The backward pass goes stage by stage, each with both its tasks.
  auto key = [](func::FuncOp task) {
    TaskKind kind = task->getAttrOfType<TaskKindAttr>(kTaskAttr).getValue();
    int64_t stage = task->getAttrOfType<IntegerAttr>(kTaskStageAttr).getInt();
    bool isBackward = kind == TaskKind::Backward || kind == TaskKind::Weight;
    int part = isBackward ? static_cast<int>(TaskKind::Backward)
                          : static_cast<int>(kind);
    return std::tuple(part, isBackward ? -stage : stage, kind);
  };
  llvm::sort(tasks,
             [&](func::FuncOp a, func::FuncOp b) { return key(a) < key(b); });
  return tasks;
}

FailureOr<Loss> findLoss(func::FuncOp function) {
  for (auto report : function.getOps<ReportOp>()) {
    if (report.getMetric() != "loss")
      continue;
    if (auto loss = report.getValue().getDefiningOp<Loss>())
      return loss;
    return report.emitOpError("reports a loss that no loss op makes");
  }
  return function.emitOpError("reports no \"loss\"");
}

bool isTrainableParameter(VariableOp variable) {
  return variable.getRole() == "parameter" && !variable.getFrozen();
}

StringRef getModelName(Operation *op) {
  if (auto name = op->getAttrOfType<StringAttr>(kNameAttr))
    return name.getValue();
  return getShortName(op);
}

StringRef getShortName(Operation *op) { return op->getName().stripDialect(); }

void setNameAndPhase(Operation *op, const Twine &name, StepPhase phase) {
  constexpr llvm::StringLiteral kNames[] = {"forward", "backward", "update"};
  MLIRContext *context = op->getContext();
  op->setAttr(kNameAttr, StringAttr::get(context, name));
  op->setAttr(kPhaseAttr,
              StringAttr::get(context, kNames[static_cast<size_t>(phase)]));
}

} // namespace mlir::dtc
