// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @pad_c1_outside(%a: tensor<7x2xf32>) {
  // expected-error @below {{C1: the box is [4, 6) in dimension 1 of size 5}}
  %0 = dtc.pad %a {starts = array<i64: 0, 4>} : (tensor<7x2xf32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @pad_c2_element_type(%a: tensor<7x2xf32>) {
  // expected-error @below {{C2: input is 7x2xf32, result 7x5xf64, expected one element type}}
  %0 = dtc.pad %a {starts = array<i64: 0, 3>} : (tensor<7x2xf32>) -> tensor<7x5xf64>
  return
}

// -----

#s1 = #dtc.layout<tp=2:S(1)>

func.func @pad_of_a_split(%a: tensor<8x2xf32, #s1>) {
  // expected-error @below {{operand input holds S(1) on axis "tp", expected R}}
  %0 = dtc.pad %a {starts = array<i64: 0, 3>} : (tensor<8x2xf32, #s1>) -> tensor<8x6xf32, #s1>
  return
}
