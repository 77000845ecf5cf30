// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @transpose_c1_twice(%a: tensor<7x5xf32>) {
  // expected-error @below {{C1: permutation = [0, 0], expected each of the 2 dimensions once}}
  %0 = dtc.transpose %a {permutation = array<i64: 0, 0>} : (tensor<7x5xf32>) -> tensor<7x7xf32>
  return
}

// -----

func.func @transpose_c2_shape(%a: tensor<7x5xf32>) {
  // expected-error @below {{C2: result is 7x5xf32, expected 5x7xf32}}
  %0 = dtc.transpose %a {permutation = array<i64: 1, 0>} : (tensor<7x5xf32>) -> tensor<7x5xf32>
  return
}

// -----

#s0 = #dtc.layout<tp=2:S(0)>

func.func @transpose_split_moves(%a: tensor<8x6xf32, #s0>) {
  // expected-error @below {{result holds S(0) on axis "tp", expected S(1)}}
  %0 = dtc.transpose %a {permutation = array<i64: 1, 0>}
     : (tensor<8x6xf32, #s0>) -> tensor<6x8xf32, #s0>
  return
}
