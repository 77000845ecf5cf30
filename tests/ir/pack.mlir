// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#p = #dtc.layout<tp=2:P(sum)>
#x = #dtc.layout<tp=2:X>
#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>
#s1z = #dtc.layout<tp=2:S(1), pad(1:zero)>

// Partial gradients make a partial bucket.
// CHECK-LABEL: func.func @pack_whole(
func.func @pack_whole(%a: tensor<5x4xf32, #p>, %b: tensor<5xf32, #p>) {
  // CHECK: dtc.pack %{{.+}}, %{{.+}} {bucket = "b"} :
  %0 = dtc.pack %a, %b {bucket = "b"}
     : (tensor<5x4xf32, #p>, tensor<5xf32, #p>) -> tensor<25xf32, #p>
  return
}

// Each member splits a dimension of its own.
// CHECK-LABEL: func.func @pack_split(
func.func @pack_split(%a: tensor<4x5xf32, #s1z>, %b: tensor<5xf32, #s0z>) {
  // CHECK: dtc.pack %{{.+}}, %{{.+}} {bucket = "b"} :
  %0 = dtc.pack %a, %b {bucket = "b"}
     : (tensor<4x5xf32, #s1z>, tensor<5xf32, #s0z>) -> tensor<15xf32, #x>
  return
}
