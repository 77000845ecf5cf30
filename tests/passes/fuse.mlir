// One place, whole classes: each template joins what it can.
// RUN: sed -e 's/pp = 2, dp = 2, tp = 2, micro_batches = 2, zero = 1/pp = 1, dp = 1, tp = 1, micro_batches = 1, zero = 0/' \
// RUN:   %S/Inputs/example.mlir | dtc-opt --dtc-pipeline=stop-after=scheduled -o %t.mlir
// RUN: dtc-opt %t.mlir --dtc-fuse | FileCheck %s
// RUN: dtc-opt %t.mlir --dtc-fuse --dtc-fuse | FileCheck %s

// CHECK-LABEL: func.func private @stage0.train.forward
// A relu behind a matmul has nothing to join.
// CHECK:       dtc.relu {{.*}}dtc.name = "in"
// Bias and activation: the sum before the relu is not kept.
// CHECK:       %[[UP:.+]] = dtc.fused map(%{{.+}}, %{{.+}}) {dtc.name = "up"
// CHECK-NEXT:  ^bb0
// CHECK-NEXT:    %[[Z:.+]] = dtc.add {{.*}}dtc.name = "up.bias_add"
// CHECK-NEXT:    %[[H:.+]] = dtc.relu %[[Z]] {{.*}}dtc.name = "up"
// CHECK-NEXT:    dtc.yield %[[H]] :
// CHECK:       dtc.save %[[UP]], @stage0.train.up
// Bias and skip.
// CHECK:       dtc.fused map{{.*}}dtc.name = "down"
// The three reductions of the logits' rows; two results are kept for backward.
// CHECK:       %[[ROWS:.+]]:3 = dtc.fused row(%{{.+}}, %{{.+}}) {dtc.name = "loss.pick"
// CHECK-NEXT:  ^bb0
// CHECK-NEXT:    %[[MAX:.+]] = dtc.row_max
// CHECK-NEXT:    dtc.sum_exp %{{.+}}, %[[MAX]]
// CHECK-NEXT:    dtc.pick
// CHECK:       dtc.save %[[ROWS]]#0, @stage0.train.loss.max
// CHECK:       dtc.save %[[ROWS]]#1, @stage0.train.loss.sum_exp
// A scalar over all rows would make the others wait: it stays alone.
// CHECK:       dtc.cross_entropy %[[ROWS]]#0, %[[ROWS]]#1, %[[ROWS]]#2

// CHECK-LABEL: func.func private @stage0.train.weight
// A cotangent and the bias gradient that sums it; the accumulator follows.
// CHECK:       %[[UPGRAD:.+]]:2 = dtc.fused column_sum(%{{.+}}, %{{.+}}) {dtc.name = "up.bias.grad"
// CHECK-NEXT:  ^bb0
// CHECK-NEXT:    %[[D:.+]] = dtc.relu_grad
// CHECK-NEXT:    dtc.reduce_sum %[[D]]
// CHECK:       dtc.accumulate_into %[[UPGRAD]]#1, @stage0.train.up.bias.grad.accumulator
// CHECK:       dtc.fused map{{.*}}dtc.name = "in.input_grad"
// CHECK-NEXT:  ^bb0
// CHECK-NEXT:    dtc.sum
// CHECK-NEXT:    dtc.relu_grad

// CHECK-LABEL: func.func private @stage0.train.epilogue
// CHECK:       dtc.fused row(%{{.+}}, %{{.+}}) {dtc.name = "in.weight.squares"
// CHECK-NEXT:  ^bb0
// CHECK-NEXT:    dtc.unscale
// CHECK-NEXT:    dtc.sum_squares

// Classes split over tp: an all_reduce stands between the reductions, and it
// reads the first before the second runs, so nothing is joined.
// RUN: dtc-opt %S/Inputs/example.mlir --dtc-pipeline=stop-after=scheduled | dtc-opt --dtc-fuse \
// RUN:   | FileCheck %s --check-prefix=SPLIT
// SPLIT-LABEL: func.func private @stage1.train.forward
// SPLIT-NOT:   dtc.fused row
// SPLIT:       dtc.row_max
// SPLIT-NEXT:  dtc.all_reduce
// SPLIT:       dtc.sum_exp
// SPLIT:       return
