// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#p = #dtc.layout<tp=2:P(sum)>
#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>

// Zero stays zero.
// CHECK-LABEL: func.func @cast_down(
func.func @cast_down(%a: tensor<7x5xf32, #s0z>) {
  // CHECK: dtc.cast %{{.+}} :
  %0 = dtc.cast %a : (tensor<7x5xf32, #s0z>) -> tensor<7x5xbf16, #s0z>
  return
}

// Exact, so linear.
// CHECK-LABEL: func.func @cast_up_of_partial(
func.func @cast_up_of_partial(%a: tensor<7x5xbf16, #p>) {
  // CHECK: dtc.cast %{{.+}} :
  %0 = dtc.cast %a : (tensor<7x5xbf16, #p>) -> tensor<7x5xf32, #p>
  return
}
