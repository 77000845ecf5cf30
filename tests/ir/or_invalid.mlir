// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @or_c1_no_operand() {
  // expected-error @below {{C1: has no operand, expected one or more}}
  %0 = dtc.or {terms = []} : () -> tensor<i32>
  return
}

// -----

func.func @or_c1_i64(%a: tensor<i32>, %b: tensor<i64>) {
  // expected-error @below {{C1: operand 1 is i64, expected i32}}
  %0 = dtc.or %a, %b {terms = [["a"], ["b"]]} : (tensor<i32>, tensor<i64>) -> tensor<i32>
  return
}

// -----

func.func @or_c2_one_set_missing(%a: tensor<i32>, %b: tensor<i32>) {
  // expected-error @below {{C2: terms lists 1 sets, expected one for each of the 2 operands}}
  %0 = dtc.or %a, %b {terms = [["a"]]} : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#or = #dtc.layout<tp=2:P(or)>

func.func @or_of_partial_and_whole(%a: tensor<i32, #or>, %b: tensor<i32, #r>) {
  // expected-error @below {{the term of N holds R on axis "tp", expected P(or)}}
  %0 = dtc.or %a, %b {terms = [["a"], ["N"]]}
     : (tensor<i32, #or>, tensor<i32, #r>) -> tensor<i32, #or>
  return
}

// -----

#p = #dtc.layout<tp=2:P(sum)>

func.func @or_is_no_sum(%a: tensor<i32, #p>, %b: tensor<i32, #p>) {
  // expected-error @below {{the term of a holds P(sum) on axis "tp", expected R}}
  %0 = dtc.or %a, %b {terms = [["a"], ["b"]]}
     : (tensor<i32, #p>, tensor<i32, #p>) -> tensor<i32, #p>
  return
}
