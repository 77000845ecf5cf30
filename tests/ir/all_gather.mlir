// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#r = #dtc.layout<tp=2:R>
#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>
#dstr = #dtc.layout<dp=2:S(0), tp=2:R>
#dsts = #dtc.layout<dp=2:S(0), tp=2:S(0)>

// The pad goes.
// CHECK-LABEL: func.func @all_gather_crops(
func.func @all_gather_crops(%a: tensor<15xf32, #s0z>) {
  // CHECK: dtc.all_gather %{{.+}} over "tp" :
  %0 = dtc.all_gather %a over "tp" : tensor<15xf32, #s0z> -> tensor<15xf32, #r>
  return
}

// Within the block of dp.
// CHECK-LABEL: func.func @all_gather_inner(
func.func @all_gather_inner(%a: tensor<8xf32, #dsts>) {
  // CHECK: dtc.all_gather %{{.+}} over "tp" :
  %0 = dtc.all_gather %a over "tp" : tensor<8xf32, #dsts> -> tensor<8xf32, #dstr>
  return
}
