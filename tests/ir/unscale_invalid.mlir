// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @unscale_c1_scale(%g: tensor<5x4xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{C1: scale is 4xf32, expected f32}}
  %0 = dtc.unscale %g, %s : (tensor<5x4xf32>, tensor<4xf32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @unscale_c2_result(%g: tensor<5x4xf32>, %s: tensor<f32>) {
  // expected-error @below {{C2: result is 5x4xf64, expected 5x4xf32}}
  %0 = dtc.unscale %g, %s : (tensor<5x4xf32>, tensor<f32>) -> tensor<5x4xf64>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>

// What the update reads has been reduced.
func.func @unscale_of_partial(%g: tensor<5x4xf32, #p>, %s: tensor<f32, #r>) {
  // expected-error @below {{operand input holds P(sum) on axis "tp", expected R}}
  %0 = dtc.unscale %g, %s : (tensor<5x4xf32, #p>, tensor<f32, #r>) -> tensor<5x4xf32, #p>
  return
}
