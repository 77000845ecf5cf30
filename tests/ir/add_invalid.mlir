// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @add_c1_rhs_is_no_tail(%a: tensor<7x5xf32>, %b: tensor<7xf32>) {
  // expected-error @below {{C1: rhs is 7xf32, expected trailing dimensions of lhs, 7x5xf32}}
  %0 = dtc.add %a, %b : (tensor<7x5xf32>, tensor<7xf32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @add_c1_result_shape(%a: tensor<7x5xf32>, %b: tensor<5xf32>) {
  // expected-error @below {{C1: result is 5xf32, expected 7x5xf32}}
  %0 = dtc.add %a, %b : (tensor<7x5xf32>, tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @add_c2_two_element_types(%a: tensor<7x5xf32>, %b: tensor<5xbf16>) {
  // expected-error @below {{C2: rhs is 5xbf16, lhs 7x5xf32, expected one element type}}
  %0 = dtc.add %a, %b : (tensor<7x5xf32>, tensor<5xbf16>) -> tensor<7x5xf32>
  return
}

// -----

func.func @add_c2_result_element_type(%a: tensor<7x5xf32>, %b: tensor<5xf32>) {
  // expected-error @below {{C2: result is 7x5xbf16, expected 7x5xf32}}
  %0 = dtc.add %a, %b : (tensor<7x5xf32>, tensor<5xf32>) -> tensor<7x5xbf16>
  return
}

// -----

#s0 = #dtc.layout<tp=2:S(0)>
#s1 = #dtc.layout<tp=2:S(1)>

func.func @add_splits_another_dimension(%a: tensor<8x6xf32, #s0>, %b: tensor<8x6xf32, #s1>) {
  // expected-error @below {{operand rhs holds S(1) on axis "tp", expected S(0)}}
  %0 = dtc.add %a, %b : (tensor<8x6xf32, #s0>, tensor<8x6xf32, #s1>) -> tensor<8x6xf32, #s0>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>

// The bias would be counted once on each coordinate.
func.func @add_of_partial_and_whole(%a: tensor<7x4xf32, #p>, %b: tensor<4xf32, #r>) {
  // expected-error @below {{operand rhs holds R on axis "tp", expected P(sum)}}
  %0 = dtc.add %a, %b : (tensor<7x4xf32, #p>, tensor<4xf32, #r>) -> tensor<7x4xf32, #p>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>

func.func @add_bias_fills_pad_rows(%a: tensor<7x4xf32, #s0z>, %b: tensor<4xf32, #r>) {
  // expected-error @below {{result has pads zero in dimension 0, expected any}}
  %0 = dtc.add %a, %b : (tensor<7x4xf32, #s0z>, tensor<4xf32, #r>) -> tensor<7x4xf32, #s0z>
  return
}
