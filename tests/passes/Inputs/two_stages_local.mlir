// Two linear layers on two stages, two micro-batches, a skip around the second:
// the training step as dtc-partition leaves it, and the graph it was made from.
// Tests of outline-tasks, schedule and emission read it.
#w0 = #dtc.layout<pp=2:On{0}, dp=1:R, tp=1:R, mb=2:R>
#w1 = #dtc.layout<pp=2:On{1}, dp=1:R, tp=1:R, mb=2:R>
#w01 = #dtc.layout<pp=2:On{0,1}, dp=1:R, tp=1:R, mb=2:R>
#x0 = #dtc.layout<pp=2:On{0}, dp=1:S(0), tp=1:R, mb=2:R>
#x1 = #dtc.layout<pp=2:On{1}, dp=1:S(0), tp=1:R, mb=2:R>
#b0 = #dtc.layout<pp=2:On{0}, dp=1:S(0), tp=1:R, mb=2:S(0)>
#b1 = #dtc.layout<pp=2:On{1}, dp=1:S(0), tp=1:R, mb=2:S(0)>
#g0 = #dtc.layout<pp=2:On{0}, dp=1:P(sum), tp=1:R, mb=2:P(sum)>
#g1 = #dtc.layout<pp=2:On{1}, dp=1:P(sum), tp=1:R, mb=2:P(sum)>
#a0 = #dtc.layout<pp=2:On{0}, dp=1:P(sum), tp=1:R, mb=2:R>
#a1 = #dtc.layout<pp=2:On{1}, dp=1:P(sum), tp=1:R, mb=2:R>
#s = #dtc.layout<pp=2:P(sum){0,1}, dp=1:R, tp=1:R, mb=2:R>
#f = #dtc.layout<pp=2:P(or){0,1}, dp=1:R, tp=1:R, mb=2:R>

