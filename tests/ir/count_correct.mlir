// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#p = #dtc.layout<tp=2:P(sum)>
#s0a = #dtc.layout<tp=2:S(0), pad(0:any)>
#s0f = #dtc.layout<tp=2:S(0), pad(0:fill)>

// Ignored rows, and so pads, are never correct.
// CHECK-LABEL: func.func @count_correct_split_rows(
func.func @count_correct_split_rows(
    %m: tensor<7xf32, #s0a>, %p: tensor<7xf32, #s0a>, %l: tensor<7xi32, #s0f>) {
  // CHECK: dtc.count_correct %{{.+}}, %{{.+}}, %{{.+}} {ignore = -100 : i64} :
  %0 = dtc.count_correct %m, %p, %l {ignore = -100 : i64}
     : (tensor<7xf32, #s0a>, tensor<7xf32, #s0a>, tensor<7xi32, #s0f>) -> tensor<i64, #p>
  return
}
