// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @clip_factor_c1_result(%q: tensor<f32>) {
  // expected-error @below {{C1: result is f64, expected f32}}
  %0 = dtc.clip_factor %q {max_norm = 3.0 : f64} : (tensor<f32>) -> tensor<f64>
  return
}

// -----

func.func @clip_factor_c1_operand(%q: tensor<4xf32>) {
  // expected-error @below {{C1: sum_squares is 4xf32, expected f32}}
  %0 = dtc.clip_factor %q {max_norm = 3.0 : f64} : (tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @clip_factor_c2_zero(%q: tensor<f32>) {
  // expected-error @below {{C2: max_norm = 0.000000e+00, expected more than 0}}
  %0 = dtc.clip_factor %q {max_norm = 0.0 : f64} : (tensor<f32>) -> tensor<f32>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>

func.func @clip_factor_of_own_norm(%q: tensor<f32, #p>) {
  // expected-error @below {{operand sum_squares holds P(sum) on axis "tp", expected R}}
  %0 = dtc.clip_factor %q {max_norm = 3.0 : f64} : (tensor<f32, #p>) -> tensor<f32, #r>
  return
}
