// RUN: dtc-opt %s -split-input-file -verify-diagnostics

#r = #dtc.layout<tp=2:R>

func.func @local_slice_c1_no_layout(%a: tensor<8x4xf32, #r>) {
  // expected-error @below {{C1: result has no layout}}
  %0 = dtc.local_slice %a {axis = "tp"} : tensor<8x4xf32, #r> -> tensor<8x4xf32>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#s0 = #dtc.layout<tp=2:S(0)>

func.func @local_slice_c1_element_type(%a: tensor<8x4xf32, #r>) {
  // expected-error @below {{C1: result is 8x4xf64, expected 8x4xf32}}
  %0 = dtc.local_slice %a {axis = "tp"} : tensor<8x4xf32, #r> -> tensor<8x4xf64, #s0>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#dr = #dtc.layout<dp=2:R, tp=2:R>

func.func @local_slice_c1_mesh(%a: tensor<8x4xf32, #r>) {
  // expected-error @below {{C1: result lies as #dtc.layout<dp=2:R, tp=2:R>, on another mesh than }}
  %0 = dtc.local_slice %a {axis = "tp"} : tensor<8x4xf32, #r> -> tensor<8x4xf32, #dr>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#s0 = #dtc.layout<tp=2:S(0)>

func.func @local_slice_c2_unknown_axis(%a: tensor<8xf32, #r>) {
  // expected-error @below {{C2: axis "mb" is not in #dtc.layout<tp=2:R>}}
  %0 = dtc.local_slice %a {axis = "mb"} : tensor<8xf32, #r> -> tensor<8xf32, #s0>
  return
}

// -----

#s0 = #dtc.layout<tp=2:S(0)>
#p = #dtc.layout<tp=2:P(sum)>

// That is a reduce_scatter.
func.func @local_slice_c3_of_partial(%a: tensor<8xf32, #p>) {
  // expected-error @below {{C3: input holds P(sum) on axis "tp", expected R}}
  %0 = dtc.local_slice %a {axis = "tp"} : tensor<8xf32, #p> -> tensor<8xf32, #s0>
  return
}

// -----

#r = #dtc.layout<tp=2:R>

func.func @local_slice_c3_result_whole(%a: tensor<8xf32, #r>) {
  // expected-error @below {{C3: result holds R on axis "tp", expected S(dim), innermost of its dimension}}
  %0 = dtc.local_slice %a {axis = "tp"} : tensor<8xf32, #r> -> tensor<8xf32, #r>
  return
}

// -----

#dsts = #dtc.layout<dp=2:S(0), tp=2:S(0)>
#drts = #dtc.layout<dp=2:R, tp=2:S(0)>

// Blocks of tp nest in those of dp, so dp is split first.
func.func @local_slice_c3_outer_axis(%a: tensor<8xf32, #drts>) {
  // expected-error @below {{C3: result holds S(0) on axis "dp", expected S(dim), innermost of its dimension}}
  %0 = dtc.local_slice %a {axis = "dp"} : tensor<8xf32, #drts> -> tensor<8xf32, #dsts>
  return
}

// -----

#drts = #dtc.layout<dp=2:R, tp=2:S(0)>
#dp = #dtc.layout<dp=2:P(sum), tp=2:R>

func.func @local_slice_c4_other_axis(%a: tensor<8xf32, #dp>) {
  // expected-error @below {{C4: result holds R on axis "dp", expected P(sum) as the input}}
  %0 = dtc.local_slice %a {axis = "tp"} : tensor<8xf32, #dp> -> tensor<8xf32, #drts>
  return
}
