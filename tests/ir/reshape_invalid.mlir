// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @reshape_c1_elements(%a: tensor<7x5xf32>) {
  // expected-error @below {{C1: result has 36 elements, expected the input's 35}}
  %0 = dtc.reshape %a : (tensor<7x5xf32>) -> tensor<6x6xf32>
  return
}

// -----

func.func @reshape_c2_element_type(%a: tensor<7x5xf32>) {
  // expected-error @below {{C2: result is 35xbf16, expected 35xf32}}
  %0 = dtc.reshape %a : (tensor<7x5xf32>) -> tensor<35xbf16>
  return
}

// -----

#s0 = #dtc.layout<tp=2:S(0)>

// Blocks of 3 rows are no block of another shape once sizes are uneven.
func.func @reshape_of_a_merged_split(%a: tensor<6x4xf32, #s0>) {
  // expected-error @below {{operand input holds S(0) on axis "tp", expected R}}
  %0 = dtc.reshape %a : (tensor<6x4xf32, #s0>) -> tensor<24xf32, #s0>
  return
}
