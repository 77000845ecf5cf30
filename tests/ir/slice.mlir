// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>

// Rows may be split: the box takes them whole.
// CHECK-LABEL: func.func @slice_columns(
func.func @slice_columns(%a: tensor<7x5xf32, #s0z>) {
  // CHECK: dtc.slice %{{.+}} {starts = array<i64: 0, 3>} :
  %0 = dtc.slice %a {starts = array<i64: 0, 3>} : (tensor<7x5xf32, #s0z>) -> tensor<7x2xf32, #s0z>
  return
}
