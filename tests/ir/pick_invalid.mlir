// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @pick_c1_scalar(%z: tensor<f32>, %l: tensor<i32>) {
  // expected-error @below {{C1: logits is a scalar, expected a last dimension of classes}}
  %0 = dtc.pick %z, %l {ignore = -100 : i64} : (tensor<f32>, tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @pick_c2_labels(%z: tensor<7x3xf32>, %l: tensor<3xi32>) {
  // expected-error @below {{C2: labels is 3xi32, expected 7xi32}}
  %0 = dtc.pick %z, %l {ignore = -100 : i64} : (tensor<7x3xf32>, tensor<3xi32>) -> tensor<7xf32>
  return
}

// -----

func.func @pick_c3_result(%z: tensor<7x3xf32>, %l: tensor<7xi32>) {
  // expected-error @below {{C3: result is 3xf32, expected 7xf32}}
  %0 = dtc.pick %z, %l {ignore = -100 : i64} : (tensor<7x3xf32>, tensor<7xi32>) -> tensor<3xf32>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#s1 = #dtc.layout<tp=2:S(1)>

func.func @pick_split_classes_is_not_whole(%z: tensor<7x4xf32, #s1>, %l: tensor<7xi32, #r>) {
  // expected-error @below {{result holds R on axis "tp", expected P(sum)}}
  %0 = dtc.pick %z, %l {ignore = -100 : i64}
     : (tensor<7x4xf32, #s1>, tensor<7xi32, #r>) -> tensor<7xf32, #r>
  return
}

// -----

#s0a = #dtc.layout<tp=2:S(0), pad(0:any)>

func.func @pick_labels_pads(%z: tensor<7x3xf32, #s0a>, %l: tensor<7xi32, #s0a>) {
  // expected-error @below {{operand labels has pads any in dimension 0, expected fill}}
  %0 = dtc.pick %z, %l {ignore = -100 : i64}
     : (tensor<7x3xf32, #s0a>, tensor<7xi32, #s0a>) -> tensor<7xf32, #s0a>
  return
}
