// A narrow MLP with a skip from its first layer to its last, over all stages
// between: odd width, rows that fill no plan.
module @narrow_mlp attributes {
  dtc.plan = #dtc.plan<>, dtc.seed = 1 : i64, dtc.compute = f32,
  dtc.optimizer = {kind = "sgd", lr = 0.125, momentum = 0.5}
} {
  dtc.variable @l0.weight : tensor<3x2xf32> {init = {kind = "zeros"}, role = "parameter"}
  dtc.variable @l0.bias : tensor<3xf32> {init = {kind = "zeros"}, role = "parameter"}
  dtc.variable @l1.weight : tensor<3x3xf32> {init = {kind = "zeros"}, role = "parameter"}
  dtc.variable @l1.bias : tensor<3xf32> {init = {kind = "zeros"}, role = "parameter"}
  dtc.variable @l2.weight : tensor<3x3xf32> {init = {kind = "zeros"}, role = "parameter"}
  dtc.variable @l2.bias : tensor<3xf32> {init = {kind = "zeros"}, role = "parameter"}
  dtc.variable @l3.weight : tensor<3x3xf32> {init = {kind = "zeros"}, role = "parameter"}
  dtc.variable @l3.bias : tensor<3xf32> {init = {kind = "zeros"}, role = "parameter"}
  dtc.variable @l4.weight : tensor<3x3xf32> {init = {kind = "zeros"}, role = "parameter"}
  dtc.variable @l4.bias : tensor<3xf32> {init = {kind = "zeros"}, role = "parameter"}
  dtc.variable @dtc.step : tensor<i32> {init = {kind = "zeros"}, role = "scalar"}
  dtc.variable @dtc.loss_scale : tensor<f32> {init = {kind = "ones"}, role = "scalar"}
  dtc.variable @dtc.good_steps : tensor<i32> {init = {kind = "zeros"}, role = "scalar"}

  func.func @step(%x: tensor<5x2xf32> {dtc.input = "x"}, %label: tensor<5xi32> {dtc.input = "label"}) attributes {dtc.step_kind = "train"} {
    %w0 = dtc.read @l0.weight {dtc.name = "l0.weight", dtc.phase = "forward"} : tensor<3x2xf32>
    %b0 = dtc.read @l0.bias {dtc.name = "l0.bias", dtc.phase = "forward"} : tensor<3xf32>
    %w1 = dtc.read @l1.weight {dtc.name = "l1.weight", dtc.phase = "forward"} : tensor<3x3xf32>
    %b1 = dtc.read @l1.bias {dtc.name = "l1.bias", dtc.phase = "forward"} : tensor<3xf32>
    %w2 = dtc.read @l2.weight {dtc.name = "l2.weight", dtc.phase = "forward"} : tensor<3x3xf32>
    %b2 = dtc.read @l2.bias {dtc.name = "l2.bias", dtc.phase = "forward"} : tensor<3xf32>
    %w3 = dtc.read @l3.weight {dtc.name = "l3.weight", dtc.phase = "forward"} : tensor<3x3xf32>
    %b3 = dtc.read @l3.bias {dtc.name = "l3.bias", dtc.phase = "forward"} : tensor<3xf32>
    %w4 = dtc.read @l4.weight {dtc.name = "l4.weight", dtc.phase = "forward"} : tensor<3x3xf32>
    %b4 = dtc.read @l4.bias {dtc.name = "l4.bias", dtc.phase = "forward"} : tensor<3xf32>
    %scale = dtc.read @dtc.loss_scale {dtc.name = "dtc.loss_scale", dtc.phase = "forward"} : tensor<f32>
    %a0 = dtc.matmul %x, %w0 {transpose_rhs, dtc.tp = "whole", dtc.name = "l0.matmul", dtc.phase = "forward"} : (tensor<5x2xf32>, tensor<3x2xf32>) -> tensor<5x3xf32>
    %z0 = dtc.add %a0, %b0 {dtc.name = "l0.bias_add", dtc.phase = "forward"} : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
    %h0 = dtc.relu %z0 {dtc.residual, dtc.name = "l0", dtc.phase = "forward"} : (tensor<5x3xf32>) -> tensor<5x3xf32>
    %a1 = dtc.matmul %h0, %w1 {transpose_rhs, dtc.tp = "column", dtc.name = "l1.matmul", dtc.phase = "forward"} : (tensor<5x3xf32>, tensor<3x3xf32>) -> tensor<5x3xf32>
    %z1 = dtc.add %a1, %b1 {dtc.name = "l1.bias_add", dtc.phase = "forward"} : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
    %h1 = dtc.relu %z1 {dtc.name = "l1", dtc.phase = "forward"} : (tensor<5x3xf32>) -> tensor<5x3xf32>
    %a2 = dtc.matmul %h1, %w2 {transpose_rhs, dtc.tp = "row", dtc.name = "l2.matmul", dtc.phase = "forward"} : (tensor<5x3xf32>, tensor<3x3xf32>) -> tensor<5x3xf32>
    %z2 = dtc.add %a2, %b2 {dtc.name = "l2.bias_add", dtc.phase = "forward"} : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
    %h2 = dtc.relu %z2 {dtc.residual, dtc.name = "l2", dtc.phase = "forward"} : (tensor<5x3xf32>) -> tensor<5x3xf32>
    %a3 = dtc.matmul %h2, %w3 {transpose_rhs, dtc.tp = "whole", dtc.name = "l3.matmul", dtc.phase = "forward"} : (tensor<5x3xf32>, tensor<3x3xf32>) -> tensor<5x3xf32>
    %z3 = dtc.add %a3, %b3 {dtc.name = "l3.bias_add", dtc.phase = "forward"} : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
    %h3 = dtc.relu %z3 {dtc.name = "l3.relu", dtc.phase = "forward"} : (tensor<5x3xf32>) -> tensor<5x3xf32>
    %s = dtc.add %h0, %h3 {dtc.residual, dtc.name = "l3", dtc.phase = "forward"} : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
    %a4 = dtc.matmul %s, %w4 {transpose_rhs, dtc.tp = "column", dtc.name = "l4.matmul", dtc.phase = "forward"} : (tensor<5x3xf32>, tensor<3x3xf32>) -> tensor<5x3xf32>
    %z4 = dtc.add %a4, %b4 {dtc.name = "l4", dtc.phase = "forward"} : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
    %N = dtc.count_valid %label {ignore = -100 : i64, dtc.name = "loss.valid", dtc.phase = "forward"} : (tensor<5xi32>) -> tensor<i64>
    %max = dtc.row_max %z4 {dtc.name = "loss.max", dtc.phase = "forward"} : (tensor<5x3xf32>) -> tensor<5xf32>
    %sum = dtc.sum_exp %z4, %max {dtc.name = "loss.sum_exp", dtc.phase = "forward"} : (tensor<5x3xf32>, tensor<5xf32>) -> tensor<5xf32>
    %pick = dtc.pick %z4, %label {ignore = -100 : i64, dtc.name = "loss.pick", dtc.phase = "forward"} : (tensor<5x3xf32>, tensor<5xi32>) -> tensor<5xf32>
    %loss = dtc.cross_entropy %max, %sum, %pick, %label, %N, %scale {ignore = -100 : i64, dtc.name = "loss", dtc.phase = "forward"} : (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xi32>, tensor<i64>, tensor<f32>) -> tensor<f32>
    dtc.report %loss as "loss" {dtc.name = "report.loss", dtc.phase = "forward"} : tensor<f32>
    dtc.report %N as "valid" {dtc.name = "report.valid", dtc.phase = "forward"} : tensor<i64>
    return
  }
}
