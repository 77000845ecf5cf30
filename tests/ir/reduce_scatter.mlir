// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#p = #dtc.layout<tp=2:P(sum)>
#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>

// 8 elements and 7; the pad is zero.
// CHECK-LABEL: func.func @reduce_scatter_uneven(
func.func @reduce_scatter_uneven(%a: tensor<15xf32, #p>) {
  // CHECK: dtc.reduce_scatter %{{.+}} over "tp" {reduce_dtype = f32} :
  %0 = dtc.reduce_scatter %a over "tp" {reduce_dtype = f32}
     : tensor<15xf32, #p> -> tensor<15xf32, #s0z>
  return
}
