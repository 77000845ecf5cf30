// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#x = #dtc.layout<tp=2:X>
#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>

// Members have the pads that they were packed with.
// CHECK-LABEL: func.func @unpack_split(
func.func @unpack_split(%b: tensor<15xf32, #x>) {
  // CHECK: dtc.unpack %{{.+}} :
  %0:2 = dtc.unpack %b : (tensor<15xf32, #x>) -> (tensor<5x4xf32, #s0z>, tensor<5xf32, #s0z>)
  return
}
