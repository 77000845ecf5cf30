// One linear layer 8 -> 4 without bias on a linear loss: P52.
module @linear attributes {
  dtc.plan = #dtc.plan<pp = 1, dp = 1, tp = 1, micro_batches = 1, zero = 0, schedule = "1f1b">,
  dtc.seed = 1 : i64, dtc.compute = f32,
  dtc.optimizer = {kind = "adamw", lr = 0.125, beta1 = 0.5, beta2 = 0.75, eps = 0.125}
} {
  dtc.variable @l.weight : tensor<4x8xf32> {init = {kind = "zeros"}, role = "parameter"}
  dtc.variable @dtc.step : tensor<i32> {init = {kind = "zeros"}, role = "scalar"}
  dtc.variable @dtc.loss_scale : tensor<f32> {init = {kind = "ones"}, role = "scalar"}
  dtc.variable @dtc.good_steps : tensor<i32> {init = {kind = "zeros"}, role = "scalar"}
  func.func @step(%x: tensor<6x8xf32> {dtc.input = "x"}, %valid: tensor<6xi32> {dtc.input = "valid"})
      attributes {dtc.step_kind = "train"} {
    %w = dtc.read @l.weight {dtc.name = "l.weight", dtc.phase = "forward"} : tensor<4x8xf32>
    %scale = dtc.read @dtc.loss_scale {dtc.name = "dtc.loss_scale", dtc.phase = "forward"} : tensor<f32>
    %y = dtc.matmul %x, %w {transpose_rhs, dtc.tp = "whole", dtc.name = "l", dtc.phase = "forward"} : (tensor<6x8xf32>, tensor<4x8xf32>) -> tensor<6x4xf32>
    %N = dtc.count_valid %valid {ignore = -100 : i64, dtc.name = "loss.valid", dtc.phase = "forward"} : (tensor<6xi32>) -> tensor<i64>
    %loss = dtc.linear_loss %y, %valid, %N, %scale {ignore = -100 : i64, dtc.name = "loss", dtc.phase = "forward"} : (tensor<6x4xf32>, tensor<6xi32>, tensor<i64>, tensor<f32>) -> tensor<f32>
    dtc.report %loss as "loss" {dtc.name = "report.loss", dtc.phase = "forward"} : tensor<f32>
    dtc.report %N as "valid" {dtc.name = "report.valid", dtc.phase = "forward"} : tensor<i64>
    return
  }
}
