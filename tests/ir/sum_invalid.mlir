// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @sum_c1_no_operand() {
  // expected-error @below {{C1: has no operand, expected one or more}}
  %0 = dtc.sum {terms = []} : () -> tensor<7x4xf32>
  return
}

// -----

func.func @sum_c1_operand_shape(%a: tensor<7x4xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{C1: operand 1 is 4xf32, expected 7x4xf32}}
  %0 = dtc.sum %a, %b {terms = [["a"], ["b"]]}
     : (tensor<7x4xf32>, tensor<4xf32>) -> tensor<7x4xf32>
  return
}

// -----

func.func @sum_c2_one_set_missing(%a: tensor<7x4xf32>, %b: tensor<7x4xf32>) {
  // expected-error @below {{C2: terms lists 1 sets, expected one for each of the 2 operands}}
  %0 = dtc.sum %a, %b {terms = [["a"]]} : (tensor<7x4xf32>, tensor<7x4xf32>) -> tensor<7x4xf32>
  return
}

// -----

func.func @sum_c2_no_names(%a: tensor<7x4xf32>, %b: tensor<7x4xf32>) {
  // expected-error @below {{C2: terms of operand 1 is [], expected a list of contribution names}}
  %0 = dtc.sum %a, %b {terms = [["a"], []]}
     : (tensor<7x4xf32>, tensor<7x4xf32>) -> tensor<7x4xf32>
  return
}

// -----

func.func @sum_c2_term_twice(%a: tensor<7x4xf32>, %b: tensor<7x4xf32>) {
  // expected-error @below {{C2: term "h0/up" stands twice, so the contribution would count twice}}
  %0 = dtc.sum %a, %b {terms = [["h0/up"], ["h0/skip", "h0/up"]]}
     : (tensor<7x4xf32>, tensor<7x4xf32>) -> tensor<7x4xf32>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>

func.func @sum_of_partial_and_whole(%a: tensor<f32, #p>, %b: tensor<f32, #r>) {
  // expected-error @below {{the term of b holds R on axis "tp", expected P(sum)}}
  %0 = dtc.sum %a, %b {terms = [["a"], ["b"]]}
     : (tensor<f32, #p>, tensor<f32, #r>) -> tensor<f32, #p>
  return
}

// -----

#on0 = #dtc.layout<pp=2:On{0}, tp=2:R>
#on1 = #dtc.layout<pp=2:On{1}, tp=2:R>

func.func @sum_over_stages_is_partial(%a: tensor<f32, #on0>, %b: tensor<f32, #on1>) {
  // expected-error @below {{the term of b holds On{1} on axis "pp", expected On{0} as result holds On{0}}}
  %0 = dtc.sum %a, %b {terms = [["a"], ["b"]]}
     : (tensor<f32, #on0>, tensor<f32, #on1>) -> tensor<f32, #on0>
  return
}
