// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @linear_loss_c1_labels(
    %x: tensor<7x3xf32>, %l: tensor<3xi32>, %n: tensor<i64>, %c: tensor<f32>) {
  // expected-error @below {{C1: labels is 3xi32, expected leading dimensions of 7x3xf32}}
  %0 = dtc.linear_loss %x, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7x3xf32>, tensor<3xi32>, tensor<i64>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @linear_loss_c2_n(
    %x: tensor<7x3xf32>, %l: tensor<7xi32>, %n: tensor<i32>, %c: tensor<f32>) {
  // expected-error @below {{C2: N is i32, expected i64}}
  %0 = dtc.linear_loss %x, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7x3xf32>, tensor<7xi32>, tensor<i32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @linear_loss_c2_scale(
    %x: tensor<7x3xf32>, %l: tensor<7xi32>, %n: tensor<i64>, %c: tensor<3xf32>) {
  // expected-error @below {{C2: scale is 3xf32, expected f32}}
  %0 = dtc.linear_loss %x, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7x3xf32>, tensor<7xi32>, tensor<i64>, tensor<3xf32>) -> tensor<f32>
  return
}

// -----

func.func @linear_loss_c3_result(
    %x: tensor<7x3xf32>, %l: tensor<7xi32>, %n: tensor<i64>, %c: tensor<f32>) {
  // expected-error @below {{C3: result is 7xf32, expected f32}}
  %0 = dtc.linear_loss %x, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7x3xf32>, tensor<7xi32>, tensor<i64>, tensor<f32>) -> tensor<7xf32>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#s0 = #dtc.layout<tp=2:S(0)>
#p = #dtc.layout<tp=2:P(sum)>

func.func @linear_loss_own_count(
    %x: tensor<8x3xf32, #s0>, %l: tensor<8xi32, #s0>, %n: tensor<i64, #p>, %c: tensor<f32, #r>) {
  // expected-error @below {{operand N holds P(sum) on axis "tp", expected R}}
  %0 = dtc.linear_loss %x, %l, %n, %c {ignore = -100 : i64}
     : (tensor<8x3xf32, #s0>, tensor<8xi32, #s0>, tensor<i64, #p>, tensor<f32, #r>) -> tensor<f32, #p>
  return
}
