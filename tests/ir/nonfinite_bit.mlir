// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#or = #dtc.layout<tp=2:P(or)>
#x = #dtc.layout<tp=2:X>
#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>

// Each judges its rows.
// CHECK-LABEL: func.func @nonfinite_bit_of_a_shard(
func.func @nonfinite_bit_of_a_shard(%g: tensor<5x4xf32, #s0z>) {
  // CHECK: dtc.nonfinite_bit %{{.+}} :
  %0 = dtc.nonfinite_bit %g : (tensor<5x4xf32, #s0z>) -> tensor<i32, #or>
  return
}

// Coordinates hold different elements.
// CHECK-LABEL: func.func @nonfinite_bit_of_an_opaque_bucket(
func.func @nonfinite_bit_of_an_opaque_bucket(%g: tensor<15xf32, #x>) {
  // CHECK: dtc.nonfinite_bit %{{.+}} :
  %0 = dtc.nonfinite_bit %g : (tensor<15xf32, #x>) -> tensor<i32, #or>
  return
}
