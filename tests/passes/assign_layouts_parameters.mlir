// How parameters are split over tp where no residual stream says more than the
// input and what the head reads: the first layer by columns, the last by rows,
// the head by classes, the middle one is whole; biases follow.
// RUN: dtc-opt %S/Inputs/narrow.mlir --dtc-pipeline=stop-after=precision \
// RUN:   | dtc-opt --dtc-assign-stages --dtc-assign-layouts | FileCheck %s
// CHECK-DAG: #[[W:layout[0-9]*]] = #dtc.layout<pp=1:On{0}, dp=2:R, tp=2:R, mb=2:R>
// CHECK-DAG: #[[C:layout[0-9]*]] = #dtc.layout<pp=1:On{0}, dp=2:R, tp=2:S(0), mb=2:R, pad(0:zero)>
// CHECK-DAG: #[[R:layout[0-9]*]] = #dtc.layout<pp=1:On{0}, dp=2:R, tp=2:S(1), mb=2:R, pad(1:zero)>
// CHECK-DAG: #[[H:layout[0-9]*]] = #dtc.layout<pp=1:On{0}, dp=2:S(0), tp=2:S(1), mb=2:S(0), pad(0:any, 1:zero)>
// CHECK-DAG: #[[A:layout[0-9]*]] = #dtc.layout<pp=1:On{0}, dp=2:S(0), tp=2:R, mb=2:S(0), pad(0:any)>
// CHECK-DAG: #[[P:layout[0-9]*]] = #dtc.layout<pp=1:On{0}, dp=2:S(0), tp=2:P(sum), mb=2:S(0), pad(0:any)>
// CHECK:     dtc.variable @first.weight : tensor<3x2xf32, #[[C]]>
// CHECK:     dtc.variable @first.bias : tensor<3xf32, #[[C]]>
// CHECK:     dtc.variable @middle.weight : tensor<5x3xf32, #[[W]]>
// CHECK:     dtc.variable @last.weight : tensor<2x5xf32, #[[R]]>
// CHECK:     dtc.variable @last.bias : tensor<2xf32, #[[W]]>
// CHECK:     dtc.variable @head.weight : tensor<3x2xf32, #[[C]]>
// CHECK:     dtc.variable @head.bias : tensor<3xf32, #[[C]]>
// The middle layer gathers its input; a parameter is never gathered.
// CHECK:     %[[H0:.+]] = dtc.dropout {{.*}}dtc.name = "first"{{.*}} -> tensor<5x3xf32, #[[H]]>
// CHECK:     %[[H0R:.+]] = dtc.relayout %[[H0]] {{.*}} -> tensor<5x3xf32, #[[A]]>
// CHECK:     dtc.matmul %[[H0R]], %{{.+}} {{.*}}"middle.matmul"{{.*}} -> tensor<5x5xf32, #[[A]]>
// CHECK:     dtc.matmul {{.*}}"last.matmul"{{.*}} -> tensor<5x2xf32, #[[P]]>
// It settles before relu, which is not linear.
// CHECK:     %[[Z:.+]] = dtc.add {{.*}}"last.bias_add"{{.*}} -> tensor<5x2xf32, #[[P]]>
// CHECK:     dtc.relayout %[[Z]] {{.*}} -> tensor<5x2xf32, #[[A]]>
// A gathered value is kept for no other phase: backward gathers again.
// CHECK:     dtc.relayout %[[H0]] {{.*}}dtc.phase = "backward"{{.*}} -> tensor<5x3xf32, #[[A]]>
// CHECK:     "middle.weight.grad"{{.*}} -> tensor<5x3xf32, #{{.+}}>

// dtc.tp on a matmul overrides.
// RUN: sed -e '/"first.matmul"/s/{transpose_rhs/{transpose_rhs, dtc.tp = "whole"/' \
// RUN:     -e '/"middle.matmul"/s/{transpose_rhs/{transpose_rhs, dtc.tp = "column"/' %S/Inputs/narrow.mlir \
// RUN:   | dtc-opt --dtc-pipeline=stop-after=precision \
// RUN:   | dtc-opt --dtc-assign-stages --dtc-assign-layouts | FileCheck %s --check-prefix=FIELD
// FIELD-DAG: #[[W:layout[0-9]*]] = #dtc.layout<pp=1:On{0}, dp=2:R, tp=2:R, mb=2:R>
// FIELD-DAG: #[[C:layout[0-9]*]] = #dtc.layout<pp=1:On{0}, dp=2:R, tp=2:S(0), mb=2:R, pad(0:zero)>
// FIELD:     dtc.variable @first.weight : tensor<3x2xf32, #[[W]]>
// FIELD:     dtc.variable @first.bias : tensor<3xf32, #[[W]]>
// FIELD:     dtc.variable @middle.weight : tensor<5x3xf32, #[[C]]>

// RUN: sed -e '/"first.matmul"/s/{transpose_rhs/{transpose_rhs, dtc.tp = "rows"/' %S/Inputs/narrow.mlir \
// RUN:   | dtc-opt --dtc-pipeline=stop-after=precision \
// RUN:   | not dtc-opt --dtc-assign-stages --dtc-assign-layouts 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: error: first.matmul: dtc.tp is "rows", expected "column", "row" or "whole"

// Layers that share a weight and would split it differently leave it whole.
// RUN: dtc-opt %S/Inputs/shared.mlir --dtc-assign-layouts 2>&1 | FileCheck %s --check-prefix=SHARED
// SHARED:     warning: b: parameter w stays whole over "tp": this layer wants S(1) of it, a S(0)
// SHARED:     #[[W:layout[0-9]*]] = #dtc.layout<pp=1:On{0}, dp=1:R, tp=2:R, mb=1:R>
// SHARED:     dtc.variable @w : tensor<4x4xf32, #[[W]]>
