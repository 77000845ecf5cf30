// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func private @f() { return }
// @call_c1_unknown
dtc.schedule @s attributes {stage = 0 : i64} {
  // expected-error @below {{C1: there is no task @g}}
  dtc.call @g
}

// -----

func.func private @f(tensor<4xf32>)
// @call_c2_argument
dtc.schedule @s attributes {stage = 0 : i64} {
  // expected-error @below {{C2: task @f has type '(tensor<4xf32>) -> ()', expected () -> (): values cross by buffers and channels}}
  dtc.call @f
}
