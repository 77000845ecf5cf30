// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#s0a = #dtc.layout<tp=2:S(0), pad(0:any)>
#s1a = #dtc.layout<tp=2:S(1), pad(1:any)>

// Split and pads move along.
// CHECK-LABEL: func.func @transpose_split(
func.func @transpose_split(%a: tensor<7x5xf32, #s0a>) {
  // CHECK: dtc.transpose %{{.+}} {permutation = array<i64: 1, 0>} :
  %0 = dtc.transpose %a {permutation = array<i64: 1, 0>}
     : (tensor<7x5xf32, #s0a>) -> tensor<5x7xf32, #s1a>
  return
}
