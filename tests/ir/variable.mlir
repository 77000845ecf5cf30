// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#s = #dtc.layout<tp=2:S(0), pad(0:zero)>
#x = #dtc.layout<tp=2:X>

// CHECK: dtc.variable @w : tensor<5x4xf32> {decay = 2.500000e-01 : f64, init = {kind = "normal", mean = 0.000000e+00 : f64, std = 2.000000e-02 : f64}, role = "parameter"}
dtc.variable @w : tensor<5x4xf32>
  {decay = 0.25 : f64, init = {kind = "normal", mean = 0.0, std = 0.02}, role = "parameter"}
// CHECK: dtc.variable @w.m : tensor<5x4xf32> {init = {kind = "zeros"}, of = @w, role = "state"}
dtc.variable @w.m : tensor<5x4xf32> {init = {kind = "zeros"}, of = @w, role = "state"}
dtc.variable @b0 : tensor<15xf32, #x>
  {init = {kind = "zeros"}, role = "parameter", members = [@up.weight, @up.bias],
   member_types = [tensor<5x4xf32>, tensor<5xf32>]}

// CHECK-LABEL: func.func @reads_and_stores(
func.func @reads_and_stores(%loss: tensor<f32>) {
  // A layout may come before the variable has one.
  // CHECK: dtc.read @w : tensor<5x4xf32, #{{.+}}>
  %0 = dtc.read @w : tensor<5x4xf32, #s>
  // CHECK: dtc.store %{{.+}}, @w.m : tensor<5x4xf32, #{{.+}}>
  dtc.store %0, @w.m : tensor<5x4xf32, #s>
  // The step graph reads variables that a bucket has replaced.
  // CHECK: dtc.read @up.bias : tensor<5xf32>
  %1 = dtc.read @up.bias : tensor<5xf32>
  // CHECK: dtc.report %{{.+}} as "loss" : tensor<f32>
  dtc.report %loss as "loss" : tensor<f32>
  return
}
