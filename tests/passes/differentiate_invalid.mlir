// RUN: dtc-opt %s -split-input-file --dtc-differentiate -verify-diagnostics

// expected-error @below {{holds no function with dtc.step_kind = "train", expected the step that import makes}}
module @no_step {}

// -----

module @no_loss {
  // expected-error @below {{reports no "loss"}}
  func.func @step() attributes {dtc.step_kind = "train"} {
    return
  }
}

// -----

module @not_a_loss {
  dtc.variable @a : tensor<f32> {init = {kind = "ones"}, role = "parameter"}
  func.func @step() attributes {dtc.step_kind = "train"} {
    %a = dtc.read @a : tensor<f32>
    // expected-error @below {{reports a loss that no loss op makes}}
    dtc.report %a as "loss" : tensor<f32>
    return
  }
}

// -----

module @nothing_to_train {
  dtc.variable @dtc.loss_scale : tensor<f32> {init = {kind = "ones"}, role = "scalar"}
  func.func @step(%x: tensor<2x1xf32>, %valid: tensor<2xi32>) attributes {dtc.step_kind = "train"} {
    %scale = dtc.read @dtc.loss_scale : tensor<f32>
    %N = dtc.count_valid %valid {ignore = -100 : i64} : (tensor<2xi32>) -> tensor<i64>
    // expected-error @below {{depends on no trainable parameter}}
    %loss = dtc.linear_loss %x, %valid, %N, %scale {ignore = -100 : i64} : (tensor<2x1xf32>, tensor<2xi32>, tensor<i64>, tensor<f32>) -> tensor<f32>
    dtc.report %loss as "loss" : tensor<f32>
    return
  }
}
