// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @sgd_c1_gradient(
    %v: tensor<5x4xf32>, %g: tensor<4x5xf32>, %c: tensor<f32>, %k: tensor<i32>, %r: tensor<f32>) {
  // expected-error @below {{C1: gradient is 4x5xf32, expected 5x4xf32}}
  %0 = dtc.sgd %v, %g, %c, %k, %r {decays = array<f64: 0.25>, momentum = 0.0 : f64, rates = array<f64: 1.0>, segment_lengths = array<i64: 20>}
     : (tensor<5x4xf32>, tensor<4x5xf32>, tensor<f32>, tensor<i32>, tensor<f32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @sgd_c1_new_value(
    %v: tensor<5x4xf32>, %g: tensor<5x4xf32>, %c: tensor<f32>, %k: tensor<i32>, %r: tensor<f32>) {
  // expected-error @below {{C1: new_value is 4x5xf32, expected 5x4xf32}}
  %0 = dtc.sgd %v, %g, %c, %k, %r {decays = array<f64: 0.25>, momentum = 0.0 : f64, rates = array<f64: 1.0>, segment_lengths = array<i64: 20>}
     : (tensor<5x4xf32>, tensor<5x4xf32>, tensor<f32>, tensor<i32>, tensor<f32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @sgd_c1_momentum_state(
    %v: tensor<5x4xf32>, %m: tensor<4x5xf32>, %g: tensor<5x4xf32>, %c: tensor<f32>, %k: tensor<i32>, %r: tensor<f32>) {
  // expected-error @below {{C1: momentum_state is 4x5xf32, expected 5x4xf32}}
  %0:2 = dtc.sgd %v, %m, %g, %c, %k, %r {decays = array<f64: 0.25>, momentum = 0.9 : f64, rates = array<f64: 1.0>, segment_lengths = array<i64: 20>}
     : (tensor<5x4xf32>, tensor<4x5xf32>, tensor<5x4xf32>, tensor<f32>, tensor<i32>, tensor<f32>) -> (tensor<5x4xf32>, tensor<4x5xf32>)
  return
}

// -----

func.func @sgd_c2_factor(
    %v: tensor<5x4xf32>, %g: tensor<5x4xf32>, %c: tensor<f64>, %k: tensor<i32>, %r: tensor<f32>) {
  // expected-error @below {{C2: factor is f64, expected f32}}
  %0 = dtc.sgd %v, %g, %c, %k, %r {decays = array<f64: 0.25>, momentum = 0.0 : f64, rates = array<f64: 1.0>, segment_lengths = array<i64: 20>}
     : (tensor<5x4xf32>, tensor<5x4xf32>, tensor<f64>, tensor<i32>, tensor<f32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @sgd_c2_flag(
    %v: tensor<5x4xf32>, %g: tensor<5x4xf32>, %c: tensor<f32>, %k: tensor<i64>, %r: tensor<f32>) {
  // expected-error @below {{C2: flag is i64, expected i32}}
  %0 = dtc.sgd %v, %g, %c, %k, %r {decays = array<f64: 0.25>, momentum = 0.0 : f64, rates = array<f64: 1.0>, segment_lengths = array<i64: 20>}
     : (tensor<5x4xf32>, tensor<5x4xf32>, tensor<f32>, tensor<i64>, tensor<f32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @sgd_c2_learning_rate(
    %v: tensor<5x4xf32>, %g: tensor<5x4xf32>, %c: tensor<f32>, %k: tensor<i32>, %r: tensor<1xf32>) {
  // expected-error @below {{C2: learning_rate is 1xf32, expected f32}}
  %0 = dtc.sgd %v, %g, %c, %k, %r {decays = array<f64: 0.25>, momentum = 0.0 : f64, rates = array<f64: 1.0>, segment_lengths = array<i64: 20>}
     : (tensor<5x4xf32>, tensor<5x4xf32>, tensor<f32>, tensor<i32>, tensor<1xf32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @sgd_c3_momentum_one(
    %v: tensor<5x4xf32>, %g: tensor<5x4xf32>, %c: tensor<f32>, %k: tensor<i32>, %r: tensor<f32>) {
  // expected-error @below {{C3: momentum = 1.000000e+00, expected 0 <= momentum < 1}}
  %0 = dtc.sgd %v, %g, %c, %k, %r {decays = array<f64: 0.25>, momentum = 1.0 : f64, rates = array<f64: 1.0>, segment_lengths = array<i64: 20>}
     : (tensor<5x4xf32>, tensor<5x4xf32>, tensor<f32>, tensor<i32>, tensor<f32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @sgd_c3_state_missing(
    %v: tensor<5x4xf32>, %g: tensor<5x4xf32>, %c: tensor<f32>, %k: tensor<i32>, %r: tensor<f32>) {
  // expected-error @below {{C3: momentum = 9.000000e-01, so momentum_state and new_momentum_state are needed}}
  %0 = dtc.sgd %v, %g, %c, %k, %r {decays = array<f64: 0.25>, momentum = 0.9 : f64, rates = array<f64: 1.0>, segment_lengths = array<i64: 20>}
     : (tensor<5x4xf32>, tensor<5x4xf32>, tensor<f32>, tensor<i32>, tensor<f32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @sgd_c3_state_too_much(
    %v: tensor<5x4xf32>, %m: tensor<5x4xf32>, %g: tensor<5x4xf32>, %c: tensor<f32>, %k: tensor<i32>, %r: tensor<f32>) {
  // expected-error @below {{C3: momentum = 0.000000e+00, so momentum_state and new_momentum_state are absent}}
  %0:2 = dtc.sgd %v, %m, %g, %c, %k, %r {decays = array<f64: 0.25>, momentum = 0.0 : f64, rates = array<f64: 1.0>, segment_lengths = array<i64: 20>}
     : (tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<f32>, tensor<i32>, tensor<f32>) -> (tensor<5x4xf32>, tensor<5x4xf32>)
  return
}

// -----

func.func @sgd_c4_decays(
    %v: tensor<5x4xf32>, %g: tensor<5x4xf32>, %c: tensor<f32>, %k: tensor<i32>, %r: tensor<f32>) {
  // expected-error @below {{C4: 1 segments with 2 decays and 1 rates, expected one of each a segment}}
  %0 = dtc.sgd %v, %g, %c, %k, %r {decays = array<f64: 0.25, 0.0>, momentum = 0.0 : f64, rates = array<f64: 1.0>, segment_lengths = array<i64: 20>}
     : (tensor<5x4xf32>, tensor<5x4xf32>, tensor<f32>, tensor<i32>, tensor<f32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @sgd_c4_length(
    %v: tensor<15xf32>, %g: tensor<15xf32>, %c: tensor<f32>, %k: tensor<i32>, %r: tensor<f32>) {
  // expected-error @below {{C4: segments have 14 elements, value is 15xf32}}
  %0 = dtc.sgd %v, %g, %c, %k, %r {decays = array<f64: 0.25, 0.0>, momentum = 0.0 : f64, rates = array<f64: 1.0, 1.0>, segment_lengths = array<i64: 12, 2>}
     : (tensor<15xf32>, tensor<15xf32>, tensor<f32>, tensor<i32>, tensor<f32>) -> tensor<15xf32>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>

// Copies of a parameter would drift apart.
func.func @sgd_of_partial(
    %v: tensor<5x4xf32, #r>, %g: tensor<5x4xf32, #p>, %c: tensor<f32, #r>, %k: tensor<i32, #r>, %r: tensor<f32, #r>) {
  // expected-error @below {{operand gradient holds P(sum) on axis "tp", expected R}}
  %0 = dtc.sgd %v, %g, %c, %k, %r {decays = array<f64: 0.25>, momentum = 0.0 : f64, rates = array<f64: 1.0>, segment_lengths = array<i64: 20>}
     : (tensor<5x4xf32, #r>, tensor<5x4xf32, #p>, tensor<f32, #r>, tensor<i32, #r>, tensor<f32, #r>) -> tensor<5x4xf32, #r>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#s0 = #dtc.layout<tp=2:S(0)>

func.func @sgd_shard_of_whole_gradient(
    %v: tensor<6x4xf32, #s0>, %g: tensor<6x4xf32, #r>, %c: tensor<f32, #r>, %k: tensor<i32, #r>, %r: tensor<f32, #r>) {
  // expected-error @below {{operand gradient holds R on axis "tp", expected S(0)}}
  %0 = dtc.sgd %v, %g, %c, %k, %r {decays = array<f64: 0.25>, momentum = 0.0 : f64, rates = array<f64: 1.0>, segment_lengths = array<i64: 20>}
     : (tensor<6x4xf32, #s0>, tensor<6x4xf32, #r>, tensor<f32, #r>, tensor<i32, #r>, tensor<f32, #r>) -> tensor<6x4xf32, #s0>
  return
}
