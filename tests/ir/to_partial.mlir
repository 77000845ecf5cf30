// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>
#or = #dtc.layout<tp=2:P(or)>
#dr = #dtc.layout<dp=2:R, tp=2:R>
#dptp = #dtc.layout<dp=2:P(sum), tp=2:P(sum)>

// A bias meets addends.
// CHECK-LABEL: func.func @to_partial_sum(
func.func @to_partial_sum(%a: tensor<4xf32, #r>) {
  // CHECK: dtc.to_partial %{{.+}} {axes = ["tp"]} :
  %0 = dtc.to_partial %a {axes = ["tp"]} : tensor<4xf32, #r> -> tensor<4xf32, #p>
  return
}

// The identity.
// CHECK-LABEL: func.func @to_partial_or(
func.func @to_partial_or(%a: tensor<i32, #r>) {
  // CHECK: dtc.to_partial %{{.+}} {axes = ["tp"]} :
  %0 = dtc.to_partial %a {axes = ["tp"]} : tensor<i32, #r> -> tensor<i32, #or>
  return
}

// Over a product group.
// CHECK-LABEL: func.func @to_partial_two_axes(
func.func @to_partial_two_axes(%a: tensor<4xf32, #dr>) {
  // CHECK: dtc.to_partial %{{.+}} {axes = ["dp", "tp"]} :
  %0 = dtc.to_partial %a {axes = ["dp", "tp"]} : tensor<4xf32, #dr> -> tensor<4xf32, #dptp>
  return
}
