// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>
#on0 = #dtc.layout<pp=2:On{0}, tp=2:R>
#on1 = #dtc.layout<pp=2:On{1}, tp=2:R>

// A sum, in f32.
// CHECK-LABEL: func.func @relayout_settle(
func.func @relayout_settle(%a: tensor<8x4xf32, #p>) {
  // CHECK: dtc.relayout %{{.+}} {reduce_dtype = f32} :
  %0 = dtc.relayout %a {reduce_dtype = f32} : tensor<8x4xf32, #p> -> tensor<8x4xf32, #r>
  return
}

// A send.
// CHECK-LABEL: func.func @relayout_send(
func.func @relayout_send(%a: tensor<8x4xf32, #on0>) {
  // CHECK: dtc.relayout %{{.+}} :
  %0 = dtc.relayout %a : tensor<8x4xf32, #on0> -> tensor<8x4xf32, #on1>
  return
}
