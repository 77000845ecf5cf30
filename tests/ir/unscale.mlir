// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#r = #dtc.layout<tp=2:R>
#x = #dtc.layout<tp=2:X>
#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>

// Opaque stays opaque.
// CHECK-LABEL: func.func @unscale_a_bucket(
func.func @unscale_a_bucket(%g: tensor<15xf32, #x>, %s: tensor<f32, #r>) {
  // CHECK: dtc.unscale %{{.+}}, %{{.+}} :
  %0 = dtc.unscale %g, %s : (tensor<15xf32, #x>, tensor<f32, #r>) -> tensor<15xf32, #x>
  return
}

// Zero pads stay.
// CHECK-LABEL: func.func @unscale_a_shard(
func.func @unscale_a_shard(%g: tensor<5x4xf32, #s0z>, %s: tensor<f32, #r>) {
  // CHECK: dtc.unscale %{{.+}}, %{{.+}} :
  %0 = dtc.unscale %g, %s : (tensor<5x4xf32, #s0z>, tensor<f32, #r>) -> tensor<5x4xf32, #s0z>
  return
}
