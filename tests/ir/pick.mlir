// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>
#s0a = #dtc.layout<tp=2:S(0), pad(0:any)>
#s0f = #dtc.layout<tp=2:S(0), pad(0:fill)>
#s1z = #dtc.layout<tp=2:S(1), pad(1:zero)>

// 0 where the label's class is elsewhere.
// CHECK-LABEL: func.func @pick_split_classes(
func.func @pick_split_classes(%z: tensor<7x3xf32, #s1z>, %l: tensor<7xi32, #r>) {
  // CHECK: dtc.pick %{{.+}}, %{{.+}} {ignore = -100 : i64} :
  %0 = dtc.pick %z, %l {ignore = -100 : i64}
     : (tensor<7x3xf32, #s1z>, tensor<7xi32, #r>) -> tensor<7xf32, #p>
  return
}

// Rows split in both.
// CHECK-LABEL: func.func @pick_split_rows(
func.func @pick_split_rows(%z: tensor<7x3xf32, #s0a>, %l: tensor<7xi32, #s0f>) {
  // CHECK: dtc.pick %{{.+}}, %{{.+}} {ignore = -100 : i64} :
  %0 = dtc.pick %z, %l {ignore = -100 : i64}
     : (tensor<7x3xf32, #s0a>, tensor<7xi32, #s0f>) -> tensor<7xf32, #s0a>
  return
}
