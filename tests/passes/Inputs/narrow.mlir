// A narrow model without a residual stream: odd widths, dropout, five rows, and
// more linear layers than a column and a row. Tests of layouts start from it.
module @narrow attributes {
  dtc.plan = #dtc.plan<pp = 1, dp = 2, tp = 2, micro_batches = 2, zero = 1, schedule = "1f1b">,
  dtc.seed = 7 : i64, dtc.compute = f32,
  dtc.optimizer = {kind = "adamw", lr = 0.125, beta1 = 0.5, beta2 = 0.75, eps = 0.125, clip_norm = 1.5},
  dtc.loss_scale = {initial = 8.0, growth_interval = 2 : i64, growth = 2.0, backoff = 0.5}
} {
  dtc.variable @first.weight : tensor<3x2xf32> {init = {kind = "normal", mean = 0.0, std = 0.5}, role = "parameter", decay = 0.25}
  dtc.variable @first.bias : tensor<3xf32> {init = {kind = "normal", mean = 0.0, std = 0.5}, role = "parameter"}
  dtc.variable @middle.weight : tensor<5x3xf32> {init = {kind = "normal", mean = 0.0, std = 0.5}, role = "parameter", decay = 0.25}
  dtc.variable @last.weight : tensor<2x5xf32> {init = {kind = "normal", mean = 0.0, std = 0.5}, role = "parameter", decay = 0.25}
  dtc.variable @last.bias : tensor<2xf32> {init = {kind = "normal", mean = 0.0, std = 0.5}, role = "parameter"}
  dtc.variable @head.weight : tensor<3x2xf32> {init = {kind = "normal", mean = 0.0, std = 0.5}, role = "parameter", decay = 0.25}
  dtc.variable @head.bias : tensor<3xf32> {init = {kind = "normal", mean = 0.0, std = 0.5}, role = "parameter"}
  dtc.variable @dtc.step : tensor<i32> {init = {kind = "zeros"}, role = "scalar"}
  dtc.variable @dtc.loss_scale : tensor<f32> {init = {kind = "constant", value = 8.0}, role = "scalar"}
  dtc.variable @dtc.good_steps : tensor<i32> {init = {kind = "zeros"}, role = "scalar"}

  func.func @step(%x: tensor<5x2xf32> {dtc.input = "x"}, %label: tensor<5xi32> {dtc.input = "label"})
      attributes {dtc.step_kind = "train"} {
    %scale = dtc.read @dtc.loss_scale {dtc.name = "dtc.loss_scale", dtc.phase = "forward"} : tensor<f32>
    %w_first = dtc.read @first.weight {dtc.name = "first.weight", dtc.phase = "forward"} : tensor<3x2xf32>
    %a_first = dtc.matmul %x, %w_first {transpose_rhs, dtc.name = "first.matmul", dtc.phase = "forward"} : (tensor<5x2xf32>, tensor<3x2xf32>) -> tensor<5x3xf32>
    %b_first = dtc.read @first.bias {dtc.name = "first.bias", dtc.phase = "forward"} : tensor<3xf32>
    %z_first = dtc.add %a_first, %b_first {dtc.name = "first.bias_add", dtc.phase = "forward"} : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
    %r_first = dtc.relu %z_first {dtc.name = "first.relu", dtc.phase = "forward"} : (tensor<5x3xf32>) -> tensor<5x3xf32>
    %d_first = dtc.dropout %r_first {rate = 0.25, key = "first.dropout", dtc.name = "first", dtc.phase = "forward"} : (tensor<5x3xf32>) -> tensor<5x3xf32>
    %w_middle = dtc.read @middle.weight {dtc.name = "middle.weight", dtc.phase = "forward"} : tensor<5x3xf32>
    %a_middle = dtc.matmul %d_first, %w_middle {transpose_rhs, dtc.name = "middle.matmul", dtc.phase = "forward"} : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x5xf32>
    %r_middle = dtc.relu %a_middle {dtc.name = "middle", dtc.phase = "forward"} : (tensor<5x5xf32>) -> tensor<5x5xf32>
    %w_last = dtc.read @last.weight {dtc.name = "last.weight", dtc.phase = "forward"} : tensor<2x5xf32>
    %a_last = dtc.matmul %r_middle, %w_last {transpose_rhs, dtc.name = "last.matmul", dtc.phase = "forward"} : (tensor<5x5xf32>, tensor<2x5xf32>) -> tensor<5x2xf32>
    %b_last = dtc.read @last.bias {dtc.name = "last.bias", dtc.phase = "forward"} : tensor<2xf32>
    %z_last = dtc.add %a_last, %b_last {dtc.name = "last.bias_add", dtc.phase = "forward"} : (tensor<5x2xf32>, tensor<2xf32>) -> tensor<5x2xf32>
    %r_last = dtc.relu %z_last {dtc.name = "last.relu", dtc.phase = "forward"} : (tensor<5x2xf32>) -> tensor<5x2xf32>
    %d_last = dtc.dropout %r_last {rate = 0.25, key = "last.dropout", dtc.name = "last", dtc.phase = "forward"} : (tensor<5x2xf32>) -> tensor<5x2xf32>
    %w_head = dtc.read @head.weight {dtc.name = "head.weight", dtc.phase = "forward"} : tensor<3x2xf32>
    %a_head = dtc.matmul %d_last, %w_head {transpose_rhs, dtc.name = "head.matmul", dtc.phase = "forward"} : (tensor<5x2xf32>, tensor<3x2xf32>) -> tensor<5x3xf32>
    %b_head = dtc.read @head.bias {dtc.name = "head.bias", dtc.phase = "forward"} : tensor<3xf32>
    %z_head = dtc.add %a_head, %b_head {dtc.name = "head", dtc.phase = "forward"} : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
    %N = dtc.count_valid %label {ignore = -100 : i64, dtc.name = "loss.valid", dtc.phase = "forward"} : (tensor<5xi32>) -> tensor<i64>
    %max = dtc.row_max %z_head {dtc.name = "loss.max", dtc.phase = "forward"} : (tensor<5x3xf32>) -> tensor<5xf32>
    %sum = dtc.sum_exp %z_head, %max {dtc.name = "loss.sum_exp", dtc.phase = "forward"} : (tensor<5x3xf32>, tensor<5xf32>) -> tensor<5xf32>
    %pick = dtc.pick %z_head, %label {ignore = -100 : i64, dtc.name = "loss.pick", dtc.phase = "forward"} : (tensor<5x3xf32>, tensor<5xi32>) -> tensor<5xf32>
    %loss = dtc.cross_entropy %max, %sum, %pick, %label, %N, %scale {ignore = -100 : i64, dtc.name = "loss", dtc.phase = "forward"} : (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xi32>, tensor<i64>, tensor<f32>) -> tensor<f32>
    dtc.report %loss as "loss" {dtc.name = "report.loss", dtc.phase = "forward"} : tensor<f32>
    dtc.report %N as "valid" {dtc.name = "report.valid", dtc.phase = "forward"} : tensor<i64>
    return
  }
}
