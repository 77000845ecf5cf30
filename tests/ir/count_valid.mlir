// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#p = #dtc.layout<tp=2:P(sum)>
#s0f = #dtc.layout<tp=2:S(0), pad(0:fill)>

// Pads are ignored labels.
// CHECK-LABEL: func.func @count_valid_of_a_shard(
func.func @count_valid_of_a_shard(%l: tensor<7xi32, #s0f>) {
  // CHECK: dtc.count_valid %{{.+}} {ignore = -100 : i64} :
  %0 = dtc.count_valid %l {ignore = -100 : i64} : (tensor<7xi32, #s0f>) -> tensor<i64, #p>
  return
}
