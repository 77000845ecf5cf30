// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @constant_c1_shape() {
  // expected-error @below {{C1: result is 7xf32, expected 5xf32}}
  %0 = dtc.constant dense<1.0> : tensor<5xf32> : tensor<7xf32>
  return
}

// -----

#p = #dtc.layout<tp=2:P(sum)>

// It would count on each coordinate.
func.func @constant_is_no_addend() {
  // expected-error @below {{result holds P(sum) on axis "tp", expected R}}
  %0 = dtc.constant dense<1.0> : tensor<5xf32> : tensor<5xf32, #p>
  return
}
