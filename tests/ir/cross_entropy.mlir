// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>
#s0a = #dtc.layout<tp=2:S(0), pad(0:any)>
#s0f = #dtc.layout<tp=2:S(0), pad(0:fill)>

// Each coordinate has the loss of its rows, divided by the N of all.
// CHECK-LABEL: func.func @cross_entropy_split_rows(
func.func @cross_entropy_split_rows(
    %m: tensor<7xf32, #s0a>, %s: tensor<7xf32, #s0a>, %p: tensor<7xf32, #s0a>, %l: tensor<7xi32, #s0f>, %n: tensor<i64, #r>, %c: tensor<f32, #r>) {
  // CHECK: dtc.cross_entropy %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} {ignore = -100 : i64} :
  %0 = dtc.cross_entropy %m, %s, %p, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7xf32, #s0a>, tensor<7xf32, #s0a>, tensor<7xf32, #s0a>, tensor<7xi32, #s0f>, tensor<i64, #r>, tensor<f32, #r>) -> tensor<f32, #p>
  return
}
