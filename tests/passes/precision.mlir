// Sums get their dtype, ops their numbers, and the graph is put aside.
// RUN: dtc-opt %S/Inputs/example.mlir --dtc-differentiate --dtc-optimize-step --dtc-precision | FileCheck %s

// CHECK-LABEL: func.func @step(
// CHECK:       dtc.read @in.weight {dtc.id = 0 : i64
// CHECK:       dtc.matmul {{.*}}dtc.id = 8 : i64, dtc.name = "in.matmul"{{.*}}reduce_dtype = f32
// CHECK:       dtc.sum_exp {{.*}}reduce_dtype = f32
// CHECK:       dtc.pick {{.*}}reduce_dtype = f32
// CHECK:       dtc.cross_entropy {{.*}}reduce_dtype = f32
// CHECK:       dtc.reduce_sum {{.*}}reduce_dtype = f32
// CHECK:       dtc.sum_squares {{.*}}reduce_dtype = f32
// CHECK:       return
// CHECK-LABEL: func.func private @step.graph(
// CHECK:       dtc.matmul {{.*}}dtc.id = 8 : i64, dtc.name = "in.matmul"
// CHECK-LABEL: func.func @evaluate(
// CHECK:       dtc.read @in.weight {dtc.id = 0 : i64
// CHECK-LABEL: func.func private @evaluate.graph(

// A field that later versions may widen is refused by name until then.
// RUN: sed -e 's/dtc.compute = f32/dtc.compute = bf16/' %S/Inputs/example.mlir \
// RUN:   | not dtc-opt --dtc-precision 2>&1 | FileCheck %s --check-prefix=BF16
// BF16: error: precision.compute is bf16, expected f32
// RUN: dtc-opt %S/Inputs/example.mlir --dtc-precision | not dtc-opt --dtc-precision 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TWICE
// TWICE: error: 'func.func' op has a copy @step.graph already; dtc-precision runs once
