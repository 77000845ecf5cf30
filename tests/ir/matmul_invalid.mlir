// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @matmul_c1_rank_three(%a: tensor<2x3x4xf32>, %b: tensor<4x5xf32>) {
  // expected-error @below {{C1: lhs is 2x3x4xf32, expected rank 2}}
  %0 = dtc.matmul %a, %b : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @matmul_c2_contracted_sizes(%a: tensor<7x4xf32>, %b: tensor<5x4xf32>) {
  // expected-error @below {{C2: lhs contracts a dimension of 4, rhs one of 5}}
  %0 = dtc.matmul %a, %b : (tensor<7x4xf32>, tensor<5x4xf32>) -> tensor<7x4xf32>
  return
}

// -----

func.func @matmul_c3_result_transposed(%a: tensor<7x4xf32>, %b: tensor<4x5xf32>) {
  // expected-error @below {{C3: result is 5x7xf32, expected 7x5xf32}}
  %0 = dtc.matmul %a, %b : (tensor<7x4xf32>, tensor<4x5xf32>) -> tensor<5x7xf32>
  return
}

// -----

func.func @matmul_c4_two_element_types(%a: tensor<7x4xf32>, %b: tensor<4x5xbf16>) {
  // expected-error @below {{C4: lhs is 7x4xf32, rhs 4x5xbf16, expected one element type}}
  %0 = dtc.matmul %a, %b : (tensor<7x4xf32>, tensor<4x5xbf16>) -> tensor<7x5xf32>
  return
}

// -----

func.func @matmul_c4_result_element_type(%a: tensor<7x4xf32>, %b: tensor<4x5xf32>) {
  // expected-error @below {{C4: result is 7x5xbf16, expected 7x5xf32}}
  %0 = dtc.matmul %a, %b : (tensor<7x4xf32>, tensor<4x5xf32>) -> tensor<7x5xbf16>
  return
}

// -----

#p = #dtc.layout<tp=2:P(sum)>

// A product of sums is no sum of products.
func.func @matmul_both_partial(%a: tensor<7x4xf32, #p>, %b: tensor<4x5xf32, #p>) {
  // expected-error @below {{operand rhs holds P(sum) on axis "tp", expected R}}
  %0 = dtc.matmul %a, %b : (tensor<7x4xf32, #p>, tensor<4x5xf32, #p>) -> tensor<7x5xf32, #p>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#s0 = #dtc.layout<tp=2:S(0)>
#s1 = #dtc.layout<tp=2:S(1)>

// Each coordinate has one addend, and nothing has summed them.
func.func @matmul_split_contraction_is_not_whole(
    %a: tensor<7x4xf32, #s1>, %b: tensor<4x5xf32, #s0>) {
  // expected-error @below {{result holds R on axis "tp", expected P(sum)}}
  %0 = dtc.matmul %a, %b : (tensor<7x4xf32, #s1>, tensor<4x5xf32, #s0>) -> tensor<7x5xf32, #r>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#s1 = #dtc.layout<tp=2:S(1)>
#p = #dtc.layout<tp=2:P(sum)>

func.func @matmul_one_side_split(%a: tensor<7x4xf32, #s1>, %b: tensor<4x5xf32, #r>) {
  // expected-error @below {{operand rhs holds R on axis "tp", expected S(0)}}
  %0 = dtc.matmul %a, %b : (tensor<7x4xf32, #s1>, tensor<4x5xf32, #r>) -> tensor<7x5xf32, #p>
  return
}

// -----

#p = #dtc.layout<tp=2:P(sum)>
#s0a = #dtc.layout<tp=2:S(0), pad(0:any)>
#s1a = #dtc.layout<tp=2:S(1), pad(1:any)>

// A contraction over a padded dimension needs zeros on one side.
func.func @matmul_any_pads_are_summed(%a: tensor<7x5xf32, #s1a>, %b: tensor<5x6xf32, #s0a>) {
  // expected-error @below {{operand lhs has pads any in dimension 1, expected zero}}
  %0 = dtc.matmul %a, %b : (tensor<7x5xf32, #s1a>, tensor<5x6xf32, #s0a>) -> tensor<7x6xf32, #p>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>
#s0a = #dtc.layout<tp=2:S(0), pad(0:any)>

func.func @matmul_claims_zero_pads(%a: tensor<7x4xf32, #s0a>, %b: tensor<4x5xf32, #r>) {
  // expected-error @below {{result has pads zero in dimension 0, expected any}}
  %0 = dtc.matmul %a, %b : (tensor<7x4xf32, #s0a>, tensor<4x5xf32, #r>) -> tensor<7x5xf32, #s0z>
  return
}

// -----

#r = #dtc.layout<tp=2:R>

func.func @matmul_operand_without_layout(%a: tensor<7x4xf32, #r>, %b: tensor<4x5xf32>) {
  // expected-error @below {{operand rhs has no layout, others have}}
  %0 = dtc.matmul %a, %b : (tensor<7x4xf32, #r>, tensor<4x5xf32>) -> tensor<7x5xf32, #r>
  return
}

// -----

#on0 = #dtc.layout<pp=2:On{0}, tp=2:R>
#on1 = #dtc.layout<pp=2:On{1}, tp=2:R>

// Operands are where the result is made.
func.func @matmul_on_another_stage(%a: tensor<7x4xf32, #on0>, %b: tensor<4x5xf32, #on1>) {
  // expected-error @below {{operand rhs holds On{1} on axis "pp", expected On{0} as result holds On{0}}}
  %0 = dtc.matmul %a, %b : (tensor<7x4xf32, #on0>, tensor<4x5xf32, #on1>) -> tensor<7x5xf32, #on0>
  return
}
