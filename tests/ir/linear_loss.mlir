// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>
#s0a = #dtc.layout<tp=2:S(0), pad(0:any)>
#s0f = #dtc.layout<tp=2:S(0), pad(0:fill)>

// Pad rows have the ignore label.
// CHECK-LABEL: func.func @linear_loss_split_rows(
func.func @linear_loss_split_rows(
    %x: tensor<7x3xf32, #s0a>, %l: tensor<7xi32, #s0f>, %n: tensor<i64, #r>, %c: tensor<f32, #r>) {
  // CHECK: dtc.linear_loss %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} {ignore = -100 : i64} :
  %0 = dtc.linear_loss %x, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7x3xf32, #s0a>, tensor<7xi32, #s0f>, tensor<i64, #r>, tensor<f32, #r>) -> tensor<f32, #p>
  return
}
