// Two layers that share a weight, one split by columns and one by rows.
module @shared attributes {dtc.plan = #dtc.plan<pp = 1, dp = 1, tp = 2, micro_batches = 1>} {
  dtc.variable @w : tensor<4x4xf32> {init = {kind = "zeros"}, role = "parameter"}
  func.func @step(%x: tensor<4x4xf32> {dtc.input = "x"}) attributes {dtc.step_kind = "train"} {
    %w = dtc.read @w {dtc.name = "w", dtc.phase = "forward", dtc.stages = array<i64: 0>} : tensor<4x4xf32>
    %a = dtc.matmul %x, %w {transpose_rhs, dtc.tp = "column", dtc.name = "a", dtc.phase = "forward", dtc.stages = array<i64: 0>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %b = dtc.matmul %a, %w {transpose_rhs, dtc.tp = "row", dtc.name = "b", dtc.phase = "forward", dtc.stages = array<i64: 0>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %s = dtc.reduce_sum %b {dims = array<i64: 0, 1>, dtc.name = "s", dtc.phase = "forward", dtc.stages = array<i64: 0>} : (tensor<4x4xf32>) -> tensor<f32>
    dtc.report %s as "loss" {dtc.name = "report.loss", dtc.phase = "forward", dtc.stages = array<i64: 0>} : tensor<f32>
    return
  }
}
