// RUN: dtc-opt %s -split-input-file -verify-diagnostics

#p = #dtc.layout<tp=2:P(sum)>

func.func @all_reduce_c1_no_layout(%a: tensor<8x4xf32, #p>) {
  // expected-error @below {{C1: result has no layout}}
  %0 = dtc.all_reduce sum %a over ["tp"] : tensor<8x4xf32, #p> -> tensor<8x4xf32>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>

func.func @all_reduce_c1_shape(%a: tensor<8x4xf32, #p>) {
  // expected-error @below {{C1: result is 4x8xf32, expected 8x4xf32}}
  %0 = dtc.all_reduce sum %a over ["tp"] : tensor<8x4xf32, #p> -> tensor<4x8xf32, #r>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>

func.func @all_reduce_c1_element_type(%a: tensor<8x4xf32, #p>) {
  // expected-error @below {{C1: result is 8x4xf64, expected 8x4xf32}}
  %0 = dtc.all_reduce sum %a over ["tp"] : tensor<8x4xf32, #p> -> tensor<8x4xf64, #r>
  return
}

// -----

#p = #dtc.layout<tp=2:P(sum)>
#dr = #dtc.layout<dp=2:R, tp=2:R>

func.func @all_reduce_c1_mesh(%a: tensor<8x4xf32, #p>) {
  // expected-error @below {{C1: result lies as #dtc.layout<dp=2:R, tp=2:R>, on another mesh than }}
  %0 = dtc.all_reduce sum %a over ["tp"] : tensor<8x4xf32, #p> -> tensor<8x4xf32, #dr>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>

func.func @all_reduce_c2_unknown_axis(%a: tensor<4xf32, #p>) {
  // expected-error @below {{C2: axis "dp" is not in #dtc.layout<tp=2:P(sum)>}}
  %0 = dtc.all_reduce sum %a over ["dp"] : tensor<4xf32, #p> -> tensor<4xf32, #r>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>

func.func @all_reduce_c2_no_axis(%a: tensor<4xf32, #p>) {
  // expected-error @below {{C2: axes = [], expected some of the mesh's, in its order}}
  %0 = dtc.all_reduce sum %a over [] : tensor<4xf32, #p> -> tensor<4xf32, #r>
  return
}

// -----

#r = #dtc.layout<tp=2:R>

// It would count twice.
func.func @all_reduce_c3_whole_input(%a: tensor<4xf32, #r>) {
  // expected-error @below {{C3: input holds R on axis "tp", expected P(sum)}}
  %0 = dtc.all_reduce sum %a over ["tp"] : tensor<4xf32, #r> -> tensor<4xf32, #r>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#max = #dtc.layout<tp=2:P(max)>

func.func @all_reduce_c3_another_kind(%a: tensor<4xf32, #max>) {
  // expected-error @below {{C3: input holds P(max) on axis "tp", expected P(sum)}}
  %0 = dtc.all_reduce sum %a over ["tp"] : tensor<4xf32, #max> -> tensor<4xf32, #r>
  return
}

// -----

#mr = #dtc.layout<mb=2:R>
#mp = #dtc.layout<mb=2:P(sum)>

func.func @all_reduce_c3_over_time(%a: tensor<4xf32, #mp>) {
  // expected-error @below {{C3: axis "mb" is time, whose reduction is dtc.accumulate}}
  %0 = dtc.all_reduce sum %a over ["mb"] : tensor<4xf32, #mp> -> tensor<4xf32, #mr>
  return
}

// -----

#p = #dtc.layout<tp=2:P(sum)>

func.func @all_reduce_c4_still_partial(%a: tensor<4xf32, #p>) {
  // expected-error @below {{C4: result holds P(sum) on axis "tp", expected R}}
  %0 = dtc.all_reduce sum %a over ["tp"] : tensor<4xf32, #p> -> tensor<4xf32, #p>
  return
}

// -----

#dr = #dtc.layout<dp=2:R, tp=2:R>
#dptp = #dtc.layout<dp=2:P(sum), tp=2:P(sum)>

func.func @all_reduce_c4_other_axis(%a: tensor<4xf32, #dptp>) {
  // expected-error @below {{C4: result holds R on axis "dp", expected P(sum) as the input}}
  %0 = dtc.all_reduce sum %a over ["tp"] : tensor<4xf32, #dptp> -> tensor<4xf32, #dr>
  return
}

// -----

#on0 = #dtc.layout<pp=2:On{0}, tp=2:R>
#pp01 = #dtc.layout<pp=2:P(sum){0,1}, tp=2:R>

// Every member of the group has the sum.
func.func @all_reduce_c4_stages(%a: tensor<f32, #pp01>) {
  // expected-error @below {{C4: result holds On{0} on axis "pp", expected On{0,1}}}
  %0 = dtc.all_reduce sum %a over ["pp"] : tensor<f32, #pp01> -> tensor<f32, #on0>
  return
}
