// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#p = #dtc.layout<tp=2:P(sum)>
#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>

// All addends see the same numbers.
// CHECK-LABEL: func.func @dropout_of_partial(
func.func @dropout_of_partial(%a: tensor<7x5xf32, #p>) {
  // CHECK: dtc.dropout %{{.+}} {key = "d", rate = 5.000000e-01 : f64} :
  %0 = dtc.dropout %a {key = "d", rate = 5.000000e-01 : f64}
     : (tensor<7x5xf32, #p>) -> tensor<7x5xf32, #p>
  return
}

// The number follows from the global index.
// CHECK-LABEL: func.func @dropout_of_a_shard(
func.func @dropout_of_a_shard(%a: tensor<7x5xf32, #s0z>) {
  // CHECK: dtc.dropout %{{.+}} {key = "d", rate = 5.000000e-01 : f64} :
  %0 = dtc.dropout %a {key = "d", rate = 5.000000e-01 : f64}
     : (tensor<7x5xf32, #s0z>) -> tensor<7x5xf32, #s0z>
  return
}
