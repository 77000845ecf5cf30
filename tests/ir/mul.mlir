// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#r = #dtc.layout<tp=2:R>
#s0 = #dtc.layout<tp=2:S(0)>
#s1 = #dtc.layout<tp=2:S(1)>
#p = #dtc.layout<tp=2:P(sum)>
#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>

// A row for all rows.
// CHECK-LABEL: func.func @mul_broadcast(
func.func @mul_broadcast(%a: tensor<7x5xf32>, %b: tensor<5xf32>) {
  // CHECK: dtc.mul %{{.+}}, %{{.+}} :
  %0 = dtc.mul %a, %b : (tensor<7x5xf32>, tensor<5xf32>) -> tensor<7x5xf32>
  return
}

// A scalar; zero pads stay.
// CHECK-LABEL: func.func @mul_scalar(
func.func @mul_scalar(%a: tensor<7x5xf32, #s0z>, %b: tensor<f32, #r>) {
  // CHECK: dtc.mul %{{.+}}, %{{.+}} :
  %0 = dtc.mul %a, %b : (tensor<7x5xf32, #s0z>, tensor<f32, #r>) -> tensor<7x5xf32, #s0z>
  return
}

// Dimension 1 of lhs is dimension 0 of rhs.
// CHECK-LABEL: func.func @mul_split_in_both(
func.func @mul_split_in_both(%a: tensor<8x6xf32, #s1>, %b: tensor<6xf32, #s0>) {
  // CHECK: dtc.mul %{{.+}}, %{{.+}} :
  %0 = dtc.mul %a, %b : (tensor<8x6xf32, #s1>, tensor<6xf32, #s0>) -> tensor<8x6xf32, #s1>
  return
}

// Linear.
// CHECK-LABEL: func.func @mul_partial(
func.func @mul_partial(%a: tensor<7x4xf32, #p>, %b: tensor<4xf32, #r>) {
  // CHECK: dtc.mul %{{.+}}, %{{.+}} :
  %0 = dtc.mul %a, %b : (tensor<7x4xf32, #p>, tensor<4xf32, #r>) -> tensor<7x4xf32, #p>
  return
}
