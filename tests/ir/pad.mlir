// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#p = #dtc.layout<tp=2:P(sum)>

// Linear.
// CHECK-LABEL: func.func @pad_columns(
func.func @pad_columns(%a: tensor<7x2xf32, #p>) {
  // CHECK: dtc.pad %{{.+}} {starts = array<i64: 0, 3>} :
  %0 = dtc.pad %a {starts = array<i64: 0, 3>} : (tensor<7x2xf32, #p>) -> tensor<7x5xf32, #p>
  return
}
