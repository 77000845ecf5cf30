// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @sum_squares_c1_result(%g: tensor<5x4xbf16>) {
  // expected-error @below {{C1: result is bf16, expected f32}}
  %0 = dtc.sum_squares %g : (tensor<5x4xbf16>) -> tensor<bf16>
  return
}

// -----

#p = #dtc.layout<tp=2:P(sum)>

// The square of a sum is no sum of squares.
func.func @sum_squares_of_partial(%g: tensor<5x4xf32, #p>) {
  // expected-error @below {{operand input holds P(sum) on axis "tp", expected S(0)}}
  %0 = dtc.sum_squares %g : (tensor<5x4xf32, #p>) -> tensor<f32, #p>
  return
}

// -----

#p = #dtc.layout<tp=2:P(sum)>
#s0a = #dtc.layout<tp=2:S(0), pad(0:any)>

func.func @sum_squares_counts_pads(%g: tensor<5x4xf32, #s0a>) {
  // expected-error @below {{operand input has pads any in dimension 0, expected zero}}
  %0 = dtc.sum_squares %g : (tensor<5x4xf32, #s0a>) -> tensor<f32, #p>
  return
}
