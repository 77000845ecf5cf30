// RUN: dtc-opt %s -split-input-file -verify-diagnostics

dtc.buffer @b : tensor<8x6xf32> {buffer_class = #dtc.buffer_class<accumulator>, stage = 0 : i64}
func.func @accumulate_into_c1_unknown(%v: tensor<8x6xf32>) {
  // expected-error @below {{C1: there is no buffer @a}}
  dtc.accumulate_into %v, @a : tensor<8x6xf32>
  return
}

// -----

dtc.buffer @b : tensor<8x6xf32> {buffer_class = #dtc.buffer_class<stash>, stage = 0 : i64}
func.func @accumulate_into_c2_class(%v: tensor<8x6xf32>) {
  // expected-error @below {{C2: the buffer @b is of class stash, expected accumulator}}
  dtc.accumulate_into %v, @b : tensor<8x6xf32>
  return
}

// -----

#r = #dtc.layout<mb=2:R>

dtc.buffer @b : tensor<5xf32, #r> {buffer_class = #dtc.buffer_class<accumulator>, stage = 0 : i64}
func.func @accumulate_into_c3_whole(%v: tensor<5xf32, #r>) {
  // expected-error @below {{C3: value lies as #dtc.layout<mb=2:R>, the buffer as #dtc.layout<mb=2:R>, expected P(sum) over "mb" to become R}}
  dtc.accumulate_into %v, @b : tensor<5xf32, #r>
  return
}

// -----

#p = #dtc.layout<mb=2:P(sum)>
#r = #dtc.layout<mb=2:R>

dtc.buffer @b : tensor<5xf32, #r> {buffer_class = #dtc.buffer_class<accumulator>, stage = 0 : i64}
func.func @accumulate_into_c4_shape(%v: tensor<6xf32, #p>) {
  // expected-error @below {{C4: value is 6xf32, the buffer 5xf32}}
  dtc.accumulate_into %v, @b : tensor<6xf32, #p>
  return
}
