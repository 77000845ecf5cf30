// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#s0 = #dtc.layout<tp=2:S(0)>
#s1 = #dtc.layout<tp=2:S(1)>
#p = #dtc.layout<tp=2:P(sum)>
#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>

// The gradient of a bias.
// CHECK-LABEL: func.func @reduce_sum_rows(
func.func @reduce_sum_rows(%a: tensor<7x5xf32, #s0z>) {
  // CHECK: dtc.reduce_sum %{{.+}} {dims = array<i64: 0>, reduce_dtype = f32} :
  %0 = dtc.reduce_sum %a {dims = array<i64: 0>, reduce_dtype = f32}
     : (tensor<7x5xf32, #s0z>) -> tensor<5xf32, #p>
  return
}

// Dimension 1 becomes dimension 0.
// CHECK-LABEL: func.func @reduce_sum_keeps_a_split(
func.func @reduce_sum_keeps_a_split(%a: tensor<7x6xf32, #s1>) {
  // CHECK: dtc.reduce_sum %{{.+}} {dims = array<i64: 0>} :
  %0 = dtc.reduce_sum %a {dims = array<i64: 0>} : (tensor<7x6xf32, #s1>) -> tensor<6xf32, #s0>
  return
}

// The last two.
// CHECK-LABEL: func.func @reduce_sum_last(
func.func @reduce_sum_last(%a: tensor<7x5x3xf32>) {
  // CHECK: dtc.reduce_sum %{{.+}} {dims = array<i64: 1, 2>} :
  %0 = dtc.reduce_sum %a {dims = array<i64: 1, 2>} : (tensor<7x5x3xf32>) -> tensor<7xf32>
  return
}
