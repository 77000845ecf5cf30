// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#r = #dtc.layout<tp=2:R>

// N of a loss that is a sum.
// CHECK-LABEL: func.func @constant_divisor(
func.func @constant_divisor() {
  // CHECK: dtc.constant dense<1> : tensor<i64> :
  %0 = dtc.constant dense<1> : tensor<i64> : tensor<i64, #r>
  return
}
