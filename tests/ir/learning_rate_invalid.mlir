// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @learning_rate_c1_step(%t: tensor<i64>) {
  // expected-error @below {{C1: step is i64, expected i32}}
  %0 = dtc.learning_rate %t {peak = 0.125 : f64} : (tensor<i64>) -> tensor<f32>
  return
}

// -----

func.func @learning_rate_c1_result(%t: tensor<i32>) {
  // expected-error @below {{C1: result is f64, expected f32}}
  %0 = dtc.learning_rate %t {peak = 0.125 : f64} : (tensor<i32>) -> tensor<f64>
  return
}

// -----

func.func @learning_rate_c2_negative(%t: tensor<i32>) {
  // expected-error @below {{C2: peak = -1.250000e-01, expected a number, 0 or more}}
  %0 = dtc.learning_rate %t {peak = -0.125 : f64} : (tensor<i32>) -> tensor<f32>
  return
}
