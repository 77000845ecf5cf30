// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @slice_c1_starts(%a: tensor<7x5xf32>) {
  // expected-error @below {{C1: starts has 1 entries, the box rank 2, expected 2}}
  %0 = dtc.slice %a {starts = array<i64: 0>} : (tensor<7x5xf32>) -> tensor<7x2xf32>
  return
}

// -----

func.func @slice_c1_outside(%a: tensor<7x5xf32>) {
  // expected-error @below {{C1: the box is [4, 6) in dimension 1 of size 5}}
  %0 = dtc.slice %a {starts = array<i64: 0, 4>} : (tensor<7x5xf32>) -> tensor<7x2xf32>
  return
}

// -----

func.func @slice_c2_element_type(%a: tensor<7x5xf32>) {
  // expected-error @below {{C2: input is 7x5xf32, result 7x2xbf16, expected one element type}}
  %0 = dtc.slice %a {starts = array<i64: 0, 3>} : (tensor<7x5xf32>) -> tensor<7x2xbf16>
  return
}

// -----

#s1 = #dtc.layout<tp=2:S(1)>

func.func @slice_of_a_split(%a: tensor<8x6xf32, #s1>) {
  // expected-error @below {{operand input holds S(1) on axis "tp", expected R}}
  %0 = dtc.slice %a {starts = array<i64: 0, 3>} : (tensor<8x6xf32, #s1>) -> tensor<8x2xf32, #s1>
  return
}
