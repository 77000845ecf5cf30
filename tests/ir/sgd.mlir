// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#r = #dtc.layout<tp=2:R>
#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>

// No momentum, no state.
// CHECK-LABEL: func.func @sgd_plain(
func.func @sgd_plain(
    %v: tensor<5x4xf32>, %g: tensor<5x4xf32>, %c: tensor<f32>, %k: tensor<i32>, %r: tensor<f32>) {
  // CHECK: dtc.sgd %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} {decays = array<f64: 2.500000e-01>, momentum = 0.000000e+00 : f64, rates = array<f64: 1.000000e+00>, segment_lengths = array<i64: 20>} :
  %0 = dtc.sgd %v, %g, %c, %k, %r {decays = array<f64: 2.500000e-01>, momentum = 0.000000e+00 : f64, rates = array<f64: 1.000000e+00>, segment_lengths = array<i64: 20>}
     : (tensor<5x4xf32>, tensor<5x4xf32>, tensor<f32>, tensor<i32>, tensor<f32>) -> tensor<5x4xf32>
  return
}

// All tensors lie alike; zero pads stay.
// CHECK-LABEL: func.func @sgd_momentum(
func.func @sgd_momentum(
    %v: tensor<5x4xf32, #s0z>, %m: tensor<5x4xf32, #s0z>, %g: tensor<5x4xf32, #s0z>, %c: tensor<f32, #r>, %k: tensor<i32, #r>, %r: tensor<f32, #r>) {
  // CHECK: dtc.sgd %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} {decays = array<f64: 2.500000e-01>, momentum = 9.000000e-01 : f64, rates = array<f64: 1.000000e+00>, segment_lengths = array<i64: 20>} :
  %0:2 = dtc.sgd %v, %m, %g, %c, %k, %r {decays = array<f64: 2.500000e-01>, momentum = 9.000000e-01 : f64, rates = array<f64: 1.000000e+00>, segment_lengths = array<i64: 20>}
     : (tensor<5x4xf32, #s0z>, tensor<5x4xf32, #s0z>, tensor<5x4xf32, #s0z>, tensor<f32, #r>, tensor<i32, #r>, tensor<f32, #r>) -> (tensor<5x4xf32, #s0z>, tensor<5x4xf32, #s0z>)
  return
}
