// A pipeline stops where it is told to, and says which phases there are.
// RUN: dtc-opt %S/Inputs/example.mlir --dtc-pipeline=stop-after=step | FileCheck %s --check-prefix=STEP
// STEP:     dtc.adamw
// STEP-NOT: @step.graph
// RUN: not dtc-opt %S/Inputs/example.mlir --dtc-pipeline=stop-after=linked 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: dtc-verify-phase: phase is "linked", expected one of import, step, precision, sharded, local, scheduled, planned

// Each pass leaves a file; the first line makes it from the one before.
// RUN: rm -rf %t && dtc-opt %S/Inputs/example.mlir --dtc-pipeline=stop-after=precision --dump-dir=%t -o /dev/null
// RUN: head -qn 1 %t/02_dtc-differentiate.mlir %t/04_dtc-verify-phase.mlir | FileCheck %s --check-prefix=FLAGS
// FLAGS:      // dtc-opt 01_dtc-verify-phase.mlir --dtc-differentiate
// FLAGS-NEXT: // dtc-opt 03_dtc-optimize-step.mlir --dtc-verify-phase=phase=step
// RUN: dtc-opt %t/02_dtc-differentiate.mlir --dtc-optimize-step -o %t/again.mlir
// RUN: sed 1d %t/03_dtc-optimize-step.mlir | diff - %t/again.mlir

// A pass that fails leaves what it had; a folder that cannot be is an error.
// RUN: not dtc-opt %S/Inputs/example.mlir --dtc-optimize-step --dump-dir=%t 2>/dev/null
// RUN: ls %t | FileCheck %s --check-prefix=FAILED
// FAILED: 01_dtc-optimize-step.failed.mlir
// RUN: not dtc-opt %S/Inputs/example.mlir --dtc-differentiate --dump-dir=%s/no 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: error: --dump-dir: {{.*}}pipelines.mlir/no: Not a directory
