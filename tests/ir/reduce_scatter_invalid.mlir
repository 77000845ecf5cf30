// RUN: dtc-opt %s -split-input-file -verify-diagnostics

#p = #dtc.layout<tp=2:P(sum)>

func.func @reduce_scatter_c1_no_layout(%a: tensor<8x4xf32, #p>) {
  // expected-error @below {{C1: result has no layout}}
  %0 = dtc.reduce_scatter %a over "tp" : tensor<8x4xf32, #p> -> tensor<8x4xf32>
  return
}

// -----

#s0 = #dtc.layout<tp=2:S(0)>
#p = #dtc.layout<tp=2:P(sum)>

func.func @reduce_scatter_c2_unknown_axis(%a: tensor<8xf32, #p>) {
  // expected-error @below {{C2: axis "dp" is not in #dtc.layout<tp=2:P(sum)>}}
  %0 = dtc.reduce_scatter %a over "dp" : tensor<8xf32, #p> -> tensor<8xf32, #s0>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#s0 = #dtc.layout<tp=2:S(0)>

func.func @reduce_scatter_c3_whole_input(%a: tensor<8xf32, #r>) {
  // expected-error @below {{C3: input holds R on axis "tp", expected P(sum)}}
  %0 = dtc.reduce_scatter %a over "tp" : tensor<8xf32, #r> -> tensor<8xf32, #s0>
  return
}

// -----

#s1 = #dtc.layout<tp=2:S(1)>
#p = #dtc.layout<tp=2:P(sum)>

func.func @reduce_scatter_c4_columns(%a: tensor<8x6xf32, #p>) {
  // expected-error @below {{C4: result holds S(1) on axis "tp", expected S(0), innermost of its dimension}}
  %0 = dtc.reduce_scatter %a over "tp" : tensor<8x6xf32, #p> -> tensor<8x6xf32, #s1>
  return
}

// -----

#dsts = #dtc.layout<dp=2:S(0), tp=2:S(0)>
#drts = #dtc.layout<dp=2:R, tp=2:S(0)>

func.func @reduce_scatter_c3_split_input(%a: tensor<8xf32, #drts>) {
  // expected-error @below {{C3: input holds R on axis "dp", expected P(sum)}}
  %0 = dtc.reduce_scatter %a over "dp" : tensor<8xf32, #drts> -> tensor<8xf32, #dsts>
  return
}

// -----

#drts = #dtc.layout<dp=2:R, tp=2:S(0)>
#dptp = #dtc.layout<dp=2:P(sum), tp=2:P(sum)>

func.func @reduce_scatter_c4_other_axis(%a: tensor<8xf32, #dptp>) {
  // expected-error @below {{C4: result holds R on axis "dp", expected P(sum) as the input}}
  %0 = dtc.reduce_scatter %a over "tp" : tensor<8xf32, #dptp> -> tensor<8xf32, #drts>
  return
}
