//===- Equivalence.h - Does a module mean the same? ------------*- C++ -*-===//
//
// Runs a reference on one place, then another form of the same step from equal
// state and with equal inputs, and compares all that a step leaves behind.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_TESTS_TOOLS_EQUIVALENCE_H
#define DTC_TESTS_TOOLS_EQUIVALENCE_H

#include "ir/interpreter/SimulatedRanks.h"
#include "tests/tools/TensorText.h"

namespace mlir::dtc::test {

struct EquivalenceOptions {
  std::string function = "step";
  int64_t steps = 1;
  bool typed = false;
  uint64_t seed = 0;
  double tolerance = 1e-12; ///< relative to a tensor's largest element
  NamedNumbers given;       ///< inputs and initial values; others are drawn
};

/// What one step of a module was given and left behind, all global.
struct StepOutcome {
  std::map<std::string, HostTensor> inputs;
  std::map<std::string, HostTensor> before; ///< variables
  /// `report/loss`, `result/0`, `variable/w`, `gradient/w`.
  std::map<std::string, HostTensor> outputs;
  std::map<std::string, HostTensor> values; ///< by model name; the reference's
};

/// Result of a comparison. `worst` names the output that differs most.
struct Comparison {
  int64_t outputCount = 0;
  double maxRelativeDifference = 0;
  std::string worst;
};

/// Runs `module` on one place (or as it is laid out) for all steps. Values that
/// are not given are drawn from the seed.
FailureOr<std::vector<StepOutcome>>
runReference(ModuleOp module, const EquivalenceOptions &options);

/// Runs `module` from the state before each step of the reference. An output
/// that the module lacks is an error; so is a comparison of nothing. `ranks`
/// keeps the simulation of the last step for printing.
FailureOr<Comparison> compare(ModuleOp module, ArrayRef<StepOutcome> reference,
                              const EquivalenceOptions &options,
                              std::unique_ptr<SimulatedRanks> &ranks);

/// Compares the gradients of the first step with central differences of the
/// loss, at up to `elementCount` elements of each parameter. `module` is the
/// reference.
FailureOr<Comparison> compareDifferences(ModuleOp module,
                                         const StepOutcome &outcome,
                                         const EquivalenceOptions &options,
                                         int64_t elementCount);

/// Compares outcomes with expected numbers: `report.1/loss`, `unscaled.2/w`:
/// the kind (report, result, variable, gradient, `unscaled` for a gradient
/// divided by the loss scale, `value` by model name), the step from 1, the
/// name.
FailureOr<Comparison> compareExpected(ModuleOp module,
                                      ArrayRef<StepOutcome> outcomes,
                                      const NamedNumbers &expected);

} // namespace mlir::dtc::test

#endif // DTC_TESTS_TOOLS_EQUIVALENCE_H
