// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @row_max_c1_scalar(%z: tensor<f32>) {
  // expected-error @below {{C1: logits is a scalar, expected a last dimension of classes}}
  %0 = dtc.row_max %z : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @row_max_c2_result(%z: tensor<7x3xf32>) {
  // expected-error @below {{C2: result is 3xf32, expected 7xf32}}
  %0 = dtc.row_max %z : (tensor<7x3xf32>) -> tensor<3xf32>
  return
}

// -----

#s1 = #dtc.layout<tp=2:S(1)>
#p = #dtc.layout<tp=2:P(sum)>

func.func @row_max_is_no_sum(%z: tensor<7x4xf32, #s1>) {
  // expected-error @below {{result holds P(sum) on axis "tp", expected P(max)}}
  %0 = dtc.row_max %z : (tensor<7x4xf32, #s1>) -> tensor<7xf32, #p>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>

func.func @row_max_of_partial(%z: tensor<7x4xf32, #p>) {
  // expected-error @below {{operand logits holds P(sum) on axis "tp", expected R}}
  %0 = dtc.row_max %z : (tensor<7x4xf32, #p>) -> tensor<7xf32, #r>
  return
}
