// The model graph of a two-layer block with a skip between an input and a head:
// odd widths, 7 rows, one label ignored. Tests of every pass start from it.
module @example attributes {
  dtc.plan = #dtc.plan<pp = 2, dp = 2, tp = 2, micro_batches = 2, zero = 1, schedule = "1f1b">,
  dtc.seed = 1 : i64, dtc.compute = f32,
  dtc.optimizer = {kind = "adamw", lr = 0.125, beta1 = 0.5, beta2 = 0.75, eps = 0.125, clip_norm = 3.0},
  dtc.loss_scale = {initial = 8.0, growth_interval = 2 : i64, growth = 2.0, backoff = 0.5}
} {
  dtc.variable @in.weight : tensor<4x2xf32> {init = {kind = "zeros"}, role = "parameter", decay = 0.25}
  dtc.variable @up.weight : tensor<5x4xf32> {init = {kind = "zeros"}, role = "parameter", decay = 0.25}
  dtc.variable @up.bias : tensor<5xf32> {init = {kind = "zeros"}, role = "parameter"}
  dtc.variable @down.weight : tensor<4x5xf32> {init = {kind = "zeros"}, role = "parameter", decay = 0.25}
  dtc.variable @down.bias : tensor<4xf32> {init = {kind = "zeros"}, role = "parameter"}
  dtc.variable @head.weight : tensor<3x4xf32> {init = {kind = "zeros"}, role = "parameter", decay = 0.25}
  dtc.variable @head.bias : tensor<3xf32> {init = {kind = "zeros"}, role = "parameter"}
  dtc.variable @dtc.step : tensor<i32> {init = {kind = "zeros"}, role = "scalar"}
  dtc.variable @dtc.loss_scale : tensor<f32> {init = {kind = "constant", value = 8.0}, role = "scalar"}
  dtc.variable @dtc.good_steps : tensor<i32> {init = {kind = "zeros"}, role = "scalar"}

  func.func @step(%x: tensor<7x2xf32> {dtc.input = "x"}, %label: tensor<7xi32> {dtc.input = "label"})
      attributes {dtc.step_kind = "train"} {
    %w_in = dtc.read @in.weight {dtc.name = "in.weight", dtc.phase = "forward"} : tensor<4x2xf32>
    %w_up = dtc.read @up.weight {dtc.name = "up.weight", dtc.phase = "forward"} : tensor<5x4xf32>
    %b_up = dtc.read @up.bias {dtc.name = "up.bias", dtc.phase = "forward"} : tensor<5xf32>
    %w_down = dtc.read @down.weight {dtc.name = "down.weight", dtc.phase = "forward"} : tensor<4x5xf32>
    %b_down = dtc.read @down.bias {dtc.name = "down.bias", dtc.phase = "forward"} : tensor<4xf32>
    %w_head = dtc.read @head.weight {dtc.name = "head.weight", dtc.phase = "forward"} : tensor<3x4xf32>
    %b_head = dtc.read @head.bias {dtc.name = "head.bias", dtc.phase = "forward"} : tensor<3xf32>
    %scale = dtc.read @dtc.loss_scale {dtc.name = "dtc.loss_scale", dtc.phase = "forward"} : tensor<f32>
    %a_in = dtc.matmul %x, %w_in {transpose_rhs, dtc.tp = "whole", dtc.name = "in.matmul", dtc.phase = "forward"} : (tensor<7x2xf32>, tensor<4x2xf32>) -> tensor<7x4xf32>
    %h0 = dtc.relu %a_in {dtc.residual, dtc.name = "in", dtc.phase = "forward"} : (tensor<7x4xf32>) -> tensor<7x4xf32>
    %a_up = dtc.matmul %h0, %w_up {transpose_rhs, dtc.tp = "column", dtc.name = "up.matmul", dtc.phase = "forward"} : (tensor<7x4xf32>, tensor<5x4xf32>) -> tensor<7x5xf32>
    %z_up = dtc.add %a_up, %b_up {dtc.name = "up.bias_add", dtc.phase = "forward"} : (tensor<7x5xf32>, tensor<5xf32>) -> tensor<7x5xf32>
    %h1 = dtc.relu %z_up {dtc.name = "up", dtc.phase = "forward"} : (tensor<7x5xf32>) -> tensor<7x5xf32>
    %a_down = dtc.matmul %h1, %w_down {transpose_rhs, dtc.tp = "row", dtc.name = "down.matmul", dtc.phase = "forward"} : (tensor<7x5xf32>, tensor<4x5xf32>) -> tensor<7x4xf32>
    %z_down = dtc.add %a_down, %b_down {dtc.name = "down.bias_add", dtc.phase = "forward"} : (tensor<7x4xf32>, tensor<4xf32>) -> tensor<7x4xf32>
    %h2 = dtc.add %h0, %z_down {dtc.residual, dtc.name = "down", dtc.phase = "forward"} : (tensor<7x4xf32>, tensor<7x4xf32>) -> tensor<7x4xf32>
    %a_head = dtc.matmul %h2, %w_head {transpose_rhs, dtc.tp = "column", dtc.name = "head.matmul", dtc.phase = "forward"} : (tensor<7x4xf32>, tensor<3x4xf32>) -> tensor<7x3xf32>
    %z = dtc.add %a_head, %b_head {dtc.name = "head", dtc.phase = "forward"} : (tensor<7x3xf32>, tensor<3xf32>) -> tensor<7x3xf32>
    %N = dtc.count_valid %label {ignore = -100 : i64, dtc.name = "loss.valid", dtc.phase = "forward"} : (tensor<7xi32>) -> tensor<i64>
    %max = dtc.row_max %z {dtc.name = "loss.max", dtc.phase = "forward"} : (tensor<7x3xf32>) -> tensor<7xf32>
    %sum = dtc.sum_exp %z, %max {dtc.name = "loss.sum_exp", dtc.phase = "forward"} : (tensor<7x3xf32>, tensor<7xf32>) -> tensor<7xf32>
    %pick = dtc.pick %z, %label {ignore = -100 : i64, dtc.name = "loss.pick", dtc.phase = "forward"} : (tensor<7x3xf32>, tensor<7xi32>) -> tensor<7xf32>
    %loss = dtc.cross_entropy %max, %sum, %pick, %label, %N, %scale {ignore = -100 : i64, dtc.name = "loss", dtc.phase = "forward"} : (tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xi32>, tensor<i64>, tensor<f32>) -> tensor<f32>
    dtc.report %loss as "loss" {dtc.name = "report.loss", dtc.phase = "forward"} : tensor<f32>
    dtc.report %N as "valid" {dtc.name = "report.valid", dtc.phase = "forward"} : tensor<i64>
    return
  }
  func.func @evaluate(%x: tensor<7x2xf32> {dtc.input = "x"}, %label: tensor<7xi32> {dtc.input = "label"})
      attributes {dtc.step_kind = "evaluate"} {
    %w_in = dtc.read @in.weight {dtc.name = "in.weight", dtc.phase = "forward"} : tensor<4x2xf32>
    %w_up = dtc.read @up.weight {dtc.name = "up.weight", dtc.phase = "forward"} : tensor<5x4xf32>
    %b_up = dtc.read @up.bias {dtc.name = "up.bias", dtc.phase = "forward"} : tensor<5xf32>
    %w_down = dtc.read @down.weight {dtc.name = "down.weight", dtc.phase = "forward"} : tensor<4x5xf32>
    %b_down = dtc.read @down.bias {dtc.name = "down.bias", dtc.phase = "forward"} : tensor<4xf32>
    %w_head = dtc.read @head.weight {dtc.name = "head.weight", dtc.phase = "forward"} : tensor<3x4xf32>
    %b_head = dtc.read @head.bias {dtc.name = "head.bias", dtc.phase = "forward"} : tensor<3xf32>
    %scale = dtc.read @dtc.loss_scale {dtc.name = "dtc.loss_scale", dtc.phase = "forward"} : tensor<f32>
    %a_in = dtc.matmul %x, %w_in {transpose_rhs, dtc.tp = "whole", dtc.name = "in.matmul", dtc.phase = "forward"} : (tensor<7x2xf32>, tensor<4x2xf32>) -> tensor<7x4xf32>
    %h0 = dtc.relu %a_in {dtc.residual, dtc.name = "in", dtc.phase = "forward"} : (tensor<7x4xf32>) -> tensor<7x4xf32>
    %a_up = dtc.matmul %h0, %w_up {transpose_rhs, dtc.tp = "column", dtc.name = "up.matmul", dtc.phase = "forward"} : (tensor<7x4xf32>, tensor<5x4xf32>) -> tensor<7x5xf32>
    %z_up = dtc.add %a_up, %b_up {dtc.name = "up.bias_add", dtc.phase = "forward"} : (tensor<7x5xf32>, tensor<5xf32>) -> tensor<7x5xf32>
    %h1 = dtc.relu %z_up {dtc.name = "up", dtc.phase = "forward"} : (tensor<7x5xf32>) -> tensor<7x5xf32>
    %a_down = dtc.matmul %h1, %w_down {transpose_rhs, dtc.tp = "row", dtc.name = "down.matmul", dtc.phase = "forward"} : (tensor<7x5xf32>, tensor<4x5xf32>) -> tensor<7x4xf32>
    %z_down = dtc.add %a_down, %b_down {dtc.name = "down.bias_add", dtc.phase = "forward"} : (tensor<7x4xf32>, tensor<4xf32>) -> tensor<7x4xf32>
    %h2 = dtc.add %h0, %z_down {dtc.residual, dtc.name = "down", dtc.phase = "forward"} : (tensor<7x4xf32>, tensor<7x4xf32>) -> tensor<7x4xf32>
    %a_head = dtc.matmul %h2, %w_head {transpose_rhs, dtc.tp = "column", dtc.name = "head.matmul", dtc.phase = "forward"} : (tensor<7x4xf32>, tensor<3x4xf32>) -> tensor<7x3xf32>
    %z = dtc.add %a_head, %b_head {dtc.name = "head", dtc.phase = "forward"} : (tensor<7x3xf32>, tensor<3xf32>) -> tensor<7x3xf32>
    %N = dtc.count_valid %label {ignore = -100 : i64, dtc.name = "loss.valid", dtc.phase = "forward"} : (tensor<7xi32>) -> tensor<i64>
    %max = dtc.row_max %z {dtc.name = "loss.max", dtc.phase = "forward"} : (tensor<7x3xf32>) -> tensor<7xf32>
    %sum = dtc.sum_exp %z, %max {dtc.name = "loss.sum_exp", dtc.phase = "forward"} : (tensor<7x3xf32>, tensor<7xf32>) -> tensor<7xf32>
    %pick = dtc.pick %z, %label {ignore = -100 : i64, dtc.name = "loss.pick", dtc.phase = "forward"} : (tensor<7x3xf32>, tensor<7xi32>) -> tensor<7xf32>
    %loss = dtc.cross_entropy %max, %sum, %pick, %label, %N, %scale {ignore = -100 : i64, dtc.name = "loss", dtc.phase = "forward"} : (tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xi32>, tensor<i64>, tensor<f32>) -> tensor<f32>
    %correct = dtc.count_correct %max, %pick, %label {ignore = -100 : i64, dtc.name = "correct", dtc.phase = "forward"} : (tensor<7xf32>, tensor<7xf32>, tensor<7xi32>) -> tensor<i64>
    dtc.report %loss as "loss" {dtc.name = "report.loss", dtc.phase = "forward"} : tensor<f32>
    dtc.report %N as "valid" {dtc.name = "report.valid", dtc.phase = "forward"} : tensor<i64>
    dtc.report %correct as "correct" {dtc.name = "report.correct", dtc.phase = "forward"} : tensor<i64>
    return
  }
}
