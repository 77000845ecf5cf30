// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#r = #dtc.layout<tp=2:R>

// The global norm.
// CHECK-LABEL: func.func @sqrt_norm(
func.func @sqrt_norm(%a: tensor<f32, #r>) {
  // CHECK: dtc.sqrt %{{.+}} :
  %0 = dtc.sqrt %a : (tensor<f32, #r>) -> tensor<f32, #r>
  return
}
