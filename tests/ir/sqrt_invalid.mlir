// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @sqrt_c1_result(%a: tensor<f32>) {
  // expected-error @below {{C1: result is f64, expected f32}}
  %0 = dtc.sqrt %a : (tensor<f32>) -> tensor<f64>
  return
}

// -----

#p = #dtc.layout<tp=2:P(sum)>

func.func @sqrt_of_partial(%a: tensor<f32, #p>) {
  // expected-error @below {{operand input holds P(sum) on axis "tp", expected R}}
  %0 = dtc.sqrt %a : (tensor<f32, #p>) -> tensor<f32, #p>
  return
}
