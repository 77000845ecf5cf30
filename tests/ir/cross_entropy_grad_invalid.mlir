// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @cross_entropy_grad_c1_max(
    %z: tensor<7x3xf32>, %m: tensor<3xf32>, %s: tensor<7xf32>, %l: tensor<7xi32>, %n: tensor<i64>, %c: tensor<f32>) {
  // expected-error @below {{C1: max is 3xf32, expected 7xf32}}
  %0 = dtc.cross_entropy_grad %z, %m, %s, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7x3xf32>, tensor<3xf32>, tensor<7xf32>, tensor<7xi32>, tensor<i64>, tensor<f32>) -> tensor<7x3xf32>
  return
}

// -----

func.func @cross_entropy_grad_c1_sum(
    %z: tensor<7x3xf32>, %m: tensor<7xf32>, %s: tensor<7xf64>, %l: tensor<7xi32>, %n: tensor<i64>, %c: tensor<f32>) {
  // expected-error @below {{C1: sum is 7xf64, expected 7xf32}}
  %0 = dtc.cross_entropy_grad %z, %m, %s, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7x3xf32>, tensor<7xf32>, tensor<7xf64>, tensor<7xi32>, tensor<i64>, tensor<f32>) -> tensor<7x3xf32>
  return
}

// -----

func.func @cross_entropy_grad_c2_labels(
    %z: tensor<7x3xf32>, %m: tensor<7xf32>, %s: tensor<7xf32>, %l: tensor<3xi32>, %n: tensor<i64>, %c: tensor<f32>) {
  // expected-error @below {{C2: labels is 3xi32, expected 7xi32}}
  %0 = dtc.cross_entropy_grad %z, %m, %s, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7x3xf32>, tensor<7xf32>, tensor<7xf32>, tensor<3xi32>, tensor<i64>, tensor<f32>) -> tensor<7x3xf32>
  return
}

// -----

func.func @cross_entropy_grad_c3_n(
    %z: tensor<7x3xf32>, %m: tensor<7xf32>, %s: tensor<7xf32>, %l: tensor<7xi32>, %n: tensor<1xi64>, %c: tensor<f32>) {
  // expected-error @below {{C3: N is 1xi64, expected i64}}
  %0 = dtc.cross_entropy_grad %z, %m, %s, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7x3xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xi32>, tensor<1xi64>, tensor<f32>) -> tensor<7x3xf32>
  return
}

// -----

func.func @cross_entropy_grad_c3_scale(
    %z: tensor<7x3xf32>, %m: tensor<7xf32>, %s: tensor<7xf32>, %l: tensor<7xi32>, %n: tensor<i64>, %c: tensor<7xf32>) {
  // expected-error @below {{C3: scale is 7xf32, expected f32}}
  %0 = dtc.cross_entropy_grad %z, %m, %s, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7x3xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xi32>, tensor<i64>, tensor<7xf32>) -> tensor<7x3xf32>
  return
}

// -----

func.func @cross_entropy_grad_c4_result(
    %z: tensor<7x3xf32>, %m: tensor<7xf32>, %s: tensor<7xf32>, %l: tensor<7xi32>, %n: tensor<i64>, %c: tensor<f32>) {
  // expected-error @below {{C4: result is 3x7xf32, expected 7x3xf32}}
  %0 = dtc.cross_entropy_grad %z, %m, %s, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7x3xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xi32>, tensor<i64>, tensor<f32>) -> tensor<3x7xf32>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#s1 = #dtc.layout<tp=2:S(1)>
#p = #dtc.layout<tp=2:P(sum)>

func.func @cross_entropy_grad_split_classes_partial_sum(
    %z: tensor<7x4xf32, #s1>, %m: tensor<7xf32, #r>, %s: tensor<7xf32, #p>, %l: tensor<7xi32, #r>, %n: tensor<i64, #r>, %c: tensor<f32, #r>) {
  // expected-error @below {{operand sum holds P(sum) on axis "tp", expected R}}
  %0 = dtc.cross_entropy_grad %z, %m, %s, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7x4xf32, #s1>, tensor<7xf32, #r>, tensor<7xf32, #p>, tensor<7xi32, #r>, tensor<i64, #r>, tensor<f32, #r>) -> tensor<7x4xf32, #s1>
  return
}
