// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @relu_c1_result_shape(%a: tensor<7x5xf32>) {
  // expected-error @below {{C1: result is 5x7xf32, expected 7x5xf32}}
  %0 = dtc.relu %a : (tensor<7x5xf32>) -> tensor<5x7xf32>
  return
}

// -----

func.func @relu_c1_result_element_type(%a: tensor<7x5xf32>) {
  // expected-error @below {{C1: result is 7x5xbf16, expected 7x5xf32}}
  %0 = dtc.relu %a : (tensor<7x5xf32>) -> tensor<7x5xbf16>
  return
}

// -----

#p = #dtc.layout<tp=2:P(sum)>

// relu(a + b) is not relu(a) + relu(b).
func.func @relu_of_partial(%a: tensor<7x5xf32, #p>) {
  // expected-error @below {{operand input holds P(sum) on axis "tp", expected R}}
  %0 = dtc.relu %a : (tensor<7x5xf32, #p>) -> tensor<7x5xf32, #p>
  return
}

// -----

#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>
#s0a = #dtc.layout<tp=2:S(0), pad(0:any)>

func.func @relu_claims_zero_pads(%a: tensor<7x5xf32, #s0a>) {
  // expected-error @below {{result has pads zero in dimension 0, expected any}}
  %0 = dtc.relu %a : (tensor<7x5xf32, #s0a>) -> tensor<7x5xf32, #s0z>
  return
}
