// RUN: dtc-opt %s -split-input-file -verify-diagnostics

#mp = #dtc.layout<mb=2:P(sum)>

func.func @accumulate_c1_no_layout(%a: tensor<8x4xf32, #mp>) {
  // expected-error @below {{C1: result has no layout}}
  %0 = dtc.accumulate %a : tensor<8x4xf32, #mp> -> tensor<8x4xf32>
  return
}

// -----

#mr = #dtc.layout<mb=2:R>
#mp = #dtc.layout<mb=2:P(sum)>

func.func @accumulate_c1_shape(%a: tensor<8x4xf32, #mp>) {
  // expected-error @below {{C1: result is 4x8xf32, expected 8x4xf32}}
  %0 = dtc.accumulate %a : tensor<8x4xf32, #mp> -> tensor<4x8xf32, #mr>
  return
}

// -----

#mr = #dtc.layout<mb=2:R>
#mp = #dtc.layout<mb=2:P(sum)>

func.func @accumulate_c1_element_type(%a: tensor<8x4xf32, #mp>) {
  // expected-error @below {{C1: result is 8x4xf64, expected 8x4xf32}}
  %0 = dtc.accumulate %a : tensor<8x4xf32, #mp> -> tensor<8x4xf64, #mr>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>

func.func @accumulate_c2_no_time(%a: tensor<4xf32, #p>) {
  // expected-error @below {{C2: axis "mb" is not in #dtc.layout<tp=2:P(sum)>}}
  %0 = dtc.accumulate %a : tensor<4xf32, #p> -> tensor<4xf32, #r>
  return
}

// -----

#mr = #dtc.layout<mb=2:R>
#ms = #dtc.layout<mb=2:S(0)>

func.func @accumulate_c3_rows(%a: tensor<8xf32, #ms>) {
  // expected-error @below {{C3: input holds S(0) on axis "mb", expected P(sum)}}
  %0 = dtc.accumulate %a : tensor<8xf32, #ms> -> tensor<8xf32, #mr>
  return
}

// -----

#mp = #dtc.layout<mb=2:P(sum)>

func.func @accumulate_c4_still_partial(%a: tensor<4xf32, #mp>) {
  // expected-error @below {{C4: result holds P(sum) on axis "mb", expected R}}
  %0 = dtc.accumulate %a : tensor<4xf32, #mp> -> tensor<4xf32, #mp>
  return
}
