// RUN: dtc-opt %s -split-input-file -verify-diagnostics

dtc.buffer @b : tensor<8x6xf32> {buffer_class = #dtc.buffer_class<accumulator>, stage = 0 : i64}
func.func @clear_c1_unknown() {
  // expected-error @below {{C1: there is no buffer @a}}
  dtc.clear @a
  return
}

// -----

dtc.buffer @b : tensor<8x6xf32> {buffer_class = #dtc.buffer_class<stash>, stage = 0 : i64}
func.func @clear_c2_class() {
  // expected-error @below {{C2: the buffer @b is of class stash, expected accumulator}}
  dtc.clear @b
  return
}
