// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#max = #dtc.layout<tp=2:P(max)>
#s0a = #dtc.layout<tp=2:S(0), pad(0:any)>
#s1z = #dtc.layout<tp=2:S(1), pad(1:zero)>

// A row is whole.
// CHECK-LABEL: func.func @row_max_split_rows(
func.func @row_max_split_rows(%z: tensor<7x3xf32, #s0a>) {
  // CHECK: dtc.row_max %{{.+}} :
  %0 = dtc.row_max %z : (tensor<7x3xf32, #s0a>) -> tensor<7xf32, #s0a>
  return
}

// Each coordinate has the maximum of its classes.
// CHECK-LABEL: func.func @row_max_split_classes(
func.func @row_max_split_classes(%z: tensor<7x3xf32, #s1z>) {
  // CHECK: dtc.row_max %{{.+}} :
  %0 = dtc.row_max %z : (tensor<7x3xf32, #s1z>) -> tensor<7xf32, #max>
  return
}
