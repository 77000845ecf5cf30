// One rank's shapes of the worked example, where 7 rows, the width 5 and three
// classes leave pads.
// RUN: dtc-opt %S/Inputs/example.mlir --dtc-pipeline=stop-after=local | FileCheck %s

// CHECK-DAG: #[[B:layout[0-9]*]] = #dtc.layout<pp=2:On{0}, dp=2:S(0), tp=2:R, mb=2:S(0), pad(0:zero)>
// CHECK-DAG: #[[C:layout[0-9]*]] = #dtc.layout<pp=2:On{0}, dp=2:S(0), tp=2:S(1), mb=2:S(0), pad(0:any, 1:zero)>
// CHECK-DAG: #[[C1:layout[0-9]*]] = #dtc.layout<pp=2:On{1}, dp=2:S(0), tp=2:S(1), mb=2:S(0), pad(0:any, 1:zero)>
// CHECK-DAG: #[[XD:layout[0-9]*]] = #dtc.layout<pp=2:On{0}, dp=2:S(0), tp=2:X, mb=2:R, pad(0:zero)>
// CHECK-DAG: #[[WS:layout[0-9]*]] = #dtc.layout<pp=2:On{0}, dp=2:R, tp=2:S(0), mb=2:R, pad(0:zero)>
// CHECK-DAG: #[[WS1T:layout[0-9]*]] = #dtc.layout<pp=2:On{1}, dp=2:R, tp=2:S(1), mb=2:R, pad(1:zero)>

// A bucket's members keep their global types.
// CHECK: dtc.variable @b0.split.m : tensor<8xf32, #dtc.local<15, #[[XD]]>> {{.*}}member_types = [tensor<5x4xf32, #[[WS]]>, tensor<5xf32, #[[WS]]>]
// The rows of the step that a data rank holds, then those of a micro-batch.
// CHECK: func.func @step(%{{.+}}: tensor<4x2xf32, #dtc.local<7x2, #{{.+}}>> {dtc.input = "x"}
// CHECK: dtc.unpack {{.*}} -> (tensor<3x4xf32, #dtc.local<5x4, #[[WS]]>>, tensor<3xf32, #dtc.local<5, #[[WS]]>>)
// CHECK: dtc.unpack {{.*}} -> (tensor<4x3xf32, #dtc.local<4x5, #[[WS1T]]>>,
// CHECK: dtc.relu {{.*}} -> tensor<2x4xf32, #dtc.local<7x4, #[[B]]>>
// CHECK: dtc.relu {{.*}} -> tensor<2x3xf32, #dtc.local<7x5, #[[C]]>>
// CHECK: dtc.add {{.*}}dtc.name = "head"{{.*}} -> tensor<2x2xf32, #dtc.local<7x3, #[[C1]]>>
// CHECK: dtc.cross_entropy {{.*}} -> tensor<f32, #dtc.local<scalar, #{{.+}}>>

// Types without a layout are refused.
// RUN: dtc-opt %S/Inputs/example.mlir --dtc-pipeline=stop-after=precision \
// RUN:   | not dtc-opt --dtc-partition 2>&1 | FileCheck %s --check-prefix=GLOBAL
// GLOBAL: error: 'dtc.read' op in.weight: has type 'tensor<4x2xf32>', expected one with #dtc.layout; run dtc-form-buckets before dtc-partition
