// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @dropout_c1_rate_one(%a: tensor<7x5xf32>) {
  // expected-error @below {{C1: rate = 1.000000e+00, expected 0 <= rate < 1}}
  %0 = dtc.dropout %a {key = "d", rate = 1.0 : f64} : (tensor<7x5xf32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @dropout_c2_shape(%a: tensor<7x5xf32>) {
  // expected-error @below {{C2: result is 5x7xf32, expected 7x5xf32}}
  %0 = dtc.dropout %a {key = "d", rate = 0.5 : f64} : (tensor<7x5xf32>) -> tensor<5x7xf32>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#s0 = #dtc.layout<tp=2:S(0)>

func.func @dropout_changes_the_split(%a: tensor<8x6xf32, #s0>) {
  // expected-error @below {{result holds R on axis "tp", expected S(0)}}
  %0 = dtc.dropout %a {key = "d", rate = 0.5 : f64}
     : (tensor<8x6xf32, #s0>) -> tensor<8x6xf32, #r>
  return
}
