// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @reduce_sum_c1_no_dims(%a: tensor<7x5xf32>) {
  // expected-error @below {{C1: dims = [], expected the first or the last of the 2 dimensions, in order}}
  %0 = dtc.reduce_sum %a {dims = array<i64>} : (tensor<7x5xf32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @reduce_sum_c1_middle(%a: tensor<7x5x3xf32>) {
  // expected-error @below {{C1: dims = [1], expected the first or the last of the 3 dimensions, in order}}
  %0 = dtc.reduce_sum %a {dims = array<i64: 1>} : (tensor<7x5x3xf32>) -> tensor<7x3xf32>
  return
}

// -----

func.func @reduce_sum_c1_out_of_rank(%a: tensor<7x5xf32>) {
  // expected-error @below {{C1: dims = [2], expected}}
  %0 = dtc.reduce_sum %a {dims = array<i64: 2>} : (tensor<7x5xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @reduce_sum_c2_result_shape(%a: tensor<7x5xf32>) {
  // expected-error @below {{C2: result is 7xf32, expected 5xf32}}
  %0 = dtc.reduce_sum %a {dims = array<i64: 0>} : (tensor<7x5xf32>) -> tensor<7xf32>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#s0 = #dtc.layout<tp=2:S(0)>

func.func @reduce_sum_split_is_not_whole(%a: tensor<8x5xf32, #s0>) {
  // expected-error @below {{result holds R on axis "tp", expected P(sum)}}
  %0 = dtc.reduce_sum %a {dims = array<i64: 0>} : (tensor<8x5xf32, #s0>) -> tensor<5xf32, #r>
  return
}

// -----

#p = #dtc.layout<tp=2:P(sum)>
#s0a = #dtc.layout<tp=2:S(0), pad(0:any)>

func.func @reduce_sum_any_pads_are_summed(%a: tensor<7x5xf32, #s0a>) {
  // expected-error @below {{operand input has pads any in dimension 0, expected zero}}
  %0 = dtc.reduce_sum %a {dims = array<i64: 0>} : (tensor<7x5xf32, #s0a>) -> tensor<5xf32, #p>
  return
}
