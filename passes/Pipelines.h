//===- Pipelines.h - Phases and the pipeline through them -----*- C++ -*-===//
//
// The pipeline from the model graph to the planned program, to be run whole or
// to the end of a phase.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_PIPELINES_H
#define DTC_PASSES_PIPELINES_H

#include "mlir/Pass/PassManager.h"

#include <optional>

namespace mlir::dtc {

/// The phases of compilation in order; each ends with dtc-verify-phase.
enum class Phase {
  Import,    ///< the model graph
  Step,      ///< differentiate, optimize-step
  Precision, ///< dtypes, ids; @step.graph
  Sharded,   ///< stages, layouts, buckets, collectives
  Local,     ///< one rank's shapes
  Scheduled, ///< tasks and schedules
  Planned    ///< kernels and places
};

/// Name of a phase as --compile-to and dtc-verify-phase take it.
llvm::StringRef getPhaseName(Phase phase);

/// The phase of that name, or nothing.
std::optional<Phase> parsePhase(llvm::StringRef name);

/// The names of all phases, in order, for messages: "import, step, ...".
std::string listPhases();

/// What the pipeline takes besides the module (which carries the plan).
struct PipelineOptions {
  /// Bytes that a stage's arena may take; 0 is no limit.
  int64_t memoryLimit = 0;
};

/// Appends all passes up to and with the end of phase `stopAfter`.
void buildPipeline(OpPassManager &pm, Phase stopAfter,
                   const PipelineOptions &options = {});

/// Registers `--dtc-pipeline` (options: stop-after, memory-limit).
void registerPipelines();

} // namespace mlir::dtc

#endif // DTC_PASSES_PIPELINES_H
