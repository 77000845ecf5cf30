// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#p = #dtc.layout<tp=2:P(sum)>
#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>
#s0a = #dtc.layout<tp=2:S(0), pad(0:any)>

// No layout yet.
// CHECK-LABEL: func.func @mask_pads_global(
func.func @mask_pads_global(%a: tensor<7x5xf32>) {
  // CHECK: dtc.mask_pads %{{.+}} :
  %0 = dtc.mask_pads %a : (tensor<7x5xf32>) -> tensor<7x5xf32>
  return
}

// What it is for.
// CHECK-LABEL: func.func @mask_pads_any_to_zero(
func.func @mask_pads_any_to_zero(%a: tensor<7x5xf32, #s0a>) {
  // CHECK: dtc.mask_pads %{{.+}} :
  %0 = dtc.mask_pads %a : (tensor<7x5xf32, #s0a>) -> tensor<7x5xf32, #s0z>
  return
}

// Linear.
// CHECK-LABEL: func.func @mask_pads_partial(
func.func @mask_pads_partial(%a: tensor<7x5xf32, #p>) {
  // CHECK: dtc.mask_pads %{{.+}} :
  %0 = dtc.mask_pads %a : (tensor<7x5xf32, #p>) -> tensor<7x5xf32, #p>
  return
}
