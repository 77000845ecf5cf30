// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @unpack_c1_element_type(%b: tensor<25xf32>) {
  // expected-error @below {{C1: member 1 is 5xf64, the bucket 25xf32, expected one element type}}
  %0:2 = dtc.unpack %b : (tensor<25xf32>) -> (tensor<5x4xf32>, tensor<5xf64>)
  return
}

// -----

func.func @unpack_c2_length(%b: tensor<24xf32>) {
  // expected-error @below {{C2: bucket is 24xf32, expected 25xf32}}
  %0:2 = dtc.unpack %b : (tensor<24xf32>) -> (tensor<5x4xf32>, tensor<5xf32>)
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>

// A member is a view of the whole bucket.
func.func @unpack_before_the_gather(%b: tensor<25xf32, #s0z>) {
  // expected-error @below {{operand bucket holds S(0) on axis "tp", expected R}}
  %0:2 = dtc.unpack %b : (tensor<25xf32, #s0z>) -> (tensor<5x4xf32, #r>, tensor<5xf32, #r>)
  return
}
