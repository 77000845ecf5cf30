// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#r = #dtc.layout<tp=2:R>
#s0 = #dtc.layout<tp=2:S(0)>
#s1 = #dtc.layout<tp=2:S(1)>
#p = #dtc.layout<tp=2:P(sum)>
#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>
#s0a = #dtc.layout<tp=2:S(0), pad(0:any)>

// No layout yet.
// CHECK-LABEL: func.func @matmul_global(
func.func @matmul_global(%a: tensor<7x4xf32>, %b: tensor<4x5xf32>) {
  // CHECK: dtc.matmul %{{.+}}, %{{.+}} :
  %0 = dtc.matmul %a, %b : (tensor<7x4xf32>, tensor<4x5xf32>) -> tensor<7x5xf32>
  return
}

// A weight [out, in] split by columns of the result.
// CHECK-LABEL: func.func @matmul_column_parallel(
func.func @matmul_column_parallel(%a: tensor<7x4xf32, #r>, %b: tensor<6x4xf32, #s0>) {
  // CHECK: dtc.matmul %{{.+}}, %{{.+}} {transpose_rhs} :
  %0 = dtc.matmul %a, %b {transpose_rhs}
     : (tensor<7x4xf32, #r>, tensor<6x4xf32, #s0>) -> tensor<7x6xf32, #s1>
  return
}

// Rows are contracted; pads are zero in one factor, which is enough.
// CHECK-LABEL: func.func @matmul_weight_gradient(
func.func @matmul_weight_gradient(%a: tensor<7x5xf32, #s0z>, %b: tensor<7x4xf32, #s0a>) {
  // CHECK: dtc.matmul %{{.+}}, %{{.+}} {reduce_dtype = f32, transpose_lhs} :
  %0 = dtc.matmul %a, %b {reduce_dtype = f32, transpose_lhs}
     : (tensor<7x5xf32, #s0z>, tensor<7x4xf32, #s0a>) -> tensor<5x4xf32, #p>
  return
}

// Linear in each operand.
// CHECK-LABEL: func.func @matmul_of_partial(
func.func @matmul_of_partial(%a: tensor<7x4xf32, #p>, %b: tensor<4x5xf32, #r>) {
  // CHECK: dtc.matmul %{{.+}}, %{{.+}} :
  %0 = dtc.matmul %a, %b : (tensor<7x4xf32, #p>, tensor<4x5xf32, #r>) -> tensor<7x5xf32, #p>
  return
}
