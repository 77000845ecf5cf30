// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#mr = #dtc.layout<mb=2:R>
#msf = #dtc.layout<mb=2:S(0), pad(0:fill)>
#dstr = #dtc.layout<dp=2:S(0), tp=2:R>
#dsts = #dtc.layout<dp=2:S(0), tp=2:S(0)>

// Within the block of dp.
// CHECK-LABEL: func.func @local_slice_inner(
func.func @local_slice_inner(%a: tensor<8xf32, #dstr>) {
  // CHECK: dtc.local_slice %{{.+}} {axis = "tp"} :
  %0 = dtc.local_slice %a {axis = "tp"} : tensor<8xf32, #dstr> -> tensor<8xf32, #dsts>
  return
}

// The rows of a micro-batch.
// CHECK-LABEL: func.func @local_slice_labels(
func.func @local_slice_labels(%a: tensor<7xi32, #mr>) {
  // CHECK: dtc.local_slice %{{.+}} {axis = "mb"} :
  %0 = dtc.local_slice %a {axis = "mb"} : tensor<7xi32, #mr> -> tensor<7xi32, #msf>
  return
}
