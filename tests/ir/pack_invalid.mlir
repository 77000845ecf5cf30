// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @pack_c1_no_member() {
  // expected-error @below {{C1: has no member, expected one or more}}
  %0 = dtc.pack {bucket = "b"} : () -> tensor<1xf32>
  return
}

// -----

func.func @pack_c1_element_type(%a: tensor<5x4xf32>, %b: tensor<5xbf16>) {
  // expected-error @below {{C1: member 1 is 5xbf16, the bucket 25xf32, expected one element type}}
  %0 = dtc.pack %a, %b {bucket = "b"} : (tensor<5x4xf32>, tensor<5xbf16>) -> tensor<25xf32>
  return
}

// -----

func.func @pack_c2_length(%a: tensor<5x4xf32>, %b: tensor<5xf32>) {
  // expected-error @below {{C2: bucket is 24xf32, expected 25xf32}}
  %0 = dtc.pack %a, %b {bucket = "b"} : (tensor<5x4xf32>, tensor<5xf32>) -> tensor<24xf32>
  return
}

// -----

#x = #dtc.layout<tp=2:X>
#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>

// One coordinate packs 3x4 and 3.
func.func @pack_c2_global_length_of_an_opaque(
    %a: tensor<5x4xf32, #s0z>, %b: tensor<5xf32, #s0z>) {
  // expected-error @below {{C2: bucket is 25xf32, expected 15xf32}}
  %0 = dtc.pack %a, %b {bucket = "b"}
     : (tensor<5x4xf32, #s0z>, tensor<5xf32, #s0z>) -> tensor<25xf32, #x>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>

func.func @pack_of_partial_and_whole(%a: tensor<5x4xf32, #p>, %b: tensor<5xf32, #r>) {
  // expected-error @below {{member 1 holds R on axis "tp", expected P(sum)}}
  %0 = dtc.pack %a, %b {bucket = "b"}
     : (tensor<5x4xf32, #p>, tensor<5xf32, #r>) -> tensor<25xf32, #p>
  return
}

// -----

#mp = #dtc.layout<mb=2:P(sum)>

func.func @pack_before_accumulation(%a: tensor<5x4xf32, #mp>, %b: tensor<5xf32, #mp>) {
  // expected-error @below {{member 0 holds P(sum) on axis "mb", expected R}}
  %0 = dtc.pack %a, %b {bucket = "b"}
     : (tensor<5x4xf32, #mp>, tensor<5xf32, #mp>) -> tensor<25xf32, #mp>
  return
}

// -----

#x = #dtc.layout<tp=2:X>
#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>
#s0a = #dtc.layout<tp=2:S(0), pad(0:any)>

// Pads become elements of the bucket, which the norm sums.
func.func @pack_any_pads(%a: tensor<5x4xf32, #s0z>, %b: tensor<5xf32, #s0a>) {
  // expected-error @below {{member 1 has pads any in dimension 0, expected zero}}
  %0 = dtc.pack %a, %b {bucket = "b"}
     : (tensor<5x4xf32, #s0z>, tensor<5xf32, #s0a>) -> tensor<15xf32, #x>
  return
}
