// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func private @f() { return }
// @repeat_c1_zero
dtc.schedule @s attributes {stage = 0 : i64} {
  // expected-error @below {{C1: count = 0, expected 1 or more}}
  dtc.repeat 0 {
    dtc.call @f
  }
}

// -----

func.func private @f() { return }
// @repeat_c2_nested
dtc.schedule @s attributes {stage = 0 : i64} {
  // expected-error @below {{C2: holds dtc.repeat, expected dtc.call}}
  dtc.repeat 1 {
    dtc.repeat 1 {
      dtc.call @f
    }
  }
}
