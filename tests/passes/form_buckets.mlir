// The tail of the worked example under ZeRO 1: four buckets, gradients packed
// and reduced into shards, norm and flag over all ranks.
// RUN: dtc-opt %S/Inputs/example.mlir --dtc-pipeline=stop-after=precision \
// RUN:   | dtc-opt --dtc-assign-stages --dtc-assign-layouts --dtc-form-buckets | FileCheck %s

// CHECK-DAG: #[[W:layout[0-9]*]] = #dtc.layout<pp=2:On{0}, dp=2:R, tp=2:R, mb=2:R>
// CHECK-DAG: #[[WD:layout[0-9]*]] = #dtc.layout<pp=2:On{0}, dp=2:S(0), tp=2:R, mb=2:R>
// CHECK-DAG: #[[WP:layout[0-9]*]] = #dtc.layout<pp=2:On{0}, dp=2:P(sum), tp=2:R, mb=2:R>
// CHECK-DAG: #[[WS:layout[0-9]*]] = #dtc.layout<pp=2:On{0}, dp=2:R, tp=2:S(0), mb=2:R, pad(0:zero)>
// CHECK-DAG: #[[X:layout[0-9]*]] = #dtc.layout<pp=2:On{0}, dp=2:R, tp=2:X, mb=2:R>
// CHECK-DAG: #[[XD:layout[0-9]*]] = #dtc.layout<pp=2:On{0}, dp=2:S(0), tp=2:X, mb=2:R, pad(0:zero)>
// CHECK-DAG: #[[XP:layout[0-9]*]] = #dtc.layout<pp=2:On{0}, dp=2:P(sum), tp=2:X, mb=2:R>
// CHECK-DAG: #[[X1:layout[0-9]*]] = #dtc.layout<pp=2:On{1}, dp=2:R, tp=2:X, mb=2:R>
// CHECK-DAG: #[[W1:layout[0-9]*]] = #dtc.layout<pp=2:On{1}, dp=2:R, tp=2:R, mb=2:R>
// CHECK-DAG: #[[GP:layout[0-9]*]] = #dtc.layout<pp=2:On{0}, dp=2:P(sum), tp=2:S(0), mb=2:P(sum), pad(0:zero)>
// CHECK-DAG: #[[GR:layout[0-9]*]] = #dtc.layout<pp=2:On{0}, dp=2:P(sum), tp=2:S(0), mb=2:R, pad(0:zero)>
// CHECK-DAG: #[[Q:layout[0-9]*]] = #dtc.layout<pp=2:On{0}, dp=2:P(sum), tp=2:P(sum), mb=2:R>
// CHECK-DAG: #[[QP:layout[0-9]*]] = #dtc.layout<pp=2:P(sum){0,1}, dp=2:P(sum), tp=2:P(sum), mb=2:R>
// CHECK-DAG: #[[FP:layout[0-9]*]] = #dtc.layout<pp=2:P(or){0,1}, dp=2:P(or), tp=2:P(or), mb=2:R>
// CHECK-DAG: #[[ALL:layout[0-9]*]] = #dtc.layout<pp=2:On{0,1}, dp=2:R, tp=2:R, mb=2:R>

// Members keep names, types and initialisers; the state is a shard over dp.
// CHECK:     dtc.variable @b0.whole : tensor<8xf32, #[[W]]>
// CHECK:     dtc.variable @b0.whole.m : tensor<8xf32, #[[WD]]>
// CHECK:     dtc.variable @b0.split : tensor<15xf32, #[[X]]> {init = {kind = "zeros", members = [{kind = "zeros"}, {kind = "zeros"}]}, member_types = [tensor<5x4xf32, #[[WS]]>, tensor<5xf32, #[[WS]]>], members = ["up.weight", "up.bias"], role = "parameter"}
// CHECK:     dtc.variable @b0.split.m : tensor<15xf32, #[[XD]]> {{.*}}members = ["up.weight.m", "up.bias.m"], of = @b0.split, role = "state"}
// CHECK:     dtc.variable @b0.split.v : tensor<15xf32, #[[XD]]>
// CHECK:     dtc.variable @b1.split : tensor<22xf32, #[[X1]]> {{.*}}members = ["down.weight", "head.weight", "head.bias"]
// CHECK:     dtc.variable @b1.whole : tensor<4xf32, #[[W1]]> {{.*}}members = ["down.bias"]
// CHECK-NOT: dtc.variable @up.weight

