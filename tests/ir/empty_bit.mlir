// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#r = #dtc.layout<tp=2:R>

// N of all.
// CHECK-LABEL: func.func @empty_bit_whole(
func.func @empty_bit_whole(%n: tensor<i64, #r>) {
  // CHECK: dtc.empty_bit %{{.+}} :
  %0 = dtc.empty_bit %n : (tensor<i64, #r>) -> tensor<i32, #r>
  return
}
