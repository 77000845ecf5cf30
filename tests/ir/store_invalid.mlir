// RUN: dtc-opt %s -split-input-file -verify-diagnostics

dtc.variable @w : tensor<5x4xf32> {init = {kind = "zeros"}, role = "parameter"}
func.func @store_c1_unknown(%a: tensor<5x4xf32>) {
  // expected-error @below {{C1: there is no variable @v}}
  dtc.store %a, @v : tensor<5x4xf32>
  return
}

// -----

dtc.variable @w : tensor<5x4xf32> {init = {kind = "zeros"}, role = "parameter"}
func.func @store_c2_shape(%a: tensor<4x5xf32>) {
  // expected-error @below {{C2: value is 'tensor<4x5xf32>', the variable @w is 'tensor<5x4xf32>'}}
  dtc.store %a, @w : tensor<4x5xf32>
  return
}

// -----

#s = #dtc.layout<tp=2:S(0), pad(0:zero)>
#r = #dtc.layout<tp=2:R>

dtc.variable @w : tensor<5x4xf32, #s> {init = {kind = "zeros"}, role = "parameter"}
func.func @store_c2_layout(%a: tensor<5x4xf32, #r>) {
  // expected-error @below {{C2: value is 'tensor<5x4xf32, #dtc.layout<tp=2:R>>', the variable @w is 'tensor<5x4xf32, #dtc.layout<tp=2:S(0), pad(0:zero)>>'}}
  dtc.store %a, @w : tensor<5x4xf32, #r>
  return
}
