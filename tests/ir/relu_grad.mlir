// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>
#s0a = #dtc.layout<tp=2:S(0), pad(0:any)>

// No layout yet.
// CHECK-LABEL: func.func @relu_grad_global(
func.func @relu_grad_global(%a: tensor<7x5xf32>, %b: tensor<7x5xf32>) {
  // CHECK: dtc.relu_grad %{{.+}}, %{{.+}} :
  %0 = dtc.relu_grad %a, %b : (tensor<7x5xf32>, tensor<7x5xf32>) -> tensor<7x5xf32>
  return
}

// Zero where the cotangent is,
// CHECK-LABEL: func.func @relu_grad_zero_cotangent(
func.func @relu_grad_zero_cotangent(%a: tensor<7x5xf32, #s0z>, %b: tensor<7x5xf32, #s0a>) {
  // CHECK: dtc.relu_grad %{{.+}}, %{{.+}} :
  %0 = dtc.relu_grad %a, %b
     : (tensor<7x5xf32, #s0z>, tensor<7x5xf32, #s0a>) -> tensor<7x5xf32, #s0z>
  return
}

// and where relu gave 0.
// CHECK-LABEL: func.func @relu_grad_zero_output(
func.func @relu_grad_zero_output(%a: tensor<7x5xf32, #s0a>, %b: tensor<7x5xf32, #s0z>) {
  // CHECK: dtc.relu_grad %{{.+}}, %{{.+}} :
  %0 = dtc.relu_grad %a, %b
     : (tensor<7x5xf32, #s0a>, tensor<7x5xf32, #s0z>) -> tensor<7x5xf32, #s0z>
  return
}
