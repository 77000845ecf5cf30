// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#r = #dtc.layout<tp=2:R>
#s0 = #dtc.layout<tp=2:S(0)>
#s1 = #dtc.layout<tp=2:S(1)>
#p = #dtc.layout<tp=2:P(sum)>
#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>
#s0a = #dtc.layout<tp=2:S(0), pad(0:any)>

// A row for all rows.
// CHECK-LABEL: func.func @sub_broadcast(
func.func @sub_broadcast(%a: tensor<7x5xf32>, %b: tensor<5xf32>) {
  // CHECK: dtc.sub %{{.+}}, %{{.+}} :
  %0 = dtc.sub %a, %b : (tensor<7x5xf32>, tensor<5xf32>) -> tensor<7x5xf32>
  return
}

// A scalar; pads become any.
// CHECK-LABEL: func.func @sub_scalar(
func.func @sub_scalar(%a: tensor<7x5xf32, #s0z>, %b: tensor<f32, #r>) {
  // CHECK: dtc.sub %{{.+}}, %{{.+}} :
  %0 = dtc.sub %a, %b : (tensor<7x5xf32, #s0z>, tensor<f32, #r>) -> tensor<7x5xf32, #s0a>
  return
}

// Dimension 1 of lhs is dimension 0 of rhs.
// CHECK-LABEL: func.func @sub_split_in_both(
func.func @sub_split_in_both(%a: tensor<8x6xf32, #s1>, %b: tensor<6xf32, #s0>) {
  // CHECK: dtc.sub %{{.+}}, %{{.+}} :
  %0 = dtc.sub %a, %b : (tensor<8x6xf32, #s1>, tensor<6xf32, #s0>) -> tensor<8x6xf32, #s1>
  return
}

// Linear.
// CHECK-LABEL: func.func @sub_partial(
func.func @sub_partial(%a: tensor<7x4xf32, #p>, %b: tensor<4xf32, #p>) {
  // CHECK: dtc.sub %{{.+}}, %{{.+}} :
  %0 = dtc.sub %a, %b : (tensor<7x4xf32, #p>, tensor<4xf32, #p>) -> tensor<7x4xf32, #p>
  return
}
