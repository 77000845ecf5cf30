// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>

// Dimension 0 is in both.
// CHECK-LABEL: func.func @reshape_keeps_the_first(
func.func @reshape_keeps_the_first(%a: tensor<7x4x3xf32, #s0z>) {
  // CHECK: dtc.reshape %{{.+}} :
  %0 = dtc.reshape %a : (tensor<7x4x3xf32, #s0z>) -> tensor<7x12xf32, #s0z>
  return
}

// Labels too.
// CHECK-LABEL: func.func @reshape_integer(
func.func @reshape_integer(%a: tensor<7x5xi32>) {
  // CHECK: dtc.reshape %{{.+}} :
  %0 = dtc.reshape %a : (tensor<7x5xi32>) -> tensor<35xi32>
  return
}
