// Numbering and the dtype of sums change no number.
// RUN: dtc-equiv %source/tests/passes/Inputs/example.mlir --prepare=dtc-differentiate,dtc-optimize-step \
// RUN:   --passes=dtc-precision --steps=2 --seed=3 | FileCheck %s
// CHECK: outputs={{[1-9].*}}max_rel_diff=0 ok