// Parameters are views of their bucket.
// CHECK:     func.func @step(
// CHECK-NOT: dtc.read @up.weight
// CHECK:     %[[BUCKET:.+]] = dtc.read @b0.split {{.*}} : tensor<15xf32, #[[X]]>
// CHECK:     %[[VIEWS:.+]]:2 = dtc.unpack %[[BUCKET]] {{.*}} -> (tensor<5x4xf32, #[[WS]]>, tensor<5xf32, #[[WS]]>)
// CHECK:     dtc.matmul %{{.+}}, %[[VIEWS]]#0 {{.*}}"up.matmul"
// CHECK:     dtc.add %{{.+}}, %[[VIEWS]]#1 {{.*}}"up.bias_add"
// mb first, then dp.
// CHECK:     %[[GW:.+]] = dtc.relayout %{{.+}} {{.*}}"up.weight.grad"{{.*}}reduce_dtype = f32{{.*}} : tensor<5x4xf32, #[[GP]]> -> tensor<5x4xf32, #[[GR]]>
// CHECK:     %[[GB:.+]] = dtc.relayout %{{.+}} {{.*}}"up.bias.grad"{{.*}} -> tensor<5xf32, #[[GR]]>
// CHECK:     %[[PACK:.+]] = dtc.pack %[[GW]], %[[GB]] {bucket = "b0.split"{{.*}} -> tensor<15xf32, #[[XP]]>
// CHECK:     %[[SHARD:.+]] = dtc.relayout %[[PACK]] {{.*}} -> tensor<15xf32, #[[XD]]>
// One op a bucket; what is whole over tp enters flag and norm once.
// CHECK:     %[[F0:.+]] = dtc.nonfinite_bit %{{.+}} {dtc.ids = array<i64: 40>
// CHECK:     %[[F1:.+]] = dtc.nonfinite_bit %[[SHARD]] {dtc.ids = array<i64: 41, 42>
// CHECK:     dtc.or {{.*}}terms = {{\[}}["in.weight"], ["up.weight", "up.bias"], ["down.weight", "head.weight", "head.bias"], ["down.bias"], ["N"]]{{.*}} -> tensor<i32, #[[FP]]>
// CHECK:     %[[FLAG:.+]] = dtc.relayout {{.*}} : tensor<i32, #[[FP]]> -> tensor<i32, #[[ALL]]>
// CHECK:     %[[U:.+]] = dtc.unscale %[[SHARD]], {{.*}} -> tensor<15xf32, #[[XD]]>
// CHECK:     %[[QW:.+]] = dtc.sum_squares %{{.+}} {{.*}}"b0.whole.squares"{{.*}} -> tensor<f32, #[[WP]]>
// CHECK:     %[[QX:.+]] = dtc.sum_squares %[[U]] {{.*}} -> tensor<f32, #[[Q]]>
// CHECK:     %[[QE:.+]] = dtc.to_partial %[[QW]] {axes = ["tp"]{{.*}} -> tensor<f32, #[[Q]]>
// CHECK:     dtc.sum %[[QE]], %[[QX]], {{.*}} -> tensor<f32, #[[QP]]>
// CHECK:     dtc.relayout {{.*}} : tensor<f32, #[[QP]]> -> tensor<f32, #[[ALL]]>
// The update is of the shard, its segments those of the members.
// CHECK:     %[[M:.+]] = dtc.read @b0.split.m {{.*}} : tensor<15xf32, #[[XD]]>
// CHECK:     %[[OWN:.+]] = dtc.relayout %[[BUCKET]] {{.*}} -> tensor<15xf32, #[[XD]]>
// CHECK:     %[[NEW:[^,]+]], %{{.+}}, %{{.+}} = dtc.adamw %[[OWN]], %[[M]], %{{.+}}, %[[U]], {{.*}}decays = array<f64: 2.500000e-01, 0.000000e+00>{{.*}}segment_lengths = array<i64: 12, 3>
// CHECK:     %[[WHOLE:.+]] = dtc.relayout %[[NEW]] {{.*}} -> tensor<15xf32, #[[X]]>
// CHECK:     dtc.store %[[WHOLE]], @b0.split
// CHECK:     dtc.advance
// CHECK-NOT: dtc.stages
// CHECK:     func.func @evaluate(
// CHECK:     %[[EVAL:.+]] = dtc.read @b0.split
// CHECK:     dtc.unpack %[[EVAL]]

// ZeRO 0: no bucket, each gradient over mb, then over dp, for its parameter.
// RUN: sed -e 's/zero = 1/zero = 0/' %S/Inputs/example.mlir | dtc-opt --dtc-pipeline=stop-after=precision \
// RUN:   | dtc-opt --dtc-assign-stages --dtc-assign-layouts --dtc-form-buckets | FileCheck %s --check-prefix=ZERO0
// ZERO0-DAG: #[[WS:layout[0-9]*]] = #dtc.layout<pp=2:On{0}, dp=2:R, tp=2:S(0), mb=2:R, pad(0:zero)>
// ZERO0-DAG: #[[GR:layout[0-9]*]] = #dtc.layout<pp=2:On{0}, dp=2:P(sum), tp=2:S(0), mb=2:R, pad(0:zero)>
// ZERO0-NOT: members =
// ZERO0-NOT: dtc.pack
// ZERO0:     %[[GM:.+]] = dtc.relayout {{.*}}"up.weight.grad"{{.*}} -> tensor<5x4xf32, #[[GR]]>
// ZERO0:     %[[G:.+]] = dtc.relayout %[[GM]] {{.*}} -> tensor<5x4xf32, #[[WS]]>
// ZERO0:     dtc.unscale %[[G]], {{.*}} -> tensor<5x4xf32, #[[WS]]>
// ZERO0:     dtc.adamw {{.*}}"up.weight.update"{{.*}}segment_lengths = array<i64: 12>

// RUN: sed -e 's/zero = 1/zero = 3/' %S/Inputs/example.mlir | dtc-opt --dtc-pipeline=stop-after=precision \
// RUN:   | not dtc-opt --dtc-assign-stages --dtc-assign-layouts --dtc-form-buckets 2>&1 | FileCheck %s --check-prefix=ZERO3
// ZERO3: error: plan.zero is 3, expected 0 (all whole) or 1 (state and update in shards)
