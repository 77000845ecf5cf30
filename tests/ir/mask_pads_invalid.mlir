// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @mask_pads_c1_result_shape(%a: tensor<7x5xf32>) {
  // expected-error @below {{C1: result is 5x7xf32, expected 7x5xf32}}
  %0 = dtc.mask_pads %a : (tensor<7x5xf32>) -> tensor<5x7xf32>
  return
}

// -----

func.func @mask_pads_c1_result_element_type(%a: tensor<7x5xf32>) {
  // expected-error @below {{C1: result is 7x5xbf16, expected 7x5xf32}}
  %0 = dtc.mask_pads %a : (tensor<7x5xf32>) -> tensor<7x5xbf16>
  return
}

// -----

#s0 = #dtc.layout<tp=2:S(0)>
#s1 = #dtc.layout<tp=2:S(1)>

func.func @mask_pads_changes_the_split(%a: tensor<8x6xf32, #s0>) {
  // expected-error @below {{result holds S(1) on axis "tp", expected S(0)}}
  %0 = dtc.mask_pads %a : (tensor<8x6xf32, #s0>) -> tensor<8x6xf32, #s1>
  return
}
