// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @cast_c1_result_shape(%a: tensor<7x5xf32>) {
  // expected-error @below {{C1: result is 5x7xbf16, expected 7x5xbf16}}
  %0 = dtc.cast %a : (tensor<7x5xf32>) -> tensor<5x7xbf16>
  return
}

// -----

#p = #dtc.layout<tp=2:P(sum)>

// Rounded addends do not sum to the rounded sum.
func.func @cast_down_of_partial(%a: tensor<7x5xf32, #p>) {
  // expected-error @below {{operand input holds P(sum) on axis "tp", expected R}}
  %0 = dtc.cast %a : (tensor<7x5xf32, #p>) -> tensor<7x5xbf16, #p>
  return
}