module @two_stages attributes {
  dtc.plan = #dtc.plan<pp = 2, micro_batches = 2, schedule = "1f1b">, dtc.seed = 1 : i64,
  dtc.data = {
    inputs = [{name = "x", dtype = f32, shape = array<i64: 2>, fill = 0.0, validity = false},
              {name = "label", dtype = i32, shape = array<i64>, fill = -100.0, validity = false}],
    train = {sources = [{input = "x", files = ["x.npy"], scale = 1.0, shift = 0.0},
                        {input = "label", files = ["label.npy"], scale = 1.0, shift = 0.0}], shuffle = false},
    global_batch = 4 : i64, drop_last = false},
  dtc.run = {epochs = 1 : i64, steps = 2 : i64, evaluate_every = 0 : i64, deterministic = true}
} {
  dtc.variable @first.weight : tensor<3x2xf32, #dtc.local<3x2, #w0>> {init = {kind = "ones"}, role = "parameter"}
  dtc.variable @second.weight : tensor<3x3xf32, #dtc.local<3x3, #w1>> {init = {kind = "ones"}, role = "parameter"}
  dtc.variable @dtc.loss_scale : tensor<f32, #dtc.local<scalar, #w01>> {init = {kind = "ones"}, role = "scalar"}

  func.func @step(%x: tensor<4x2xf32, #dtc.local<4x2, #x0>> {dtc.input = "x"},
                  %label: tensor<4xi32, #dtc.local<4, #x1>> {dtc.input = "label"})
      attributes {dtc.step_kind = "train"} {
    %w0 = dtc.read @first.weight {dtc.name = "first.weight", dtc.id = 0 : i64, dtc.phase = "forward"} : tensor<3x2xf32, #dtc.local<3x2, #w0>>
    %w1 = dtc.read @second.weight {dtc.name = "second.weight", dtc.id = 1 : i64, dtc.phase = "forward"} : tensor<3x3xf32, #dtc.local<3x3, #w1>>
    %scale0 = dtc.read @dtc.loss_scale {dtc.name = "dtc.loss_scale", dtc.id = 2 : i64, dtc.phase = "forward"} : tensor<f32, #dtc.local<scalar, #w01>>
    %xm = dtc.local_slice %x {axis = "mb", dtc.name = "x", dtc.phase = "forward"} : tensor<4x2xf32, #dtc.local<4x2, #x0>> -> tensor<2x2xf32, #dtc.local<4x2, #b0>>
    %lm = dtc.local_slice %label {axis = "mb", dtc.name = "label", dtc.phase = "forward"} : tensor<4xi32, #dtc.local<4, #x1>> -> tensor<2xi32, #dtc.local<4, #b1>>
    %a0 = dtc.matmul %xm, %w0 {transpose_rhs, dtc.name = "first.matmul", dtc.id = 3 : i64, dtc.phase = "forward"} : (tensor<2x2xf32, #dtc.local<4x2, #b0>>, tensor<3x2xf32, #dtc.local<3x2, #w0>>) -> tensor<2x3xf32, #dtc.local<4x3, #b0>>
    %h = dtc.relu %a0 {dtc.name = "first", dtc.id = 4 : i64, dtc.phase = "forward"} : (tensor<2x3xf32, #dtc.local<4x3, #b0>>) -> tensor<2x3xf32, #dtc.local<4x3, #b0>>
    %h1 = dtc.send_recv %h {source = 0 : i64, destination = 1 : i64, channel = 0 : i64, dtc.name = "first", dtc.phase = "forward"} : tensor<2x3xf32, #dtc.local<4x3, #b0>> -> tensor<2x3xf32, #dtc.local<4x3, #b1>>
    %a1 = dtc.matmul %h1, %w1 {transpose_rhs, dtc.name = "second.matmul", dtc.id = 5 : i64, dtc.phase = "forward"} : (tensor<2x3xf32, #dtc.local<4x3, #b1>>, tensor<3x3xf32, #dtc.local<3x3, #w1>>) -> tensor<2x3xf32, #dtc.local<4x3, #b1>>
    %y = dtc.add %h1, %a1 {dtc.name = "second", dtc.id = 6 : i64, dtc.phase = "forward"} : (tensor<2x3xf32, #dtc.local<4x3, #b1>>, tensor<2x3xf32, #dtc.local<4x3, #b1>>) -> tensor<2x3xf32, #dtc.local<4x3, #b1>>
    %n = dtc.count_valid %label {ignore = -100 : i64, dtc.name = "loss.valid", dtc.id = 7 : i64, dtc.phase = "forward"} : (tensor<4xi32, #dtc.local<4, #x1>>) -> tensor<i64, #dtc.local<scalar, #a1>>
    %nr = dtc.all_reduce sum %n over ["dp"] {dtc.name = "loss.valid", dtc.phase = "forward"} : tensor<i64, #dtc.local<scalar, #a1>> -> tensor<i64, #dtc.local<scalar, #w1>>
    %loss = dtc.linear_loss %y, %lm, %nr, %scale0 {ignore = -100 : i64, dtc.name = "loss", dtc.id = 8 : i64, dtc.phase = "forward"} : (tensor<2x3xf32, #dtc.local<4x3, #b1>>, tensor<2xi32, #dtc.local<4, #b1>>, tensor<i64, #dtc.local<scalar, #w1>>, tensor<f32, #dtc.local<scalar, #w01>>) -> tensor<f32, #dtc.local<scalar, #g1>>
    %lossa = dtc.accumulate %loss {dtc.name = "loss", dtc.phase = "forward"} : tensor<f32, #dtc.local<scalar, #g1>> -> tensor<f32, #dtc.local<scalar, #a1>>
    %lossr = dtc.all_reduce sum %lossa over ["dp"] {dtc.name = "loss", dtc.phase = "forward"} : tensor<f32, #dtc.local<scalar, #a1>> -> tensor<f32, #dtc.local<scalar, #w1>>
    dtc.report %lossr as "loss" {dtc.name = "report.loss", dtc.id = 9 : i64, dtc.phase = "forward"} : tensor<f32, #dtc.local<scalar, #w1>>
    %dy = dtc.linear_loss_grad %y, %lm, %nr, %scale0 {ignore = -100 : i64, dtc.name = "loss.grad", dtc.id = 10 : i64, dtc.phase = "backward"} : (tensor<2x3xf32, #dtc.local<4x3, #b1>>, tensor<2xi32, #dtc.local<4, #b1>>, tensor<i64, #dtc.local<scalar, #w1>>, tensor<f32, #dtc.local<scalar, #w01>>) -> tensor<2x3xf32, #dtc.local<4x3, #b1>>
    %gw1 = dtc.matmul %dy, %h1 {transpose_lhs, dtc.name = "second.weight.grad", dtc.id = 11 : i64, dtc.phase = "backward"} : (tensor<2x3xf32, #dtc.local<4x3, #b1>>, tensor<2x3xf32, #dtc.local<4x3, #b1>>) -> tensor<3x3xf32, #dtc.local<3x3, #g1>>
    %dh_up = dtc.matmul %dy, %w1 {dtc.name = "second.input_grad", dtc.id = 12 : i64, dtc.phase = "backward"} : (tensor<2x3xf32, #dtc.local<4x3, #b1>>, tensor<3x3xf32, #dtc.local<3x3, #w1>>) -> tensor<2x3xf32, #dtc.local<4x3, #b1>>
    %dh = dtc.sum %dy, %dh_up {terms = [["first/skip"], ["first/second"]], dtc.name = "first.grad", dtc.id = 13 : i64, dtc.phase = "backward"} : (tensor<2x3xf32, #dtc.local<4x3, #b1>>, tensor<2x3xf32, #dtc.local<4x3, #b1>>) -> tensor<2x3xf32, #dtc.local<4x3, #b1>>
    %dh0 = dtc.send_recv %dh {source = 1 : i64, destination = 0 : i64, channel = 1 : i64, dtc.name = "first.grad", dtc.phase = "backward"} : tensor<2x3xf32, #dtc.local<4x3, #b1>> -> tensor<2x3xf32, #dtc.local<4x3, #b0>>
    %da0 = dtc.relu_grad %dh0, %h {dtc.name = "first.relu.grad", dtc.id = 14 : i64, dtc.phase = "backward"} : (tensor<2x3xf32, #dtc.local<4x3, #b0>>, tensor<2x3xf32, #dtc.local<4x3, #b0>>) -> tensor<2x3xf32, #dtc.local<4x3, #b0>>
    %gw0 = dtc.matmul %da0, %xm {transpose_lhs, dtc.name = "first.weight.grad", dtc.id = 15 : i64, dtc.phase = "backward"} : (tensor<2x3xf32, #dtc.local<4x3, #b0>>, tensor<2x2xf32, #dtc.local<4x2, #b0>>) -> tensor<3x2xf32, #dtc.local<3x2, #g0>>
    %gw0a = dtc.accumulate %gw0 {dtc.name = "first.weight.grad", dtc.phase = "update"} : tensor<3x2xf32, #dtc.local<3x2, #g0>> -> tensor<3x2xf32, #dtc.local<3x2, #a0>>
    %gw1a = dtc.accumulate %gw1 {dtc.name = "second.weight.grad", dtc.phase = "update"} : tensor<3x3xf32, #dtc.local<3x3, #g1>> -> tensor<3x3xf32, #dtc.local<3x3, #a1>>
    %r0 = dtc.all_reduce sum %gw0a over ["dp"] {dtc.name = "first.weight.grad", dtc.phase = "update"} : tensor<3x2xf32, #dtc.local<3x2, #a0>> -> tensor<3x2xf32, #dtc.local<3x2, #w0>>
    %r1 = dtc.all_reduce sum %gw1a over ["dp"] {dtc.name = "second.weight.grad", dtc.phase = "update"} : tensor<3x3xf32, #dtc.local<3x3, #a1>> -> tensor<3x3xf32, #dtc.local<3x3, #w1>>
    %f0 = dtc.nonfinite_bit %r0 {dtc.name = "first.weight.flag", dtc.id = 16 : i64, dtc.phase = "update"} : (tensor<3x2xf32, #dtc.local<3x2, #w0>>) -> tensor<i32, #dtc.local<scalar, #w0>>
    %f1 = dtc.nonfinite_bit %r1 {dtc.name = "second.weight.flag", dtc.id = 17 : i64, dtc.phase = "update"} : (tensor<3x3xf32, #dtc.local<3x3, #w1>>) -> tensor<i32, #dtc.local<scalar, #w1>>
    %fn = dtc.empty_bit %nr {dtc.name = "valid.flag", dtc.id = 18 : i64, dtc.phase = "update"} : (tensor<i64, #dtc.local<scalar, #w1>>) -> tensor<i32, #dtc.local<scalar, #w1>>
    %fp = dtc.or %f0, %f1, %fn {terms = [["first.weight"], ["second.weight"], ["valid"]], dtc.name = "flag", dtc.id = 19 : i64, dtc.phase = "update"} : (tensor<i32, #dtc.local<scalar, #w0>>, tensor<i32, #dtc.local<scalar, #w1>>, tensor<i32, #dtc.local<scalar, #w1>>) -> tensor<i32, #dtc.local<scalar, #f>>
    %flag = dtc.all_reduce or %fp over ["pp"] {dtc.name = "flag", dtc.phase = "update"} : tensor<i32, #dtc.local<scalar, #f>> -> tensor<i32, #dtc.local<scalar, #w01>>
    %u0 = dtc.unscale %r0, %scale0 {dtc.name = "first.weight.unscale", dtc.id = 20 : i64, dtc.phase = "update"} : (tensor<3x2xf32, #dtc.local<3x2, #w0>>, tensor<f32, #dtc.local<scalar, #w01>>) -> tensor<3x2xf32, #dtc.local<3x2, #w0>>
    %u1 = dtc.unscale %r1, %scale0 {dtc.name = "second.weight.unscale", dtc.id = 21 : i64, dtc.phase = "update"} : (tensor<3x3xf32, #dtc.local<3x3, #w1>>, tensor<f32, #dtc.local<scalar, #w01>>) -> tensor<3x3xf32, #dtc.local<3x3, #w1>>
    %q0 = dtc.sum_squares %u0 {dtc.name = "first.weight.squares", dtc.id = 22 : i64, dtc.phase = "update"} : (tensor<3x2xf32, #dtc.local<3x2, #w0>>) -> tensor<f32, #dtc.local<scalar, #w0>>
    %q1 = dtc.sum_squares %u1 {dtc.name = "second.weight.squares", dtc.id = 23 : i64, dtc.phase = "update"} : (tensor<3x3xf32, #dtc.local<3x3, #w1>>) -> tensor<f32, #dtc.local<scalar, #w1>>
    %sp = dtc.sum %q0, %q1 {terms = [["first.weight"], ["second.weight"]], dtc.name = "squares", dtc.id = 24 : i64, dtc.phase = "update"} : (tensor<f32, #dtc.local<scalar, #w0>>, tensor<f32, #dtc.local<scalar, #w1>>) -> tensor<f32, #dtc.local<scalar, #s>>
    %sq = dtc.all_reduce sum %sp over ["pp"] {dtc.name = "squares", dtc.phase = "update"} : tensor<f32, #dtc.local<scalar, #s>> -> tensor<f32, #dtc.local<scalar, #w01>>
    %norm = dtc.sqrt %sq {dtc.name = "norm", dtc.id = 25 : i64, dtc.phase = "update"} : (tensor<f32, #dtc.local<scalar, #w01>>) -> tensor<f32, #dtc.local<scalar, #w01>>
    dtc.report %norm as "grad_norm" {dtc.name = "report.grad_norm", dtc.id = 26 : i64, dtc.phase = "update"} : tensor<f32, #dtc.local<scalar, #w01>>
    %factor = dtc.clip_factor %sq {max_norm = 1.0 : f64, dtc.name = "factor", dtc.id = 27 : i64, dtc.phase = "update"} : (tensor<f32, #dtc.local<scalar, #w01>>) -> tensor<f32, #dtc.local<scalar, #w01>>
    %lr = dtc.constant dense<0.5> : tensor<f32> {dtc.name = "lr", dtc.id = 28 : i64, dtc.phase = "update"} : tensor<f32, #dtc.local<scalar, #w01>>
    %n0 = dtc.sgd %w0, %u0, %factor, %flag, %lr {operandSegmentSizes = array<i32: 1, 0, 1, 1, 1, 1>, momentum = 0.0 : f64, segment_lengths = array<i64: 6>, decays = array<f64: 0.0>, rates = array<f64: 1.0>, dtc.name = "first.weight.update", dtc.id = 29 : i64, dtc.phase = "update"} : (tensor<3x2xf32, #dtc.local<3x2, #w0>>, tensor<3x2xf32, #dtc.local<3x2, #w0>>, tensor<f32, #dtc.local<scalar, #w01>>, tensor<i32, #dtc.local<scalar, #w01>>, tensor<f32, #dtc.local<scalar, #w01>>) -> tensor<3x2xf32, #dtc.local<3x2, #w0>>
    dtc.store %n0, @first.weight {dtc.name = "first.weight", dtc.id = 30 : i64, dtc.phase = "update"} : tensor<3x2xf32, #dtc.local<3x2, #w0>>
    %n1 = dtc.sgd %w1, %u1, %factor, %flag, %lr {operandSegmentSizes = array<i32: 1, 0, 1, 1, 1, 1>, momentum = 0.0 : f64, segment_lengths = array<i64: 9>, decays = array<f64: 0.0>, rates = array<f64: 1.0>, dtc.name = "second.weight.update", dtc.id = 31 : i64, dtc.phase = "update"} : (tensor<3x3xf32, #dtc.local<3x3, #w1>>, tensor<3x3xf32, #dtc.local<3x3, #w1>>, tensor<f32, #dtc.local<scalar, #w01>>, tensor<i32, #dtc.local<scalar, #w01>>, tensor<f32, #dtc.local<scalar, #w01>>) -> tensor<3x3xf32, #dtc.local<3x3, #w1>>
    dtc.store %n1, @second.weight {dtc.name = "second.weight", dtc.id = 32 : i64, dtc.phase = "update"} : tensor<3x3xf32, #dtc.local<3x3, #w1>>
    return
  }
  func.func private @step.graph(%x: tensor<4x2xf32> {dtc.input = "x"}, %label: tensor<4xi32> {dtc.input = "label"})
      attributes {dtc.step_kind = "train"} {
    %w0 = dtc.read @first.weight {dtc.name = "first.weight", dtc.id = 0 : i64, dtc.phase = "forward"} : tensor<3x2xf32>
    %w1 = dtc.read @second.weight {dtc.name = "second.weight", dtc.id = 1 : i64, dtc.phase = "forward"} : tensor<3x3xf32>
    %scale0 = dtc.read @dtc.loss_scale {dtc.name = "dtc.loss_scale", dtc.id = 2 : i64, dtc.phase = "forward"} : tensor<f32>
    %a0 = dtc.matmul %x, %w0 {transpose_rhs, dtc.name = "first.matmul", dtc.id = 3 : i64, dtc.phase = "forward"} : (tensor<4x2xf32>, tensor<3x2xf32>) -> tensor<4x3xf32>
    %h = dtc.relu %a0 {dtc.name = "first", dtc.id = 4 : i64, dtc.phase = "forward"} : (tensor<4x3xf32>) -> tensor<4x3xf32>
    %a1 = dtc.matmul %h, %w1 {transpose_rhs, dtc.name = "second.matmul", dtc.id = 5 : i64, dtc.phase = "forward"} : (tensor<4x3xf32>, tensor<3x3xf32>) -> tensor<4x3xf32>
    %y = dtc.add %h, %a1 {dtc.name = "second", dtc.id = 6 : i64, dtc.phase = "forward"} : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    %n = dtc.count_valid %label {ignore = -100 : i64, dtc.name = "loss.valid", dtc.id = 7 : i64, dtc.phase = "forward"} : (tensor<4xi32>) -> tensor<i64>
    %loss = dtc.linear_loss %y, %label, %n, %scale0 {ignore = -100 : i64, dtc.name = "loss", dtc.id = 8 : i64, dtc.phase = "forward"} : (tensor<4x3xf32>, tensor<4xi32>, tensor<i64>, tensor<f32>) -> tensor<f32>
    dtc.report %loss as "loss" {dtc.name = "report.loss", dtc.id = 9 : i64, dtc.phase = "forward"} : tensor<f32>
    %dy = dtc.linear_loss_grad %y, %label, %n, %scale0 {ignore = -100 : i64, dtc.name = "loss.grad", dtc.id = 10 : i64, dtc.phase = "backward"} : (tensor<4x3xf32>, tensor<4xi32>, tensor<i64>, tensor<f32>) -> tensor<4x3xf32>
    %gw1 = dtc.matmul %dy, %h {transpose_lhs, dtc.name = "second.weight.grad", dtc.id = 11 : i64, dtc.phase = "backward"} : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<3x3xf32>
    %dh_up = dtc.matmul %dy, %w1 {dtc.name = "second.input_grad", dtc.id = 12 : i64, dtc.phase = "backward"} : (tensor<4x3xf32>, tensor<3x3xf32>) -> tensor<4x3xf32>
    %dh = dtc.sum %dy, %dh_up {terms = [["first/skip"], ["first/second"]], dtc.name = "first.grad", dtc.id = 13 : i64, dtc.phase = "backward"} : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    %da0 = dtc.relu_grad %dh, %h {dtc.name = "first.relu.grad", dtc.id = 14 : i64, dtc.phase = "backward"} : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    %gw0 = dtc.matmul %da0, %x {transpose_lhs, dtc.name = "first.weight.grad", dtc.id = 15 : i64, dtc.phase = "backward"} : (tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>
    %f0 = dtc.nonfinite_bit %gw0 {dtc.name = "first.weight.flag", dtc.id = 16 : i64, dtc.phase = "update"} : (tensor<3x2xf32>) -> tensor<i32>
    %f1 = dtc.nonfinite_bit %gw1 {dtc.name = "second.weight.flag", dtc.id = 17 : i64, dtc.phase = "update"} : (tensor<3x3xf32>) -> tensor<i32>
    %fn = dtc.empty_bit %n {dtc.name = "valid.flag", dtc.id = 18 : i64, dtc.phase = "update"} : (tensor<i64>) -> tensor<i32>
    %fp = dtc.or %f0, %f1, %fn {terms = [["first.weight"], ["second.weight"], ["valid"]], dtc.name = "flag", dtc.id = 19 : i64, dtc.phase = "update"} : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %u0 = dtc.unscale %gw0, %scale0 {dtc.name = "first.weight.unscale", dtc.id = 20 : i64, dtc.phase = "update"} : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
    %u1 = dtc.unscale %gw1, %scale0 {dtc.name = "second.weight.unscale", dtc.id = 21 : i64, dtc.phase = "update"} : (tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
    %q0 = dtc.sum_squares %u0 {dtc.name = "first.weight.squares", dtc.id = 22 : i64, dtc.phase = "update"} : (tensor<3x2xf32>) -> tensor<f32>
    %q1 = dtc.sum_squares %u1 {dtc.name = "second.weight.squares", dtc.id = 23 : i64, dtc.phase = "update"} : (tensor<3x3xf32>) -> tensor<f32>
    %sp = dtc.sum %q0, %q1 {terms = [["first.weight"], ["second.weight"]], dtc.name = "squares", dtc.id = 24 : i64, dtc.phase = "update"} : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %norm = dtc.sqrt %sp {dtc.name = "norm", dtc.id = 25 : i64, dtc.phase = "update"} : (tensor<f32>) -> tensor<f32>
    dtc.report %norm as "grad_norm" {dtc.name = "report.grad_norm", dtc.id = 26 : i64, dtc.phase = "update"} : tensor<f32>
    %factor = dtc.clip_factor %sp {max_norm = 1.0 : f64, dtc.name = "factor", dtc.id = 27 : i64, dtc.phase = "update"} : (tensor<f32>) -> tensor<f32>
    %lr = dtc.constant dense<0.5> : tensor<f32> {dtc.name = "lr", dtc.id = 28 : i64, dtc.phase = "update"} : tensor<f32>
    %n0 = dtc.sgd %w0, %u0, %factor, %fp, %lr {operandSegmentSizes = array<i32: 1, 0, 1, 1, 1, 1>, momentum = 0.0 : f64, segment_lengths = array<i64: 6>, decays = array<f64: 0.0>, rates = array<f64: 1.0>, dtc.name = "first.weight.update", dtc.id = 29 : i64, dtc.phase = "update"} : (tensor<3x2xf32>, tensor<3x2xf32>, tensor<f32>, tensor<i32>, tensor<f32>) -> tensor<3x2xf32>
    dtc.store %n0, @first.weight {dtc.name = "first.weight", dtc.id = 30 : i64, dtc.phase = "update"} : tensor<3x2xf32>
    %n1 = dtc.sgd %w1, %u1, %factor, %fp, %lr {operandSegmentSizes = array<i32: 1, 0, 1, 1, 1, 1>, momentum = 0.0 : f64, segment_lengths = array<i64: 9>, decays = array<f64: 0.0>, rates = array<f64: 1.0>, dtc.name = "second.weight.update", dtc.id = 31 : i64, dtc.phase = "update"} : (tensor<3x3xf32>, tensor<3x3xf32>, tensor<f32>, tensor<i32>, tensor<f32>) -> tensor<3x3xf32>
    dtc.store %n1, @second.weight {dtc.name = "second.weight", dtc.id = 32 : i64, dtc.phase = "update"} : tensor<3x3xf32>
    return
  }
}
