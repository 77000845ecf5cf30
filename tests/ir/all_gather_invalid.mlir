// RUN: dtc-opt %s -split-input-file -verify-diagnostics

#s0 = #dtc.layout<tp=2:S(0)>

func.func @all_gather_c1_no_layout(%a: tensor<8x4xf32, #s0>) {
  // expected-error @below {{C1: result has no layout}}
  %0 = dtc.all_gather %a over "tp" : tensor<8x4xf32, #s0> -> tensor<8x4xf32>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#s0 = #dtc.layout<tp=2:S(0)>

func.func @all_gather_c1_element_type(%a: tensor<8x4xf32, #s0>) {
  // expected-error @below {{C1: result is 8x4xf64, expected 8x4xf32}}
  %0 = dtc.all_gather %a over "tp" : tensor<8x4xf32, #s0> -> tensor<8x4xf64, #r>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#s0 = #dtc.layout<tp=2:S(0)>

func.func @all_gather_c2_unknown_axis(%a: tensor<8xf32, #s0>) {
  // expected-error @below {{C2: axis "dp" is not in #dtc.layout<tp=2:S(0)>}}
  %0 = dtc.all_gather %a over "dp" : tensor<8xf32, #s0> -> tensor<8xf32, #r>
  return
}

// -----

#r = #dtc.layout<tp=2:R>

func.func @all_gather_c3_whole_input(%a: tensor<8xf32, #r>) {
  // expected-error @below {{C3: input holds R on axis "tp", expected S(dim), innermost of its dimension}}
  %0 = dtc.all_gather %a over "tp" : tensor<8xf32, #r> -> tensor<8xf32, #r>
  return
}

// -----

#dsts = #dtc.layout<dp=2:S(0), tp=2:S(0)>
#drts = #dtc.layout<dp=2:R, tp=2:S(0)>

// Blocks of tp nest in those of dp, so tp is gathered first.
func.func @all_gather_c3_outer_axis(%a: tensor<8xf32, #dsts>) {
  // expected-error @below {{C3: input holds S(0) on axis "dp", expected S(dim), innermost of its dimension}}
  %0 = dtc.all_gather %a over "dp" : tensor<8xf32, #dsts> -> tensor<8xf32, #drts>
  return
}

// -----

#s0 = #dtc.layout<tp=2:S(0)>

func.func @all_gather_c4_still_split(%a: tensor<8xf32, #s0>) {
  // expected-error @below {{C4: result holds S(0) on axis "tp", expected R}}
  %0 = dtc.all_gather %a over "tp" : tensor<8xf32, #s0> -> tensor<8xf32, #s0>
  return
}

// -----

#dr = #dtc.layout<dp=2:R, tp=2:R>
#dsts = #dtc.layout<dp=2:S(0), tp=2:S(0)>

func.func @all_gather_c4_other_axis(%a: tensor<8xf32, #dsts>) {
  // expected-error @below {{C4: result holds R on axis "dp", expected S(0) as the input}}
  %0 = dtc.all_gather %a over "tp" : tensor<8xf32, #dsts> -> tensor<8xf32, #dr>
  return
}
