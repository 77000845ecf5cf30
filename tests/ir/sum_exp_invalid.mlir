// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @sum_exp_c1_scalar(%z: tensor<f32>, %m: tensor<f32>) {
  // expected-error @below {{C1: logits is a scalar, expected a last dimension of classes}}
  %0 = dtc.sum_exp %z, %m : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @sum_exp_c2_max(%z: tensor<7x3xf32>, %m: tensor<3xf32>) {
  // expected-error @below {{C2: max is 3xf32, expected 7xf32}}
  %0 = dtc.sum_exp %z, %m : (tensor<7x3xf32>, tensor<3xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @sum_exp_c2_result(%z: tensor<7x3xf32>, %m: tensor<7xf32>) {
  // expected-error @below {{C2: result is 7xf64, expected 7xf32}}
  %0 = dtc.sum_exp %z, %m : (tensor<7x3xf32>, tensor<7xf32>) -> tensor<7xf64>
  return
}

// -----

#s1 = #dtc.layout<tp=2:S(1)>
#p = #dtc.layout<tp=2:P(sum)>
#max = #dtc.layout<tp=2:P(max)>

// Sums with different maxima don't add.
func.func @sum_exp_of_own_max(%z: tensor<7x4xf32, #s1>, %m: tensor<7xf32, #max>) {
  // expected-error @below {{operand max holds P(max) on axis "tp", expected R}}
  %0 = dtc.sum_exp %z, %m : (tensor<7x4xf32, #s1>, tensor<7xf32, #max>) -> tensor<7xf32, #p>
  return
}
