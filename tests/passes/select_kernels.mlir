// What makes each op stands on it; what is inside a kernel has none of its own.
// RUN: dtc-opt %S/Inputs/example.mlir --dtc-pipeline=stop-after=scheduled \
// RUN:   | dtc-opt --dtc-fuse --dtc-select-kernels | FileCheck %s
// RUN: dtc-opt %S/Inputs/example.mlir --dtc-pipeline=stop-after=scheduled \
// RUN:   | dtc-opt --dtc-fuse --dtc-select-kernels --dtc-select-kernels | FileCheck %s

// The copy of the graph stays as it is.
// CHECK-LABEL: @step.graph
// CHECK-NOT:   dtc.kernel
// CHECK-LABEL: func.func private @stage0.train.forward
// CHECK:       dtc.unpack {{.*}}dtc.kernel = #dtc<kernel_template view>
// A micro-batch's rows are a view, a rank's part of a bucket is not.
// CHECK:       dtc.local_slice {{.*}}dtc.kernel = #dtc<kernel_template view>
// CHECK:       dtc.matmul {{.*}}dtc.kernel = #dtc<kernel_template library>
// CHECK:       dtc.relu {{.*}}dtc.kernel = #dtc<kernel_template map>
// CHECK:       dtc.fused map{{.*}}dtc.kernel = #dtc<kernel_template map>
// CHECK-NEXT:  ^bb0
// CHECK-NOT:   dtc.kernel
// CHECK:       dtc.yield
// CHECK-LABEL: func.func private @stage0.train.epilogue
// CHECK:       dtc.reduce_scatter {{.*}}dtc.kernel = #dtc<kernel_template instruction>
// CHECK:       dtc.local_slice {{.*}}axis = "dp", {{.*}}dtc.kernel = #dtc<kernel_template map>
// CHECK:       dtc.adamw {{.*}}dtc.kernel = #dtc<kernel_template multi_tensor>
