// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @advance_c1_step(
    %t: tensor<i64>, %s: tensor<f32>, %g: tensor<i32>, %k: tensor<i32>) {
  // expected-error @below {{C1: step is i64, expected i32}}
  %0:3 = dtc.advance %t, %s, %g, %k {backoff = 5.000000e-01 : f64, growth = 2.000000e+00 : f64, growth_interval = 2 : i64}
     : (tensor<i64>, tensor<f32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<f32>, tensor<i32>)
  return
}

// -----

func.func @advance_c1_scale(
    %t: tensor<i32>, %s: tensor<f64>, %g: tensor<i32>, %k: tensor<i32>) {
  // expected-error @below {{C1: scale is f64, expected f32}}
  %0:3 = dtc.advance %t, %s, %g, %k {backoff = 5.000000e-01 : f64, growth = 2.000000e+00 : f64, growth_interval = 2 : i64}
     : (tensor<i32>, tensor<f64>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<f32>, tensor<i32>)
  return
}

// -----

func.func @advance_c1_new_good(
    %t: tensor<i32>, %s: tensor<f32>, %g: tensor<i32>, %k: tensor<i32>) {
  // expected-error @below {{C1: new_good is i64, expected i32}}
  %0:3 = dtc.advance %t, %s, %g, %k {backoff = 5.000000e-01 : f64, growth = 2.000000e+00 : f64, growth_interval = 2 : i64}
     : (tensor<i32>, tensor<f32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<f32>, tensor<i64>)
  return
}

// -----

func.func @advance_c2_interval(
    %t: tensor<i32>, %s: tensor<f32>, %g: tensor<i32>, %k: tensor<i32>) {
  // expected-error @below {{C2: growth_interval = -1, growth = 2.000000e+00, backoff = 5.000000e-01, expected 0 or more, 1 or more, and 0 < backoff <= 1}}
  %0:3 = dtc.advance %t, %s, %g, %k {backoff = 5.000000e-01 : f64, growth = 2.000000e+00 : f64, growth_interval = -1 : i64}
     : (tensor<i32>, tensor<f32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<f32>, tensor<i32>)
  return
}

// -----

func.func @advance_c2_backoff(
    %t: tensor<i32>, %s: tensor<f32>, %g: tensor<i32>, %k: tensor<i32>) {
  // expected-error @below {{C2: growth_interval = 2, growth = 2.000000e+00, backoff = 2.000000e+00, expected}}
  %0:3 = dtc.advance %t, %s, %g, %k {backoff = 2.0 : f64, growth = 2.000000e+00 : f64, growth_interval = 2 : i64}
     : (tensor<i32>, tensor<f32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<f32>, tensor<i32>)
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#or = #dtc.layout<tp=2:P(or)>

func.func @advance_own_flag(
    %t: tensor<i32, #r>, %s: tensor<f32, #r>, %g: tensor<i32, #r>, %k: tensor<i32, #or>) {
  // expected-error @below {{operand flag holds P(or) on axis "tp", expected R}}
  %0:3 = dtc.advance %t, %s, %g, %k {backoff = 5.000000e-01 : f64, growth = 2.000000e+00 : f64, growth_interval = 2 : i64}
     : (tensor<i32, #r>, tensor<f32, #r>, tensor<i32, #r>, tensor<i32, #or>) -> (tensor<i32, #r>, tensor<f32, #r>, tensor<i32, #r>)
  return
}
