// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#p = #dtc.layout<tp=2:P(sum)>
#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>

// A term of the norm.
// CHECK-LABEL: func.func @sum_squares_of_a_shard(
func.func @sum_squares_of_a_shard(%g: tensor<5x4xf32, #s0z>) {
  // CHECK: dtc.sum_squares %{{.+}} {reduce_dtype = f32} :
  %0 = dtc.sum_squares %g {reduce_dtype = f32} : (tensor<5x4xf32, #s0z>) -> tensor<f32, #p>
  return
}
