// RUN: dtc-opt %s | dtc-opt | FileCheck %s

// Layouts print as aliases, each once.
// CHECK-DAG: #[[ALL:.+]] = #dtc.layout<pp=4:On{0,3}, dp=2:S(0), tp=2:P(max), mb=3:S(0), pad(0:any)>
// CHECK-DAG: #[[SUM:.+]] = #dtc.layout<pp=4:P(sum){0,3}, dp=2:P(sum), tp=2:R, mb=3:R>
// CHECK-DAG: #[[FACTORS:.+]] = #dtc.layout<tp.a=2:S(0), tp.b=2:R>
// CHECK-DAG: #[[BUCKET:.+]] = #dtc.layout<dp=2:S(0), tp=2:X, pad(0:zero)>
#all = #dtc.layout<pp=4:On{0,3}, dp=2:S(0), tp=2:P(max), mb=3:S(0), pad(0:any)>
#sum = #dtc.layout<pp=4:P(sum){0,3}, dp=2:P(sum), tp=2:R, mb=3:R>
#factors = #dtc.layout<tp.a=2:S(0), tp.b=2:R>
#bucket = #dtc.layout<dp=2:S(0), tp=2:X, pad(0:zero)>

// CHECK: module attributes {dtc.plan = #dtc.plan<pp = 2, tp = 3, micro_batches = 2, schedule = gpipe>}
module attributes {dtc.plan = #dtc.plan<pp = 2, tp = 3, micro_batches = 2, schedule = gpipe>} {
  // CHECK: func.func private @global(tensor<7x4xf32, #[[ALL]]>, tensor<f32, #[[SUM]]>)
  func.func private @global(tensor<7x4xf32, #all>, tensor<f32, #sum>)
  // CHECK: func.func private @axes(tensor<4xf32, #[[FACTORS]]>, tensor<15xf32, #[[BUCKET]]>)
  func.func private @axes(tensor<4xf32, #factors>, tensor<15xf32, #bucket>)
  // A block of 4 rows over dp, of 2 within it over mb.
  // CHECK: func.func private @local(tensor<2x4xf32, #dtc.local<7x4, #[[ALL]]>>, tensor<f32, #dtc.local<scalar, #[[SUM]]>>)
  func.func private @local(tensor<2x4xf32, #dtc.local<7x4, #all>>, tensor<f32, #dtc.local<scalar, #sum>>)
}
