// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @relu_grad_c1_output_shape(%a: tensor<7x5xf32>, %b: tensor<5x7xf32>) {
  // expected-error @below {{C1: output is 5x7xf32, expected 7x5xf32}}
  %0 = dtc.relu_grad %a, %b : (tensor<7x5xf32>, tensor<5x7xf32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @relu_grad_c1_result_element_type(%a: tensor<7x5xf32>, %b: tensor<7x5xf32>) {
  // expected-error @below {{C1: result is 7x5xf64, expected 7x5xf32}}
  %0 = dtc.relu_grad %a, %b : (tensor<7x5xf32>, tensor<7x5xf32>) -> tensor<7x5xf64>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>

func.func @relu_grad_of_partial_output(%a: tensor<7x5xf32, #r>, %b: tensor<7x5xf32, #p>) {
  // expected-error @below {{operand output holds P(sum) on axis "tp", expected R}}
  %0 = dtc.relu_grad %a, %b : (tensor<7x5xf32, #r>, tensor<7x5xf32, #p>) -> tensor<7x5xf32, #r>
  return
}

// -----

#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>
#s0a = #dtc.layout<tp=2:S(0), pad(0:any)>

func.func @relu_grad_claims_zero_pads(%a: tensor<7x5xf32, #s0a>, %b: tensor<7x5xf32, #s0a>) {
  // expected-error @below {{result has pads zero in dimension 0, expected any}}
  %0 = dtc.relu_grad %a, %b
     : (tensor<7x5xf32, #s0a>, tensor<7x5xf32, #s0a>) -> tensor<7x5xf32, #s0z>
  return
}
