// RUN: dtc-opt %s | dtc-opt | FileCheck %s

// Last of the tail.
// CHECK-LABEL: func.func @advance_global(
func.func @advance_global(%t: tensor<i32>, %s: tensor<f32>, %g: tensor<i32>, %k: tensor<i32>) {
  // CHECK: dtc.advance %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} {backoff = 5.000000e-01 : f64, growth = 2.000000e+00 : f64, growth_interval = 2 : i64} :
  %0:3 = dtc.advance %t, %s, %g, %k {backoff = 5.000000e-01 : f64, growth = 2.000000e+00 : f64, growth_interval = 2 : i64}
     : (tensor<i32>, tensor<f32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<f32>, tensor<i32>)
  return
}
