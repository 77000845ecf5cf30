// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @adamw_c1_first_moment(
    %v: tensor<15xf32>, %m: tensor<14xf32>, %s: tensor<15xf32>, %g: tensor<15xf32>, %c: tensor<f32>, %k: tensor<i32>, %r: tensor<f32>, %t: tensor<i32>) {
  // expected-error @below {{C1: first_moment is 14xf32, expected 15xf32}}
  %0:3 = dtc.adamw %v, %m, %s, %g, %c, %k, %r, %t {beta1 = 5.000000e-01 : f64, beta2 = 7.500000e-01 : f64, decays = array<f64: 2.500000e-01, 0.000000e+00>, eps = 1.250000e-01 : f64, rates = array<f64: 1.000000e+00, 1.000000e+00>, segment_lengths = array<i64: 12, 3>}
     : (tensor<15xf32>, tensor<14xf32>, tensor<15xf32>, tensor<15xf32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> (tensor<15xf32>, tensor<15xf32>, tensor<15xf32>)
  return
}

// -----

func.func @adamw_c1_second_moment(
    %v: tensor<15xf32>, %m: tensor<15xf32>, %s: tensor<15xf64>, %g: tensor<15xf32>, %c: tensor<f32>, %k: tensor<i32>, %r: tensor<f32>, %t: tensor<i32>) {
  // expected-error @below {{C1: second_moment is 15xf64, expected 15xf32}}
  %0:3 = dtc.adamw %v, %m, %s, %g, %c, %k, %r, %t {beta1 = 5.000000e-01 : f64, beta2 = 7.500000e-01 : f64, decays = array<f64: 2.500000e-01, 0.000000e+00>, eps = 1.250000e-01 : f64, rates = array<f64: 1.000000e+00, 1.000000e+00>, segment_lengths = array<i64: 12, 3>}
     : (tensor<15xf32>, tensor<15xf32>, tensor<15xf64>, tensor<15xf32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> (tensor<15xf32>, tensor<15xf32>, tensor<15xf32>)
  return
}

// -----

func.func @adamw_c1_gradient(
    %v: tensor<15xf32>, %m: tensor<15xf32>, %s: tensor<15xf32>, %g: tensor<15xbf16>, %c: tensor<f32>, %k: tensor<i32>, %r: tensor<f32>, %t: tensor<i32>) {
  // expected-error @below {{C1: gradient is 15xbf16, expected 15xf32}}
  %0:3 = dtc.adamw %v, %m, %s, %g, %c, %k, %r, %t {beta1 = 5.000000e-01 : f64, beta2 = 7.500000e-01 : f64, decays = array<f64: 2.500000e-01, 0.000000e+00>, eps = 1.250000e-01 : f64, rates = array<f64: 1.000000e+00, 1.000000e+00>, segment_lengths = array<i64: 12, 3>}
     : (tensor<15xf32>, tensor<15xf32>, tensor<15xf32>, tensor<15xbf16>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> (tensor<15xf32>, tensor<15xf32>, tensor<15xf32>)
  return
}

// -----

func.func @adamw_c1_new_second_moment(
    %v: tensor<15xf32>, %m: tensor<15xf32>, %s: tensor<15xf32>, %g: tensor<15xf32>, %c: tensor<f32>, %k: tensor<i32>, %r: tensor<f32>, %t: tensor<i32>) {
  // expected-error @below {{C1: new_second_moment is 5xf32, expected 15xf32}}
  %0:3 = dtc.adamw %v, %m, %s, %g, %c, %k, %r, %t {beta1 = 5.000000e-01 : f64, beta2 = 7.500000e-01 : f64, decays = array<f64: 2.500000e-01, 0.000000e+00>, eps = 1.250000e-01 : f64, rates = array<f64: 1.000000e+00, 1.000000e+00>, segment_lengths = array<i64: 12, 3>}
     : (tensor<15xf32>, tensor<15xf32>, tensor<15xf32>, tensor<15xf32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> (tensor<15xf32>, tensor<15xf32>, tensor<5xf32>)
  return
}

// -----

func.func @adamw_c2_step(
    %v: tensor<15xf32>, %m: tensor<15xf32>, %s: tensor<15xf32>, %g: tensor<15xf32>, %c: tensor<f32>, %k: tensor<i32>, %r: tensor<f32>, %t: tensor<i64>) {
  // expected-error @below {{C2: step is i64, expected i32}}
  %0:3 = dtc.adamw %v, %m, %s, %g, %c, %k, %r, %t {beta1 = 5.000000e-01 : f64, beta2 = 7.500000e-01 : f64, decays = array<f64: 2.500000e-01, 0.000000e+00>, eps = 1.250000e-01 : f64, rates = array<f64: 1.000000e+00, 1.000000e+00>, segment_lengths = array<i64: 12, 3>}
     : (tensor<15xf32>, tensor<15xf32>, tensor<15xf32>, tensor<15xf32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i64>) -> (tensor<15xf32>, tensor<15xf32>, tensor<15xf32>)
  return
}

// -----

func.func @adamw_c2_flag(
    %v: tensor<15xf32>, %m: tensor<15xf32>, %s: tensor<15xf32>, %g: tensor<15xf32>, %c: tensor<f32>, %k: tensor<1xi32>, %r: tensor<f32>, %t: tensor<i32>) {
  // expected-error @below {{C2: flag is 1xi32, expected i32}}
  %0:3 = dtc.adamw %v, %m, %s, %g, %c, %k, %r, %t {beta1 = 5.000000e-01 : f64, beta2 = 7.500000e-01 : f64, decays = array<f64: 2.500000e-01, 0.000000e+00>, eps = 1.250000e-01 : f64, rates = array<f64: 1.000000e+00, 1.000000e+00>, segment_lengths = array<i64: 12, 3>}
     : (tensor<15xf32>, tensor<15xf32>, tensor<15xf32>, tensor<15xf32>, tensor<f32>, tensor<1xi32>, tensor<f32>, tensor<i32>) -> (tensor<15xf32>, tensor<15xf32>, tensor<15xf32>)
  return
}

// -----

func.func @adamw_c3_beta1(
    %v: tensor<15xf32>, %m: tensor<15xf32>, %s: tensor<15xf32>, %g: tensor<15xf32>, %c: tensor<f32>, %k: tensor<i32>, %r: tensor<f32>, %t: tensor<i32>) {
  // expected-error @below {{C3: beta1 = 1.000000e+00, expected 0 <= beta1 < 1}}
  %0:3 = dtc.adamw %v, %m, %s, %g, %c, %k, %r, %t {beta1 = 1.0 : f64, beta2 = 7.500000e-01 : f64, decays = array<f64: 2.500000e-01, 0.000000e+00>, eps = 1.250000e-01 : f64, rates = array<f64: 1.000000e+00, 1.000000e+00>, segment_lengths = array<i64: 12, 3>}
     : (tensor<15xf32>, tensor<15xf32>, tensor<15xf32>, tensor<15xf32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> (tensor<15xf32>, tensor<15xf32>, tensor<15xf32>)
  return
}

// -----

func.func @adamw_c3_eps(
    %v: tensor<15xf32>, %m: tensor<15xf32>, %s: tensor<15xf32>, %g: tensor<15xf32>, %c: tensor<f32>, %k: tensor<i32>, %r: tensor<f32>, %t: tensor<i32>) {
  // expected-error @below {{C3: eps = -1.250000e-01, expected 0 or more}}
  %0:3 = dtc.adamw %v, %m, %s, %g, %c, %k, %r, %t {beta1 = 5.000000e-01 : f64, beta2 = 7.500000e-01 : f64, decays = array<f64: 2.500000e-01, 0.000000e+00>, eps = -0.125 : f64, rates = array<f64: 1.000000e+00, 1.000000e+00>, segment_lengths = array<i64: 12, 3>}
     : (tensor<15xf32>, tensor<15xf32>, tensor<15xf32>, tensor<15xf32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> (tensor<15xf32>, tensor<15xf32>, tensor<15xf32>)
  return
}

// -----

func.func @adamw_c4_rates(
    %v: tensor<15xf32>, %m: tensor<15xf32>, %s: tensor<15xf32>, %g: tensor<15xf32>, %c: tensor<f32>, %k: tensor<i32>, %r: tensor<f32>, %t: tensor<i32>) {
  // expected-error @below {{C4: 2 segments with 2 decays and 1 rates, expected one of each a segment}}
  %0:3 = dtc.adamw %v, %m, %s, %g, %c, %k, %r, %t {beta1 = 5.000000e-01 : f64, beta2 = 7.500000e-01 : f64, decays = array<f64: 2.500000e-01, 0.000000e+00>, eps = 1.250000e-01 : f64, rates = array<f64: 1.0>, segment_lengths = array<i64: 12, 3>}
     : (tensor<15xf32>, tensor<15xf32>, tensor<15xf32>, tensor<15xf32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> (tensor<15xf32>, tensor<15xf32>, tensor<15xf32>)
  return
}

// -----

func.func @adamw_c4_length(
    %v: tensor<15xf32>, %m: tensor<15xf32>, %s: tensor<15xf32>, %g: tensor<15xf32>, %c: tensor<f32>, %k: tensor<i32>, %r: tensor<f32>, %t: tensor<i32>) {
  // expected-error @below {{C4: segments have 16 elements, value is 15xf32}}
  %0:3 = dtc.adamw %v, %m, %s, %g, %c, %k, %r, %t {beta1 = 5.000000e-01 : f64, beta2 = 7.500000e-01 : f64, decays = array<f64: 2.500000e-01, 0.000000e+00>, eps = 1.250000e-01 : f64, rates = array<f64: 1.000000e+00, 1.000000e+00>, segment_lengths = array<i64: 12, 4>}
     : (tensor<15xf32>, tensor<15xf32>, tensor<15xf32>, tensor<15xf32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> (tensor<15xf32>, tensor<15xf32>, tensor<15xf32>)
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#or = #dtc.layout<tp=2:P(or)>

// One rank would skip the step and another would not.
func.func @adamw_own_flag(
    %v: tensor<15xf32, #r>, %m: tensor<15xf32, #r>, %s: tensor<15xf32, #r>, %g: tensor<15xf32, #r>, %c: tensor<f32, #r>, %k: tensor<i32, #or>, %r: tensor<f32, #r>, %t: tensor<i32, #r>) {
  // expected-error @below {{operand flag holds P(or) on axis "tp", expected R}}
  %0:3 = dtc.adamw %v, %m, %s, %g, %c, %k, %r, %t {beta1 = 5.000000e-01 : f64, beta2 = 7.500000e-01 : f64, decays = array<f64: 2.500000e-01, 0.000000e+00>, eps = 1.250000e-01 : f64, rates = array<f64: 1.000000e+00, 1.000000e+00>, segment_lengths = array<i64: 12, 3>}
     : (tensor<15xf32, #r>, tensor<15xf32, #r>, tensor<15xf32, #r>, tensor<15xf32, #r>, tensor<f32, #r>, tensor<i32, #or>, tensor<f32, #r>, tensor<i32, #r>) -> (tensor<15xf32, #r>, tensor<15xf32, #r>, tensor<15xf32, #r>)
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#s0 = #dtc.layout<tp=2:S(0)>

func.func @adamw_moment_lies_otherwise(
    %v: tensor<16xf32, #s0>, %m: tensor<16xf32, #s0>, %s: tensor<16xf32, #r>, %g: tensor<16xf32, #s0>, %c: tensor<f32, #r>, %k: tensor<i32, #r>, %r: tensor<f32, #r>, %t: tensor<i32, #r>) {
  // expected-error @below {{operand second_moment holds R on axis "tp", expected S(0)}}
  %0:3 = dtc.adamw %v, %m, %s, %g, %c, %k, %r, %t {beta1 = 5.000000e-01 : f64, beta2 = 7.500000e-01 : f64, decays = array<f64: 2.500000e-01, 0.000000e+00>, eps = 1.250000e-01 : f64, rates = array<f64: 1.000000e+00, 1.000000e+00>, segment_lengths = array<i64: 12, 4>}
     : (tensor<16xf32, #s0>, tensor<16xf32, #s0>, tensor<16xf32, #r>, tensor<16xf32, #s0>, tensor<f32, #r>, tensor<i32, #r>, tensor<f32, #r>, tensor<i32, #r>) -> (tensor<16xf32, #s0>, tensor<16xf32, #s0>, tensor<16xf32, #r>)
  return
}
