// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @cross_entropy_c1_sum(
    %m: tensor<7xf32>, %s: tensor<3xf32>, %p: tensor<7xf32>, %l: tensor<7xi32>, %n: tensor<i64>, %c: tensor<f32>) {
  // expected-error @below {{C1: sum is 3xf32, expected 7xf32}}
  %0 = dtc.cross_entropy %m, %s, %p, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7xf32>, tensor<3xf32>, tensor<7xf32>, tensor<7xi32>, tensor<i64>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @cross_entropy_c1_pick(
    %m: tensor<7xf32>, %s: tensor<7xf32>, %p: tensor<7xbf16>, %l: tensor<7xi32>, %n: tensor<i64>, %c: tensor<f32>) {
  // expected-error @below {{C1: pick is 7xbf16, expected 7xf32}}
  %0 = dtc.cross_entropy %m, %s, %p, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7xf32>, tensor<7xf32>, tensor<7xbf16>, tensor<7xi32>, tensor<i64>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @cross_entropy_c2_labels(
    %m: tensor<7xf32>, %s: tensor<7xf32>, %p: tensor<7xf32>, %l: tensor<6xi32>, %n: tensor<i64>, %c: tensor<f32>) {
  // expected-error @below {{C2: labels is 6xi32, expected 7xi32}}
  %0 = dtc.cross_entropy %m, %s, %p, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<6xi32>, tensor<i64>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @cross_entropy_c3_n(
    %m: tensor<7xf32>, %s: tensor<7xf32>, %p: tensor<7xf32>, %l: tensor<7xi32>, %n: tensor<i32>, %c: tensor<f32>) {
  // expected-error @below {{C3: N is i32, expected i64}}
  %0 = dtc.cross_entropy %m, %s, %p, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xi32>, tensor<i32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @cross_entropy_c3_scale(
    %m: tensor<7xf32>, %s: tensor<7xf32>, %p: tensor<7xf32>, %l: tensor<7xi32>, %n: tensor<i64>, %c: tensor<1xf32>) {
  // expected-error @below {{C3: scale is 1xf32, expected f32}}
  %0 = dtc.cross_entropy %m, %s, %p, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xi32>, tensor<i64>, tensor<1xf32>) -> tensor<f32>
  return
}

// -----

func.func @cross_entropy_c4_result(
    %m: tensor<7xf32>, %s: tensor<7xf32>, %p: tensor<7xf32>, %l: tensor<7xi32>, %n: tensor<i64>, %c: tensor<f32>) {
  // expected-error @below {{C4: result is 7xf32, expected f32}}
  %0 = dtc.cross_entropy %m, %s, %p, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xi32>, tensor<i64>, tensor<f32>) -> tensor<7xf32>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>
#s0a = #dtc.layout<tp=2:S(0), pad(0:any)>
#s0f = #dtc.layout<tp=2:S(0), pad(0:fill)>

func.func @cross_entropy_own_scale(
    %m: tensor<7xf32, #s0a>, %s: tensor<7xf32, #s0a>, %p: tensor<7xf32, #s0a>, %l: tensor<7xi32, #s0f>, %n: tensor<i64, #r>, %c: tensor<f32, #p>) {
  // expected-error @below {{operand scale holds P(sum) on axis "tp", expected R}}
  %0 = dtc.cross_entropy %m, %s, %p, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7xf32, #s0a>, tensor<7xf32, #s0a>, tensor<7xf32, #s0a>, tensor<7xi32, #s0f>, tensor<i64, #r>, tensor<f32, #p>) -> tensor<f32, #p>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>

// The logarithm of an addend.
func.func @cross_entropy_partial_sum(
    %m: tensor<7xf32, #r>, %s: tensor<7xf32, #p>, %p: tensor<7xf32, #r>, %l: tensor<7xi32, #r>, %n: tensor<i64, #r>, %c: tensor<f32, #r>) {
  // expected-error @below {{operand sum holds P(sum) on axis "tp", expected R}}
  %0 = dtc.cross_entropy %m, %s, %p, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7xf32, #r>, tensor<7xf32, #p>, tensor<7xf32, #r>, tensor<7xi32, #r>, tensor<i64, #r>, tensor<f32, #r>) -> tensor<f32, #r>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#s0 = #dtc.layout<tp=2:S(0)>

func.func @cross_entropy_rows_are_not_whole(
    %m: tensor<8xf32, #s0>, %s: tensor<8xf32, #s0>, %p: tensor<8xf32, #s0>, %l: tensor<8xi32, #s0>, %n: tensor<i64, #r>, %c: tensor<f32, #r>) {
  // expected-error @below {{result holds R on axis "tp", expected P(sum)}}
  %0 = dtc.cross_entropy %m, %s, %p, %l, %n, %c {ignore = -100 : i64}
     : (tensor<8xf32, #s0>, tensor<8xf32, #s0>, tensor<8xf32, #s0>, tensor<8xi32, #s0>, tensor<i64, #r>, tensor<f32, #r>) -> tensor<f32, #r>
  return
}
