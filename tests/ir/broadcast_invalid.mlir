// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @broadcast_c1_one_dim_missing(%a: tensor<7x5xf32>) {
  // expected-error @below {{C1: dims = [1], expected for each of the 2 dimensions of the input one of the 3 of the result, increasing}}
  %0 = dtc.broadcast %a {dims = array<i64: 1>} : (tensor<7x5xf32>) -> tensor<3x7x5xf32>
  return
}

// -----

func.func @broadcast_c1_not_increasing(%a: tensor<7x5xf32>) {
  // expected-error @below {{C1: dims = [2, 1], expected}}
  %0 = dtc.broadcast %a {dims = array<i64: 2, 1>} : (tensor<7x5xf32>) -> tensor<3x5x7xf32>
  return
}

// -----

func.func @broadcast_c2_size(%a: tensor<5xf32>) {
  // expected-error @below {{C2: result is 7x5xf32, expected 5x5xf32}}
  %0 = dtc.broadcast %a {dims = array<i64: 0>} : (tensor<5xf32>) -> tensor<7x5xf32>
  return
}

// -----

#s0 = #dtc.layout<tp=2:S(0)>

func.func @broadcast_split_follows(%a: tensor<6xf32, #s0>) {
  // expected-error @below {{result holds S(0) on axis "tp", expected S(1)}}
  %0 = dtc.broadcast %a {dims = array<i64: 1>} : (tensor<6xf32, #s0>) -> tensor<8x6xf32, #s0>
  return
}
