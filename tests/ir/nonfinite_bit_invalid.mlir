// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @nonfinite_bit_c1_result(%g: tensor<5x4xf32>) {
  // expected-error @below {{C1: result is i64, expected i32}}
  %0 = dtc.nonfinite_bit %g : (tensor<5x4xf32>) -> tensor<i64>
  return
}

// -----

#p = #dtc.layout<tp=2:P(sum)>
#or = #dtc.layout<tp=2:P(or)>

// Addends may be finite where their sum is not.
func.func @nonfinite_bit_of_partial(%g: tensor<5x4xf32, #p>) {
  // expected-error @below {{operand input holds P(sum) on axis "tp", expected S(0)}}
  %0 = dtc.nonfinite_bit %g : (tensor<5x4xf32, #p>) -> tensor<i32, #or>
  return
}

// -----

#s0 = #dtc.layout<tp=2:S(0)>
#p = #dtc.layout<tp=2:P(sum)>

func.func @nonfinite_bit_is_no_sum(%g: tensor<6x4xf32, #s0>) {
  // expected-error @below {{result holds P(sum) on axis "tp", expected P(or)}}
  %0 = dtc.nonfinite_bit %g : (tensor<6x4xf32, #s0>) -> tensor<i32, #p>
  return
}
