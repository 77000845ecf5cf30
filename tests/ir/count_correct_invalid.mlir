// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @count_correct_c1_pick(%m: tensor<7xf32>, %p: tensor<3xf32>, %l: tensor<7xi32>) {
  // expected-error @below {{C1: pick is 3xf32, expected 7xf32}}
  %0 = dtc.count_correct %m, %p, %l {ignore = -100 : i64}
     : (tensor<7xf32>, tensor<3xf32>, tensor<7xi32>) -> tensor<i64>
  return
}

// -----

func.func @count_correct_c2_labels(%m: tensor<7xf32>, %p: tensor<7xf32>, %l: tensor<3xi32>) {
  // expected-error @below {{C2: labels is 3xi32, expected 7xi32}}
  %0 = dtc.count_correct %m, %p, %l {ignore = -100 : i64}
     : (tensor<7xf32>, tensor<7xf32>, tensor<3xi32>) -> tensor<i64>
  return
}

// -----

func.func @count_correct_c3_result(%m: tensor<7xf32>, %p: tensor<7xf32>, %l: tensor<7xi32>) {
  // expected-error @below {{C3: result is i32, expected i64}}
  %0 = dtc.count_correct %m, %p, %l {ignore = -100 : i64}
     : (tensor<7xf32>, tensor<7xf32>, tensor<7xi32>) -> tensor<i32>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#max = #dtc.layout<tp=2:P(max)>

func.func @count_correct_of_own_max(
    %m: tensor<7xf32, #max>, %p: tensor<7xf32, #r>, %l: tensor<7xi32, #r>) {
  // expected-error @below {{operand max holds P(max) on axis "tp", expected R}}
  %0 = dtc.count_correct %m, %p, %l {ignore = -100 : i64}
     : (tensor<7xf32, #max>, tensor<7xf32, #r>, tensor<7xi32, #r>) -> tensor<i64, #r>
  return
}
