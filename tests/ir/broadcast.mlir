// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#r = #dtc.layout<tp=2:R>
#s0 = #dtc.layout<tp=2:S(0)>

// A row for seven.
// CHECK-LABEL: func.func @broadcast_rows(
func.func @broadcast_rows(%a: tensor<5xf32>) {
  // CHECK: dtc.broadcast %{{.+}} {dims = array<i64: 1>} :
  %0 = dtc.broadcast %a {dims = array<i64: 1>} : (tensor<5xf32>) -> tensor<7x5xf32>
  return
}

// A new dimension is split for free.
// CHECK-LABEL: func.func @broadcast_into_a_split(
func.func @broadcast_into_a_split(%a: tensor<6xf32, #r>) {
  // CHECK: dtc.broadcast %{{.+}} {dims = array<i64: 1>} :
  %0 = dtc.broadcast %a {dims = array<i64: 1>} : (tensor<6xf32, #r>) -> tensor<8x6xf32, #s0>
  return
}
