// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#r = #dtc.layout<tp=2:R>

// The norm of all.
// CHECK-LABEL: func.func @clip_factor_whole(
func.func @clip_factor_whole(%q: tensor<f32, #r>) {
  // CHECK: dtc.clip_factor %{{.+}} {max_norm = 3.000000e+00 : f64} :
  %0 = dtc.clip_factor %q {max_norm = 3.000000e+00 : f64} : (tensor<f32, #r>) -> tensor<f32, #r>
  return
}
