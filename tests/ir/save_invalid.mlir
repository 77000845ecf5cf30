// RUN: dtc-opt %s -split-input-file -verify-diagnostics

dtc.buffer @b : tensor<8x6xf32> {buffer_class = #dtc.buffer_class<stash>, stage = 0 : i64}
func.func @save_c1_unknown(%v: tensor<8x6xf32>) {
  // expected-error @below {{C1: there is no buffer @a}}
  dtc.save %v, @a : tensor<8x6xf32>
  return
}

// -----

dtc.buffer @b : tensor<8x6xf32> {buffer_class = #dtc.buffer_class<stash>, stage = 0 : i64}
func.func @save_c2_type(%v: tensor<6x8xf32>) {
  // expected-error @below {{C2: value is 'tensor<6x8xf32>', the buffer @b is 'tensor<8x6xf32>'}}
  dtc.save %v, @b : tensor<6x8xf32>
  return
}
