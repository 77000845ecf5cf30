// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#r = #dtc.layout<tp=2:R>
#p = #dtc.layout<tp=2:P(sum)>
#max = #dtc.layout<tp=2:P(max)>
#on01 = #dtc.layout<pp=2:On{0,1}, tp=2:R>
#pp01 = #dtc.layout<pp=2:P(sum){0,1}, tp=2:R>
#dr = #dtc.layout<dp=2:R, tp=2:R>
#dptp = #dtc.layout<dp=2:P(sum), tp=2:P(sum)>

// One axis.
// CHECK-LABEL: func.func @all_reduce_sum(
func.func @all_reduce_sum(%a: tensor<4xf32, #p>) {
  // CHECK: dtc.all_reduce sum %{{.+}} over ["tp"] {reduce_dtype = f32} :
  %0 = dtc.all_reduce sum %a over ["tp"] {reduce_dtype = f32}
     : tensor<4xf32, #p> -> tensor<4xf32, #r>
  return
}

// Another kind.
// CHECK-LABEL: func.func @all_reduce_max(
func.func @all_reduce_max(%a: tensor<7xf32, #max>) {
  // CHECK: dtc.all_reduce max %{{.+}} over ["tp"] :
  %0 = dtc.all_reduce max %a over ["tp"] : tensor<7xf32, #max> -> tensor<7xf32, #r>
  return
}

// One group over both.
// CHECK-LABEL: func.func @all_reduce_two_axes(
func.func @all_reduce_two_axes(%a: tensor<f32, #dptp>) {
  // CHECK: dtc.all_reduce sum %{{.+}} over ["dp", "tp"] :
  %0 = dtc.all_reduce sum %a over ["dp", "tp"] : tensor<f32, #dptp> -> tensor<f32, #dr>
  return
}

// Over the stages of a set.
// CHECK-LABEL: func.func @all_reduce_stages(
func.func @all_reduce_stages(%a: tensor<f32, #pp01>) {
  // CHECK: dtc.all_reduce sum %{{.+}} over ["pp"] :
  %0 = dtc.all_reduce sum %a over ["pp"] : tensor<f32, #pp01> -> tensor<f32, #on01>
  return
}
