// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @squared_error_c1_target(
    %p: tensor<7x3xf32>, %t: tensor<3x7xf32>, %l: tensor<7xi32>, %n: tensor<i64>, %c: tensor<f32>) {
  // expected-error @below {{C1: target is 3x7xf32, expected 7x3xf32}}
  %0 = dtc.squared_error %p, %t, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7x3xf32>, tensor<3x7xf32>, tensor<7xi32>, tensor<i64>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @squared_error_c2_labels(
    %p: tensor<7x3xf32>, %t: tensor<7x3xf32>, %l: tensor<3xi32>, %n: tensor<i64>, %c: tensor<f32>) {
  // expected-error @below {{C2: labels is 3xi32, expected leading dimensions of 7x3xf32}}
  %0 = dtc.squared_error %p, %t, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7x3xf32>, tensor<7x3xf32>, tensor<3xi32>, tensor<i64>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @squared_error_c3_n(
    %p: tensor<7x3xf32>, %t: tensor<7x3xf32>, %l: tensor<7xi32>, %n: tensor<i32>, %c: tensor<f32>) {
  // expected-error @below {{C3: N is i32, expected i64}}
  %0 = dtc.squared_error %p, %t, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7x3xf32>, tensor<7x3xf32>, tensor<7xi32>, tensor<i32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @squared_error_c3_scale(
    %p: tensor<7x3xf32>, %t: tensor<7x3xf32>, %l: tensor<7xi32>, %n: tensor<i64>, %c: tensor<3xf32>) {
  // expected-error @below {{C3: scale is 3xf32, expected f32}}
  %0 = dtc.squared_error %p, %t, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7x3xf32>, tensor<7x3xf32>, tensor<7xi32>, tensor<i64>, tensor<3xf32>) -> tensor<f32>
  return
}

// -----

func.func @squared_error_c4_result(
    %p: tensor<7x3xf32>, %t: tensor<7x3xf32>, %l: tensor<7xi32>, %n: tensor<i64>, %c: tensor<f32>) {
  // expected-error @below {{C4: result is 7xf32, expected f32}}
  %0 = dtc.squared_error %p, %t, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7x3xf32>, tensor<7x3xf32>, tensor<7xi32>, tensor<i64>, tensor<f32>) -> tensor<7xf32>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#s0 = #dtc.layout<tp=2:S(0)>
#p = #dtc.layout<tp=2:P(sum)>

func.func @squared_error_own_count(
    %p: tensor<8x3xf32, #s0>, %t: tensor<8x3xf32, #s0>, %l: tensor<8xi32, #s0>, %n: tensor<i64, #p>, %c: tensor<f32, #r>) {
  // expected-error @below {{operand N holds P(sum) on axis "tp", expected R}}
  %0 = dtc.squared_error %p, %t, %l, %n, %c {ignore = -100 : i64}
     : (tensor<8x3xf32, #s0>, tensor<8x3xf32, #s0>, tensor<8xi32, #s0>, tensor<i64, #p>, tensor<f32, #r>) -> tensor<f32, #p>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>

func.func @squared_error_of_partial(
    %p: tensor<7x3xf32, #p>, %t: tensor<7x3xf32, #r>, %l: tensor<7xi32, #r>, %n: tensor<i64, #r>, %c: tensor<f32, #r>) {
  // expected-error @below {{operand prediction holds P(sum) on axis "tp", expected R}}
  %0 = dtc.squared_error %p, %t, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7x3xf32, #p>, tensor<7x3xf32, #r>, tensor<7xi32, #r>, tensor<i64, #r>, tensor<f32, #r>) -> tensor<f32, #r>
  return
}
