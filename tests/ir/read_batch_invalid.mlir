// RUN: dtc-opt %s -split-input-file -verify-diagnostics

dtc.buffer @b : tensor<8x6xf32> {buffer_class = #dtc.buffer_class<batch>, stage = 0 : i64}
func.func @read_batch_c1_unknown() {
  // expected-error @below {{C1: there is no buffer @a}}
  dtc.read_batch "x" into @a
  return
}

// -----

dtc.buffer @b : tensor<8x6xf32> {buffer_class = #dtc.buffer_class<stash>, stage = 0 : i64}
func.func @read_batch_c2_class() {
  // expected-error @below {{C2: the buffer @b is of class stash, expected batch}}
  dtc.read_batch "x" into @b
  return
}
