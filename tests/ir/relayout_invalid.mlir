// RUN: dtc-opt %s -split-input-file -verify-diagnostics

#p = #dtc.layout<tp=2:P(sum)>

func.func @relayout_c1_no_layout(%a: tensor<8x4xf32, #p>) {
  // expected-error @below {{C1: result has no layout}}
  %0 = dtc.relayout %a : tensor<8x4xf32, #p> -> tensor<8x4xf32>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>

func.func @relayout_c1_shape(%a: tensor<8x4xf32, #p>) {
  // expected-error @below {{C1: result is 4x8xf32, expected 8x4xf32}}
  %0 = dtc.relayout %a : tensor<8x4xf32, #p> -> tensor<4x8xf32, #r>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>

func.func @relayout_c1_element_type(%a: tensor<8x4xf32, #p>) {
  // expected-error @below {{C1: result is 8x4xf64, expected 8x4xf32}}
  %0 = dtc.relayout %a : tensor<8x4xf32, #p> -> tensor<8x4xf64, #r>
  return
}

// -----

#p = #dtc.layout<tp=2:P(sum)>
#dr = #dtc.layout<dp=2:R, tp=2:R>

func.func @relayout_c1_mesh(%a: tensor<8x4xf32, #p>) {
  // expected-error @below {{C1: result lies as #dtc.layout<dp=2:R, tp=2:R>, on another mesh than }}
  %0 = dtc.relayout %a : tensor<8x4xf32, #p> -> tensor<8x4xf32, #dr>
  return
}
