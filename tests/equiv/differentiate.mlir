// The forward graph gives the same numbers with the backward graph behind it.
// (That gradients are right: ir's central differences, and example.test.)
// RUN: dtc-equiv %source/tests/passes/Inputs/example.mlir --passes=dtc-differentiate --seed=3 | FileCheck %s
// RUN: dtc-equiv %S/Inputs/tied.mlir --passes=dtc-differentiate --seed=4 2>/dev/null | FileCheck %s
// CHECK: outputs={{[1-9].*}}max_rel_diff=0 ok
