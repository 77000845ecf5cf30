// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>
#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>
#s0a = #dtc.layout<tp=2:S(0), pad(0:any)>
#s0f = #dtc.layout<tp=2:S(0), pad(0:fill)>
#s1a = #dtc.layout<tp=2:S(1), pad(1:any)>

// Pad rows have the ignore label.
// CHECK-LABEL: func.func @squared_error_split_rows(
func.func @squared_error_split_rows(
    %p: tensor<7x3xf32, #s0a>, %t: tensor<7x3xf32, #s0z>, %l: tensor<7xi32, #s0f>, %n: tensor<i64, #r>, %c: tensor<f32, #r>) {
  // CHECK: dtc.squared_error %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} {ignore = -100 : i64} :
  %0 = dtc.squared_error %p, %t, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7x3xf32, #s0a>, tensor<7x3xf32, #s0z>, tensor<7xi32, #s0f>, tensor<i64, #r>, tensor<f32, #r>) -> tensor<f32, #p>
  return
}

// Pad columns are skipped by global index.
// CHECK-LABEL: func.func @squared_error_split_columns(
func.func @squared_error_split_columns(
    %p: tensor<7x3xf32, #s1a>, %t: tensor<7x3xf32, #s1a>, %l: tensor<7xi32, #r>, %n: tensor<i64, #r>, %c: tensor<f32, #r>) {
  // CHECK: dtc.squared_error %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} {ignore = -100 : i64} :
  %0 = dtc.squared_error %p, %t, %l, %n, %c {ignore = -100 : i64}
     : (tensor<7x3xf32, #s1a>, tensor<7x3xf32, #s1a>, tensor<7xi32, #r>, tensor<i64, #r>, tensor<f32, #r>) -> tensor<f32, #p>
  return
}
