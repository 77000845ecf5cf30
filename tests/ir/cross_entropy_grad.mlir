// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#r = #dtc.layout<tp=2:R>
#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>
#s0a = #dtc.layout<tp=2:S(0), pad(0:any)>
#s0f = #dtc.layout<tp=2:S(0), pad(0:fill)>
#s1z = #dtc.layout<tp=2:S(1), pad(1:zero)>

// Pad classes are masked by global index.
// CHECK-LABEL: func.func @cross_entropy_grad_split_classes(
func.func @cross_entropy_grad_split_classes(
    %z: tensor<7x3xf32, #s1z>, %m: tensor<7xf32, #r>, %s: tensor<7xf32, #r>, %l: tensor<7xi32, #r>, %n: tensor<i64, #r>, %c: tensor<f32, #r>) {
  // CHECK: dtc.cross_entropy_grad %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} {ignore = -100 : i64} :
  %0 = dtc.cross_entropy_grad %z, %m, %s, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7x3xf32, #s1z>, tensor<7xf32, #r>, tensor<7xf32, #r>, tensor<7xi32, #r>, tensor<i64, #r>, tensor<f32, #r>) -> tensor<7x3xf32, #s1z>
  return
}

// Pad rows are ignored rows: zero, whatever the logits hold.
// CHECK-LABEL: func.func @cross_entropy_grad_split_rows(
func.func @cross_entropy_grad_split_rows(
    %z: tensor<7x3xf32, #s0a>, %m: tensor<7xf32, #s0a>, %s: tensor<7xf32, #s0a>, %l: tensor<7xi32, #s0f>, %n: tensor<i64, #r>, %c: tensor<f32, #r>) {
  // CHECK: dtc.cross_entropy_grad %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} {ignore = -100 : i64} :
  %0 = dtc.cross_entropy_grad %z, %m, %s, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7x3xf32, #s0a>, tensor<7xf32, #s0a>, tensor<7xf32, #s0a>, tensor<7xi32, #s0f>, tensor<i64, #r>, tensor<f32, #r>) -> tensor<7x3xf32, #s0z>
  return
}
