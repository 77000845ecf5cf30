// Models that no layout can serve, refused by the name of the op.
// RUN: dtc-opt %s --dtc-assign-layouts -split-input-file -verify-diagnostics

// A mean over the batch exists only after the last micro-batch.
module @batch_mean attributes {dtc.plan = #dtc.plan<pp = 1, dp = 2, tp = 1, micro_batches = 2>} {
  dtc.variable @w : tensor<3x2xf32> {init = {kind = "zeros"}, role = "parameter"}
  func.func @step(%x: tensor<4x2xf32> {dtc.input = "x"}) attributes {dtc.step_kind = "train"} {
    %w = dtc.read @w {dtc.name = "w", dtc.phase = "forward", dtc.stages = array<i64: 0>} : tensor<3x2xf32>
    %h = dtc.matmul %x, %w {transpose_rhs, dtc.name = "h", dtc.phase = "forward", dtc.stages = array<i64: 0>} : (tensor<4x2xf32>, tensor<3x2xf32>) -> tensor<4x3xf32>
    %mean = dtc.reduce_sum %h {dims = array<i64: 0>, dtc.name = "norm.mean", dtc.phase = "forward", dtc.stages = array<i64: 0>} : (tensor<4x3xf32>) -> tensor<3xf32>
    // expected-error @below {{norm: operand rhs (norm.mean) is a reduction over the micro-batches and is used inside the loop over them, where it does not exist yet}}
    %y = dtc.mul %h, %mean {dtc.name = "norm", dtc.phase = "forward", dtc.stages = array<i64: 0>} : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
    %z = dtc.relu %y {dtc.name = "z", dtc.phase = "forward", dtc.stages = array<i64: 0>} : (tensor<4x3xf32>) -> tensor<4x3xf32>
    %s = dtc.reduce_sum %z {dims = array<i64: 0, 1>, dtc.name = "s", dtc.phase = "forward", dtc.stages = array<i64: 0>} : (tensor<4x3xf32>) -> tensor<f32>
    dtc.report %s as "loss" {dtc.name = "report.loss", dtc.phase = "forward", dtc.stages = array<i64: 0>} : tensor<f32>
    return
  }
}

// -----

// Samples are never gathered over dp.
module @samples_change_places attributes {dtc.plan = #dtc.plan<pp = 1, dp = 2, tp = 1, micro_batches = 2>} {
  func.func @step(%x: tensor<4x4xf32> {dtc.input = "x"}) attributes {dtc.step_kind = "train"} {
    %t = dtc.transpose %x {permutation = array<i64: 1, 0>, dtc.name = "turn", dtc.phase = "forward", dtc.stages = array<i64: 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    // expected-error @below {{both: no rule over axis "dp" fits what the operands hold (S(0), S(1)), expected (R, R) or (S(0), S(0)) or (S(1), S(1)) or (P(sum), P(sum)); nothing but parameters and their gradients is gathered over "dp" or "mb"}}
    %y = dtc.add %x, %t {dtc.name = "both", dtc.phase = "forward", dtc.stages = array<i64: 0>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %s = dtc.reduce_sum %y {dims = array<i64: 0, 1>, dtc.name = "s", dtc.phase = "forward", dtc.stages = array<i64: 0>} : (tensor<4x4xf32>) -> tensor<f32>
    dtc.report %s as "loss" {dtc.name = "report.loss", dtc.phase = "forward", dtc.stages = array<i64: 0>} : tensor<f32>
    return
  }
}

// -----

module @no_stages attributes {dtc.plan = #dtc.plan<pp = 1, dp = 2, tp = 1, micro_batches = 2>} {
  func.func @step(%x: tensor<4x4xf32> {dtc.input = "x"}) attributes {dtc.step_kind = "train"} {
    // expected-error @below {{s: has no dtc.stages, run dtc-assign-stages before dtc-assign-layouts}}
    %s = dtc.reduce_sum %x {dims = array<i64: 0, 1>, dtc.name = "s", dtc.phase = "forward"} : (tensor<4x4xf32>) -> tensor<f32>
    dtc.report %s as "loss" {dtc.name = "report.loss", dtc.phase = "forward", dtc.stages = array<i64: 0>} : tensor<f32>
    return
  }
}
