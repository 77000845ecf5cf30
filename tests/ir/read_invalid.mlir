// RUN: dtc-opt %s -split-input-file -verify-diagnostics

dtc.variable @w : tensor<5x4xf32> {init = {kind = "zeros"}, role = "parameter"}
func.func @read_c1_unknown() {
  // expected-error @below {{C1: there is no variable @v}}
  %0 = dtc.read @v : tensor<5x4xf32>
  return
}

// -----

dtc.variable @w : tensor<5x4xf32> {init = {kind = "zeros"}, role = "parameter"}
func.func @read_c2_shape() {
  // expected-error @below {{C2: value is 'tensor<4x5xf32>', the variable @w is 'tensor<5x4xf32>'}}
  %0 = dtc.read @w : tensor<4x5xf32>
  return
}

// -----

#s = #dtc.layout<tp=2:S(0), pad(0:zero)>
#r = #dtc.layout<tp=2:R>

dtc.variable @w : tensor<5x4xf32, #s> {init = {kind = "zeros"}, role = "parameter"}
func.func @read_c2_layout() {
  // expected-error @below {{C2: value is 'tensor<5x4xf32, #dtc.layout<tp=2:R>>', the variable @w is 'tensor<5x4xf32, #dtc.layout<tp=2:S(0), pad(0:zero)>>'}}
  %0 = dtc.read @w : tensor<5x4xf32, #r>
  return
}
