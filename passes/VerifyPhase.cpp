//===- VerifyPhase.cpp - Gates between the phases -------------------------===//
//
// An op's verifier sees the op alone. Here stands what holds of a whole module
// at the end of a phase: which ops are gone, how types must look, which
// attributes the next phase relies on. A mistake is refused where it was made.
//
//===----------------------------------------------------------------------===//

#include "passes/ArenaCheck.h"
#include "passes/DegreeCheck.h"
#include "passes/FactFlow.h"
#include "passes/MemoryAttributes.h"
#include "passes/Passes.h"
#include "passes/Pipelines.h"
#include "passes/StepFunctions.h"
#include "passes/StepGraphCheck.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/StringMap.h"

namespace mlir::dtc {
#define GEN_PASS_DEF_VERIFYPHASEPASS
#include "passes/Passes.h.inc"

namespace {

/// The phases at whose end an op may exist, and what removes or makes it.
struct Lifetime {
  llvm::StringRef name;
  Phase first;
  Phase last;
  llvm::StringRef removedBy;
};

/// Only what does not live through all phases. An op that is not listed here
/// may stand anywhere. `first` after `last` never lives to a phase's end.
template <typename... Ops>
void addLifetime(SmallVectorImpl<Lifetime> &table, Phase first, Phase last,
                 llvm::StringRef removedBy) {
  (table.push_back({Ops::getOperationName(), first, last, removedBy}), ...);
}

SmallVector<Lifetime> getLifetimes() {
  SmallVector<Lifetime> table;
  addLifetime<RelayoutOp>(table, Phase::Planned, Phase::Import,
                          "dtc-insert-collectives");
  addLifetime<AccumulateOp, SendRecvOp>(table, Phase::Sharded, Phase::Local,
                                        "dtc-outline-tasks");
  addLifetime<ToPartialOp, LocalSliceOp, AllReduceOp, ReduceScatterOp,
              AllGatherOp, MaskPadsOp, PackOp, UnpackOp>(table, Phase::Sharded,
                                                         Phase::Planned, "");
  addLifetime<BufferOp, LoadOp, SaveOp, ClearOp, AccumulateIntoOp, SendOp,
              RecvOp, WaitOp, ScheduleOp, RepeatOp, CallOp>(
      table, Phase::Scheduled, Phase::Planned, "");
  addLifetime<FusedOp, YieldOp>(table, Phase::Planned, Phase::Planned, "");
  return table;
}

LogicalResult verifyLifetime(Operation *op, Phase phase,
                             ArrayRef<Lifetime> table) {
  for (const Lifetime &entry : table) {
    if (op->getName().getStringRef() != entry.name)
      continue;
    if (phase >= entry.first && phase <= entry.last)
      return success();
    if (entry.removedBy.empty() || phase < std::min(entry.first, entry.last))
      return op->emitOpError("stands at the end of phase ")
             << getPhaseName(phase) << ", it lives from phase "
             << getPhaseName(entry.first) << " on";
    return op->emitOpError("is left over at the end of phase ")
           << getPhaseName(phase) << ", " << entry.removedBy
           << " should have replaced it";
  }
  return success();
}

/// How tensor types look at the end of a phase.
enum class Encoding { None, Layout, Local };

Encoding getExpectedEncoding(Phase phase) {
  if (phase < Phase::Sharded)
    return Encoding::None;
  return phase == Phase::Sharded ? Encoding::Layout : Encoding::Local;
}

llvm::StringRef describe(Encoding encoding) {
  switch (encoding) {
  case Encoding::None:
    return "no encoding";
  case Encoding::Layout:
    return "#dtc.layout";
  case Encoding::Local:
    return "#dtc.local";
  }
  return "";
}

Encoding getEncoding(RankedTensorType type) {
  if (isa_and_nonnull<LocalAttr>(type.getEncoding()))
    return Encoding::Local;
  return type.getEncoding() ? Encoding::Layout : Encoding::None;
}

LogicalResult verifyTypes(Operation *op, TypeRange types, Encoding expected) {
  for (Type type : types) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && getEncoding(tensor) != expected)
      return op->emitOpError("has type ")
             << type << ", expected one with " << describe(expected);
  }
  return success();
}

