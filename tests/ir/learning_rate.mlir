// RUN: dtc-opt %s | dtc-opt | FileCheck %s

// Constant.
// CHECK-LABEL: func.func @learning_rate_constant(
func.func @learning_rate_constant(%t: tensor<i32>) {
  // CHECK: dtc.learning_rate %{{.+}} {peak = 1.250000e-01 : f64} :
  %0 = dtc.learning_rate %t {peak = 1.250000e-01 : f64} : (tensor<i32>) -> tensor<f32>
  return
}
