// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#r = #dtc.layout<tp=2:R>
#x = #dtc.layout<tp=2:X>

// Decay and rate of each segment.
// CHECK-LABEL: func.func @adamw_segments(
func.func @adamw_segments(
    %v: tensor<15xf32>, %m: tensor<15xf32>, %s: tensor<15xf32>, %g: tensor<15xf32>, %c: tensor<f32>, %k: tensor<i32>, %r: tensor<f32>, %t: tensor<i32>) {
  // CHECK: dtc.adamw %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} {beta1 = 5.000000e-01 : f64, beta2 = 7.500000e-01 : f64, decays = array<f64: 2.500000e-01, 0.000000e+00>, eps = 1.250000e-01 : f64, rates = array<f64: 1.000000e+00, 1.000000e+00>, segment_lengths = array<i64: 12, 3>} :
  %0:3 = dtc.adamw %v, %m, %s, %g, %c, %k, %r, %t {beta1 = 5.000000e-01 : f64, beta2 = 7.500000e-01 : f64, decays = array<f64: 2.500000e-01, 0.000000e+00>, eps = 1.250000e-01 : f64, rates = array<f64: 1.000000e+00, 1.000000e+00>, segment_lengths = array<i64: 12, 3>}
     : (tensor<15xf32>, tensor<15xf32>, tensor<15xf32>, tensor<15xf32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> (tensor<15xf32>, tensor<15xf32>, tensor<15xf32>)
  return
}

// Each coordinate updates its own elements.
// CHECK-LABEL: func.func @adamw_opaque_bucket(
func.func @adamw_opaque_bucket(
    %v: tensor<15xf32, #x>, %m: tensor<15xf32, #x>, %s: tensor<15xf32, #x>, %g: tensor<15xf32, #x>, %c: tensor<f32, #r>, %k: tensor<i32, #r>, %r: tensor<f32, #r>, %t: tensor<i32, #r>) {
  // CHECK: dtc.adamw %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} {beta1 = 5.000000e-01 : f64, beta2 = 7.500000e-01 : f64, decays = array<f64: 2.500000e-01, 0.000000e+00>, eps = 1.250000e-01 : f64, rates = array<f64: 1.000000e+00, 1.000000e+00>, segment_lengths = array<i64: 12, 3>} :
  %0:3 = dtc.adamw %v, %m, %s, %g, %c, %k, %r, %t {beta1 = 5.000000e-01 : f64, beta2 = 7.500000e-01 : f64, decays = array<f64: 2.500000e-01, 0.000000e+00>, eps = 1.250000e-01 : f64, rates = array<f64: 1.000000e+00, 1.000000e+00>, segment_lengths = array<i64: 12, 3>}
     : (tensor<15xf32, #x>, tensor<15xf32, #x>, tensor<15xf32, #x>, tensor<15xf32, #x>, tensor<f32, #r>, tensor<i32, #r>, tensor<f32, #r>, tensor<i32, #r>) -> (tensor<15xf32, #x>, tensor<15xf32, #x>, tensor<15xf32, #x>)
  return
}