LogicalResult verifyFunction(func::FuncOp function, Phase phase,
                             ArrayRef<Lifetime> table) {
  // The step graph stays what it was; only what it is compared with changes.
  bool isGraph = function.getName().ends_with(".graph");
  Phase seen = isGraph ? Phase::Precision : phase;
  Encoding expected = getExpectedEncoding(seen);
  WalkResult walk = function.walk([&](Operation *op) -> WalkResult {
    if (op->getDialect() != op->getContext()->getLoadedDialect("dtc"))
      return WalkResult::advance();
    if (failed(verifyLifetime(op, seen, table)) ||
        failed(verifyTypes(op, op->getOperandTypes(), expected)) ||
        failed(verifyTypes(op, op->getResultTypes(), expected)))
      return WalkResult::interrupt();
    if (phase == Phase::Planned && isa<Lowerable>(op) && !isGraph &&
        isa<func::FuncOp>(op->getParentOp()) && !op->hasAttr(kKernelAttr))
      return op->emitOpError("has no ")
             << kKernelAttr << ", run dtc-select-kernels before";
    if (phase == Phase::Planned && !isGraph && op->getNumResults() > 0 &&
        isa<func::FuncOp>(op->getParentOp()) && !op->hasAttr(kPlacesAttr))
      return op->emitOpError("has no ")
             << kPlacesAttr << ", run dtc-plan-memory before";
    if (seen != Phase::Sharded || !op->hasAttr(kStagesAttr))
      return WalkResult::advance();
    return op->emitOpError("still has ")
           << kStagesAttr << ", after dtc-assign-layouts the type says it";
  });
  return failure(walk.wasInterrupted());
}

/// What goes beyond types: degrees from phase step on, and the step graph from
/// precision on, which every later phase only rearranges.
LogicalResult verifyStep(ModuleOp module, StringRef stepKind, Phase phase) {
  if (phase >= Phase::Step && failed(checkDegrees(module, stepKind)))
    return failure();
  if (phase < Phase::Precision)
    return success();
  StringRef name = stepKind == "train" ? "step" : "evaluate";
  for (auto graph : module.getOps<func::FuncOp>()) {
    auto kind = graph->getAttrOfType<StringAttr>(kStepKindAttr);
    if (kind && kind.getValue() == stepKind &&
        graph.getName().ends_with(kGraphSuffix))
      return checkAgainstGraph(module, stepKind, graph);
  }
  // Ids mean nothing without the graph; a step that a test wrote has none.
  bool hasIds = phase == Phase::Precision && stepKind == "train";
  for (func::FuncOp part : findStepParts(module, stepKind))
    part.walk([&](Operation *op) { hasIds |= op->hasAttr(kIdAttr); });
  if (!hasIds)
    return success();
  return module.emitError("holds no @")
         << name << kGraphSuffix << ", run dtc-precision before";
}

/// Each accumulator is cleared once and added to by one op: a second one would
/// count a micro-batch twice, none would leave the step before.
LogicalResult verifyAccumulators(ModuleOp module) {
  llvm::StringMap<int64_t> clears, sums;
  for (auto function : module.getOps<func::FuncOp>())
    function.walk([&](Operation *op) {
      if (auto clear = dyn_cast<ClearOp>(op))
        ++clears[clear.getBuffer()];
      if (auto sum = dyn_cast<AccumulateIntoOp>(op))
        ++sums[sum.getBuffer()];
    });
  for (auto buffer : module.getOps<BufferOp>()) {
    if (buffer.getBufferClass() != BufferClass::Accumulator)
      continue;
    StringRef name = buffer.getSymName();
    if (clears.lookup(name) != 1 || sums.lookup(name) != 1)
      return buffer.emitOpError()
             << name << ": is cleared by " << clears.lookup(name)
             << " ops and added to by " << sums.lookup(name)
             << ", expected one of each: over axis \"mb\" a gradient is "
                "reduced "
                "once";
  }
  return success();
}

struct VerifyPhasePass : public impl::VerifyPhasePassBase<VerifyPhasePass> {
  using VerifyPhasePassBase::VerifyPhasePassBase;

  void runOnOperation() final {
    std::optional<Phase> parsed = parsePhase(phase);
    if (!parsed) {
      getOperation().emitError("dtc-verify-phase: phase is \"")
          << phase << "\", expected one of " << listPhases();
      return signalPassFailure();
    }
    SmallVector<Lifetime> table = getLifetimes();
    for (Operation &op : *getOperation().getBody()) {
      LogicalResult result = success();
      if (auto function = dyn_cast<func::FuncOp>(op))
        result = verifyFunction(function, *parsed, table);
      else
        result = verifyLifetime(&op, *parsed, table);
      if (failed(result))
        return signalPassFailure();
    }
    if (failed(verifyAccumulators(getOperation())))
      return signalPassFailure();
    for (StringRef step : {"train", "evaluate"})
      if (failed(verifyStep(getOperation(), step, *parsed)))
        return signalPassFailure();
    if (*parsed == Phase::Planned && failed(checkArena(getOperation())))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace mlir::dtc
