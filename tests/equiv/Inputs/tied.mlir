// One weight used three times, a frozen bias, an unused parameter, and a value
// (r) with three users on up to three stages: sums that assign-stages must cut.
module @tied attributes {
  dtc.plan = #dtc.plan<pp = 2, dp = 2, tp = 1, micro_batches = 2, zero = 1, schedule = "1f1b">,
  dtc.seed = 1 : i64, dtc.compute = f32,
  dtc.optimizer = {kind = "adamw", lr = 0.125, beta1 = 0.5, beta2 = 0.75, eps = 0.125, clip_norm = 3.0}} {
  dtc.variable @w : tensor<3x3xf32> {init = {kind = "normal", mean = 0.0, std = 1.0}, role = "parameter"}
  dtc.variable @b : tensor<3xf32> {init = {kind = "normal", mean = 0.0, std = 1.0}, role = "parameter", frozen}
  dtc.variable @u : tensor<3xf32> {init = {kind = "normal", mean = 0.0, std = 1.0}, role = "parameter"}
  dtc.variable @dtc.step : tensor<i32> {init = {kind = "zeros"}, role = "scalar"}
  dtc.variable @dtc.loss_scale : tensor<f32> {init = {kind = "constant", value = 8.0}, role = "scalar"}
  dtc.variable @dtc.good_steps : tensor<i32> {init = {kind = "zeros"}, role = "scalar"}
  func.func @step(%x: tensor<5x3xf32> {dtc.input = "x"}, %valid: tensor<5xi32> {dtc.input = "valid"})
      attributes {dtc.step_kind = "train"} {
    %w = dtc.read @w {dtc.name = "w", dtc.phase = "forward"} : tensor<3x3xf32>
    %b = dtc.read @b {dtc.name = "b", dtc.phase = "forward"} : tensor<3xf32>
    %scale = dtc.read @dtc.loss_scale {dtc.name = "dtc.loss_scale", dtc.phase = "forward"} : tensor<f32>
    %0 = dtc.matmul %x, %w {transpose_rhs, dtc.tp="whole", dtc.name = "l1", dtc.phase = "forward"} : (tensor<5x3xf32>, tensor<3x3xf32>) -> tensor<5x3xf32>
    %r = dtc.relu %0 {dtc.name = "r", dtc.phase = "forward"} : (tensor<5x3xf32>) -> tensor<5x3xf32>
    %1 = dtc.matmul %r, %w {transpose_rhs, dtc.tp="whole", dtc.name = "l2.matmul", dtc.phase = "forward"} : (tensor<5x3xf32>, tensor<3x3xf32>) -> tensor<5x3xf32>
    %2 = dtc.add %1, %b {dtc.name = "l2", dtc.phase = "forward"} : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
    %3 = dtc.add %2, %r {dtc.name = "l3", dtc.phase = "forward"} : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
    %4 = dtc.matmul %3, %w {transpose_rhs, dtc.tp="whole", dtc.name = "l4.m", dtc.phase = "forward"} : (tensor<5x3xf32>, tensor<3x3xf32>) -> tensor<5x3xf32>
    %5 = dtc.add %4, %r {dtc.name = "l4", dtc.phase = "forward"} : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
    %N = dtc.count_valid %valid {ignore = -100 : i64, dtc.name = "loss.valid", dtc.phase = "forward"} : (tensor<5xi32>) -> tensor<i64>
    %loss = dtc.linear_loss %5, %valid, %N, %scale {ignore = -100 : i64, dtc.name = "loss", dtc.phase = "forward"} : (tensor<5x3xf32>, tensor<5xi32>, tensor<i64>, tensor<f32>) -> tensor<f32>
    dtc.report %loss as "loss" {dtc.name = "report.loss", dtc.phase = "forward"} : tensor<f32>
    dtc.report %N as "valid" {dtc.name = "report.valid", dtc.phase = "forward"} : tensor<i64>
    return
  }
}
