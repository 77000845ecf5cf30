// A weight used on three stages is one bucket on their set: its gradient is
// reduced over mb, dp and only then, on the shard, over the stages. A frozen
// parameter and one without a use have no bucket; the latter lives on stage 0.
// RUN: sed -e 's/pp = 2/pp = 3/' %S/../equiv/Inputs/tied.mlir \
// RUN:   | dtc-opt --dtc-pipeline=stop-after=sharded 2>/dev/null | FileCheck %s

// CHECK-DAG:   #[[ON0:layout[0-9]*]] = #dtc.layout<pp=3:On{0}, dp=2:R, tp=1:R, mb=2:R>
// CHECK-DAG:   #[[ALL:layout[0-9]*]] = #dtc.layout<pp=3:On{0,1,2}, dp=2:R, tp=1:R, mb=2:R>
// CHECK-DAG:   #[[ALLD:layout[0-9]*]] = #dtc.layout<pp=3:On{0,1,2}, dp=2:S(0), tp=1:R, mb=2:R, pad(0:zero)>
// CHECK-DAG:   #[[SETP:layout[0-9]*]] = #dtc.layout<pp=3:P(sum){0,1,2}, dp=2:P(sum), tp=1:R, mb=2:R>
// CHECK-DAG:   #[[SETD:layout[0-9]*]] = #dtc.layout<pp=3:P(sum){0,1,2}, dp=2:S(0), tp=1:R, mb=2:R, pad(0:zero)>
// CHECK:       dtc.variable @b0_1_2.whole : tensor<9xf32, #[[ALL]]> {{.*}}members = ["w"]
// CHECK:       dtc.variable @b0_1_2.whole.m : tensor<9xf32, #[[ALLD]]>
// CHECK:       dtc.variable @b : tensor<3xf32, #{{.+}}> {frozen
// CHECK:       dtc.variable @u : tensor<3xf32, #[[ON0]]>
// CHECK-NOT:   dtc.variable @u.m
// CHECK:       func.func @step(
// CHECK:       %[[PACK:.+]] = dtc.pack {{.*}} -> tensor<9xf32, #[[SETP]]>
// CHECK-NEXT:  %[[SHARD:.+]] = dtc.reduce_scatter %[[PACK]] over "dp" {{.*}} -> tensor<9xf32, #[[SETD]]>
// CHECK-NEXT:  %[[SUM:.+]] = dtc.all_reduce sum %[[SHARD]] over ["pp"] {{.*}} -> tensor<9xf32, #[[ALLD]]>
// Equal bits on three stages count once, on the first of them.
// CHECK:       %[[Q:.+]] = dtc.sum_squares
// CHECK:       dtc.to_partial %[[Q]] {axes = ["pp"]
// CHECK:       %[[NEW:[^,]+]], {{.*}} = dtc.adamw
// CHECK:       dtc.all_gather %[[NEW]] over "dp"
