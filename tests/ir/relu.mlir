// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>

// No layout yet.
// CHECK-LABEL: func.func @relu_global(
func.func @relu_global(%a: tensor<7x5xf32>) {
  // CHECK: dtc.relu %{{.+}} :
  %0 = dtc.relu %a : (tensor<7x5xf32>) -> tensor<7x5xf32>
  return
}

// f(0) = 0.
// CHECK-LABEL: func.func @relu_keeps_zero_pads(
func.func @relu_keeps_zero_pads(%a: tensor<7x5xf32, #s0z>) {
  // CHECK: dtc.relu %{{.+}} :
  %0 = dtc.relu %a : (tensor<7x5xf32, #s0z>) -> tensor<7x5xf32, #s0z>
  return
}
