// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#p = #dtc.layout<tp=2:P(sum)>
#on0 = #dtc.layout<pp=2:On{0}, tp=2:R>
#on1 = #dtc.layout<pp=2:On{1}, tp=2:R>
#pp01 = #dtc.layout<pp=2:P(sum){0,1}, tp=2:R>

// Two contributions to a cotangent.
// CHECK-LABEL: func.func @sum_global(
func.func @sum_global(%a: tensor<7x4xf32>, %b: tensor<7x4xf32>) {
  // CHECK: dtc.sum %{{.+}}, %{{.+}} {terms = {{\[\[}}"h0/skip"], ["h0/up"]]} :
  %0 = dtc.sum %a, %b {terms = [["h0/skip"], ["h0/up"]]}
     : (tensor<7x4xf32>, tensor<7x4xf32>) -> tensor<7x4xf32>
  return
}

// All in one linear state.
// CHECK-LABEL: func.func @sum_of_partials(
func.func @sum_of_partials(%a: tensor<f32, #p>, %b: tensor<f32, #p>) {
  // CHECK: dtc.sum %{{.+}}, %{{.+}} {terms = {{\[\[}}"a"], ["b"]]} :
  %0 = dtc.sum %a, %b {terms = [["a"], ["b"]]}
     : (tensor<f32, #p>, tensor<f32, #p>) -> tensor<f32, #p>
  return
}

// Operands on two stages, the result partial over both.
// CHECK-LABEL: func.func @sum_joins_stages(
func.func @sum_joins_stages(%a: tensor<f32, #on0>, %b: tensor<f32, #on1>) {
  // CHECK: dtc.sum %{{.+}}, %{{.+}} {terms = {{\[\[}}"a"], ["b"]]} :
  %0 = dtc.sum %a, %b {terms = [["a"], ["b"]]}
     : (tensor<f32, #on0>, tensor<f32, #on1>) -> tensor<f32, #pp01>
  return
}
