// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @empty_bit_c1_count(%n: tensor<i32>) {
  // expected-error @below {{C1: count is i32, expected i64}}
  %0 = dtc.empty_bit %n : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @empty_bit_c2_result(%n: tensor<i64>) {
  // expected-error @below {{C2: result is i64, expected i32}}
  %0 = dtc.empty_bit %n : (tensor<i64>) -> tensor<i64>
  return
}

// -----

#p = #dtc.layout<tp=2:P(sum)>
#or = #dtc.layout<tp=2:P(or)>

func.func @empty_bit_of_own_count(%n: tensor<i64, #p>) {
  // expected-error @below {{operand count holds P(sum) on axis "tp", expected R}}
  %0 = dtc.empty_bit %n : (tensor<i64, #p>) -> tensor<i32, #or>
  return
}
