// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#mr = #dtc.layout<mb=2:R>
#mp = #dtc.layout<mb=2:P(sum)>

// The sum over the micro-batches.
// CHECK-LABEL: func.func @accumulate_gradient(
func.func @accumulate_gradient(%a: tensor<5x4xf32, #mp>) {
  // CHECK: dtc.accumulate %{{.+}} {reduce_dtype = f32} :
  %0 = dtc.accumulate %a {reduce_dtype = f32} : tensor<5x4xf32, #mp> -> tensor<5x4xf32, #mr>
  return
}
