// RUN: dtc-opt %s -split-input-file -verify-diagnostics

#r = #dtc.layout<tp=2:R>

func.func @to_partial_c1_no_layout(%a: tensor<8x4xf32, #r>) {
  // expected-error @below {{C1: result has no layout}}
  %0 = dtc.to_partial %a {axes = ["tp"]} : tensor<8x4xf32, #r> -> tensor<8x4xf32>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>

func.func @to_partial_c1_shape(%a: tensor<8x4xf32, #r>) {
  // expected-error @below {{C1: result is 4x8xf32, expected 8x4xf32}}
  %0 = dtc.to_partial %a {axes = ["tp"]} : tensor<8x4xf32, #r> -> tensor<4x8xf32, #p>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>

func.func @to_partial_c1_element_type(%a: tensor<8x4xf32, #r>) {
  // expected-error @below {{C1: result is 8x4xf64, expected 8x4xf32}}
  %0 = dtc.to_partial %a {axes = ["tp"]} : tensor<8x4xf32, #r> -> tensor<8x4xf64, #p>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#dr = #dtc.layout<dp=2:R, tp=2:R>

func.func @to_partial_c1_mesh(%a: tensor<8x4xf32, #r>) {
  // expected-error @below {{C1: result lies as #dtc.layout<dp=2:R, tp=2:R>, on another mesh than }}
  %0 = dtc.to_partial %a {axes = ["tp"]} : tensor<8x4xf32, #r> -> tensor<8x4xf32, #dr>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>

func.func @to_partial_c2_unknown_axis(%a: tensor<4xf32, #r>) {
  // expected-error @below {{C2: axis "dp" is not in #dtc.layout<tp=2:R>}}
  %0 = dtc.to_partial %a {axes = ["dp"]} : tensor<4xf32, #r> -> tensor<4xf32, #p>
  return
}

// -----

#dr = #dtc.layout<dp=2:R, tp=2:R>
#dptp = #dtc.layout<dp=2:P(sum), tp=2:P(sum)>

func.func @to_partial_c2_order(%a: tensor<4xf32, #dr>) {
  // expected-error @below {{C2: axes = ["tp", "dp"], expected some of the mesh's, in its order}}
  %0 = dtc.to_partial %a {axes = ["tp", "dp"]} : tensor<4xf32, #dr> -> tensor<4xf32, #dptp>
  return
}

// -----

#p = #dtc.layout<tp=2:P(sum)>

func.func @to_partial_c3_input_partial(%a: tensor<4xf32, #p>) {
  // expected-error @below {{C3: input holds P(sum) on axis "tp", expected R}}
  %0 = dtc.to_partial %a {axes = ["tp"]} : tensor<4xf32, #p> -> tensor<4xf32, #p>
  return
}

// -----

#r = #dtc.layout<tp=2:R>

func.func @to_partial_c3_result_whole(%a: tensor<4xf32, #r>) {
  // expected-error @below {{C3: result holds R on axis "tp", expected P(kind)}}
  %0 = dtc.to_partial %a {axes = ["tp"]} : tensor<4xf32, #r> -> tensor<4xf32, #r>
  return
}

// -----

#on0 = #dtc.layout<pp=2:On{0}, tp=2:R>
#pp01 = #dtc.layout<pp=2:P(sum){0,1}, tp=2:R>

func.func @to_partial_c3_other_stages(%a: tensor<f32, #on0>) {
  // expected-error @below {{C3: result holds P(sum){0,1} on axis "pp", expected P(kind) on the input's stages}}
  %0 = dtc.to_partial %a {axes = ["pp"]} : tensor<f32, #on0> -> tensor<f32, #pp01>
  return
}

// -----

#dr = #dtc.layout<dp=2:R, tp=2:R>
#dptp = #dtc.layout<dp=2:P(sum), tp=2:P(sum)>

func.func @to_partial_c4_other_axis(%a: tensor<4xf32, #dr>) {
  // expected-error @below {{C4: result holds P(sum) on axis "dp", expected R as the input}}
  %0 = dtc.to_partial %a {axes = ["tp"]} : tensor<4xf32, #dr> -> tensor<4xf32, #dptp>
  return
}
