// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#on0 = #dtc.layout<pp=2:On{0}, tp=2:R>
#on1 = #dtc.layout<pp=2:On{1}, tp=2:R>
#por01 = #dtc.layout<pp=2:P(or){0,1}, tp=2:R>

// Idempotent, so a term may stand twice.
// CHECK-LABEL: func.func @or_of_equal_terms(
func.func @or_of_equal_terms(%a: tensor<i32>, %b: tensor<i32>) {
  // CHECK: dtc.or %{{.+}}, %{{.+}} {terms = {{\[\[}}"a"], ["a"]]} :
  %0 = dtc.or %a, %b {terms = [["a"], ["a"]]} : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return
}

// Operands on two stages.
// CHECK-LABEL: func.func @or_joins_stages(
func.func @or_joins_stages(%a: tensor<i32, #on0>, %b: tensor<i32, #on1>) {
  // CHECK: dtc.or %{{.+}}, %{{.+}} {terms = {{\[\[}}"a"], ["b"]]} :
  %0 = dtc.or %a, %b {terms = [["a"], ["b"]]}
     : (tensor<i32, #on0>, tensor<i32, #on1>) -> tensor<i32, #por01>
  return
}
