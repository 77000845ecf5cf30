// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>
#s1z = #dtc.layout<tp=2:S(1), pad(1:zero)>

// Pad classes are skipped by global index.
// CHECK-LABEL: func.func @sum_exp_split_classes(
func.func @sum_exp_split_classes(%z: tensor<7x3xf32, #s1z>, %m: tensor<7xf32, #r>) {
  // CHECK: dtc.sum_exp %{{.+}}, %{{.+}} {reduce_dtype = f32} :
  %0 = dtc.sum_exp %z, %m {reduce_dtype = f32}
     : (tensor<7x3xf32, #s1z>, tensor<7xf32, #r>) -> tensor<7xf32, #p>
  return
}
