// One step of the example model (a block with a skip, odd sizes) under pp 2,
// dp 2, tp 2 and two micro-batches: the types that assign-layouts and
// form-buckets must give. Every op holds its types to its rules, so that this
// file parses is the test; what it prints is parsed again.
// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#w    = #dtc.layout<pp=2:On{0}, dp=2:R,    tp=2:R,      mb=2:R>
#ws   = #dtc.layout<pp=2:On{0}, dp=2:R,    tp=2:S(0),   mb=2:R,    pad(0:zero)>
#b    = #dtc.layout<pp=2:On{0}, dp=2:S(0), tp=2:R,      mb=2:S(0), pad(0:zero)>
#c    = #dtc.layout<pp=2:On{0}, dp=2:S(0), tp=2:S(1),   mb=2:S(0), pad(0:any, 1:zero)>
#cz   = #dtc.layout<pp=2:On{0}, dp=2:S(0), tp=2:S(1),   mb=2:S(0), pad(0:zero, 1:zero)>
#e    = #dtc.layout<pp=2:On{0}, dp=2:S(0), tp=2:P(sum), mb=2:S(0), pad(0:zero)>
#g    = #dtc.layout<pp=2:On{0}, dp=2:P(sum), tp=2:R,    mb=2:P(sum)>
#gs   = #dtc.layout<pp=2:On{0}, dp=2:P(sum), tp=2:S(0), mb=2:P(sum), pad(0:zero)>
#ga   = #dtc.layout<pp=2:On{0}, dp=2:P(sum), tp=2:S(0), mb=2:R, pad(0:zero)>
#gaw  = #dtc.layout<pp=2:On{0}, dp=2:P(sum), tp=2:R, mb=2:R>
#w1   = #dtc.layout<pp=2:On{1}, dp=2:R,    tp=2:R,      mb=2:R>
#w1p  = #dtc.layout<pp=2:On{1}, dp=2:R,    tp=2:P(sum), mb=2:R>
#ws1  = #dtc.layout<pp=2:On{1}, dp=2:R,    tp=2:S(0),   mb=2:R,    pad(0:zero)>
#ws1t = #dtc.layout<pp=2:On{1}, dp=2:R,    tp=2:S(1),   mb=2:R,    pad(1:zero)>
#b1   = #dtc.layout<pp=2:On{1}, dp=2:S(0), tp=2:R,      mb=2:S(0), pad(0:zero)>
#b1a  = #dtc.layout<pp=2:On{1}, dp=2:S(0), tp=2:R,      mb=2:S(0), pad(0:any)>
#l1   = #dtc.layout<pp=2:On{1}, dp=2:S(0), tp=2:R,      mb=2:S(0), pad(0:fill)>
#ls1  = #dtc.layout<pp=2:On{1}, dp=2:S(0), tp=2:R,      mb=2:R,    pad(0:fill)>
#n1   = #dtc.layout<pp=2:On{1}, dp=2:P(sum), tp=2:R,    mb=2:R>
#c1   = #dtc.layout<pp=2:On{1}, dp=2:S(0), tp=2:S(1),   mb=2:S(0), pad(0:any, 1:zero)>
#cz1  = #dtc.layout<pp=2:On{1}, dp=2:S(0), tp=2:S(1),   mb=2:S(0), pad(0:zero, 1:zero)>
#e1   = #dtc.layout<pp=2:On{1}, dp=2:S(0), tp=2:P(sum), mb=2:S(0), pad(0:zero)>
#e1a  = #dtc.layout<pp=2:On{1}, dp=2:S(0), tp=2:P(sum), mb=2:S(0), pad(0:any)>
#m1   = #dtc.layout<pp=2:On{1}, dp=2:S(0), tp=2:P(max), mb=2:S(0), pad(0:any)>
#g1   = #dtc.layout<pp=2:On{1}, dp=2:P(sum), tp=2:R,    mb=2:P(sum)>
#gs1  = #dtc.layout<pp=2:On{1}, dp=2:P(sum), tp=2:S(0), mb=2:P(sum), pad(0:zero)>
#gs1t = #dtc.layout<pp=2:On{1}, dp=2:P(sum), tp=2:S(1), mb=2:P(sum), pad(1:zero)>
#x    = #dtc.layout<pp=2:On{0}, dp=2:P(sum), tp=2:X,    mb=2:R>
#xs   = #dtc.layout<pp=2:On{0}, dp=2:S(0), tp=2:X,      mb=2:R, pad(0:zero)>
#xr   = #dtc.layout<pp=2:On{0}, dp=2:R,    tp=2:X,      mb=2:R>
#bw   = #dtc.layout<pp=2:On{0}, dp=2:S(0), tp=2:R,      mb=2:R>
#q    = #dtc.layout<pp=2:On{0}, dp=2:P(sum), tp=2:P(sum), mb=2:R>
#qw   = #dtc.layout<pp=2:On{0}, dp=2:P(sum), tp=2:R,    mb=2:R>
#q1   = #dtc.layout<pp=2:On{1}, dp=2:P(sum), tp=2:P(sum), mb=2:R>
#sq   = #dtc.layout<pp=2:P(sum){0,1}, dp=2:P(sum), tp=2:P(sum), mb=2:R>
#f    = #dtc.layout<pp=2:On{0}, dp=2:P(or), tp=2:P(or), mb=2:R>
#fw   = #dtc.layout<pp=2:On{0}, dp=2:P(or), tp=2:R,     mb=2:R>
#f1   = #dtc.layout<pp=2:On{1}, dp=2:P(or), tp=2:P(or), mb=2:R>
#fs   = #dtc.layout<pp=2:P(or){0,1}, dp=2:P(or), tp=2:P(or), mb=2:R>
#all  = #dtc.layout<pp=2:On{0,1}, dp=2:R, tp=2:R, mb=2:R>

// CHECK-LABEL: func.func @forward
func.func @forward(
    %x: tensor<7x2xf32, #b>, %label: tensor<7xi32, #ls1>,
    %w_in: tensor<4x2xf32, #w>, %w_up: tensor<5x4xf32, #ws>,
    %b_up: tensor<5xf32, #ws>, %w_down: tensor<4x5xf32, #ws1t>,
    %b_down: tensor<4xf32, #w1>, %w_head: tensor<3x4xf32, #ws1>,
    %b_head: tensor<3xf32, #ws1>, %scale: tensor<f32, #w1>) {
  // Input pads are zero, and f(0) = 0 keeps them.
  %a_in = dtc.matmul %x, %w_in {transpose_rhs} : (tensor<7x2xf32, #b>, tensor<4x2xf32, #w>) -> tensor<7x4xf32, #b>
  %h0 = dtc.relu %a_in : (tensor<7x4xf32, #b>) -> tensor<7x4xf32, #b>
  // The bias fills pad rows; the pad column stays, its bias is zero.
  %a_up = dtc.matmul %h0, %w_up {transpose_rhs} : (tensor<7x4xf32, #b>, tensor<5x4xf32, #ws>) -> tensor<7x5xf32, #cz>
  %z_up = dtc.add %a_up, %b_up : (tensor<7x5xf32, #cz>, tensor<5xf32, #ws>) -> tensor<7x5xf32, #c>
  %h1 = dtc.relu %z_up : (tensor<7x5xf32, #c>) -> tensor<7x5xf32, #c>

  %1 = dtc.relayout %h1 : tensor<7x5xf32, #c> -> tensor<7x5xf32, #c1>
  %2 = dtc.relayout %h0 : tensor<7x4xf32, #b> -> tensor<7x4xf32, #b1>
  // A contraction over the split 5, its pads zero: an addend on each coordinate.
  %a_down = dtc.matmul %1, %w_down {transpose_rhs} : (tensor<7x5xf32, #c1>, tensor<4x5xf32, #ws1t>) -> tensor<7x4xf32, #e1a>
  %3 = dtc.to_partial %b_down {axes = ["tp"]} : tensor<4xf32, #w1> -> tensor<4xf32, #w1p>
  %z_down = dtc.add %a_down, %3 : (tensor<7x4xf32, #e1a>, tensor<4xf32, #w1p>) -> tensor<7x4xf32, #e1a>
  %4 = dtc.all_reduce sum %z_down over ["tp"] {reduce_dtype = f32} : tensor<7x4xf32, #e1a> -> tensor<7x4xf32, #b1a>
  %h2 = dtc.add %2, %4 : (tensor<7x4xf32, #b1>, tensor<7x4xf32, #b1a>) -> tensor<7x4xf32, #b1a>
  %a_head = dtc.matmul %h2, %w_head {transpose_rhs} : (tensor<7x4xf32, #b1a>, tensor<3x4xf32, #ws1>) -> tensor<7x3xf32, #c1>
  %z = dtc.add %a_head, %b_head : (tensor<7x3xf32, #c1>, tensor<3xf32, #ws1>) -> tensor<7x3xf32, #c1>

  // Labels of the whole step count before the first micro-batch.
  %N = dtc.count_valid %label {ignore = -100 : i64} : (tensor<7xi32, #ls1>) -> tensor<i64, #n1>
  %5 = dtc.all_reduce sum %N over ["dp"] : tensor<i64, #n1> -> tensor<i64, #w1>
  %rows = dtc.local_slice %label {axis = "mb"} : tensor<7xi32, #ls1> -> tensor<7xi32, #l1>
  %max = dtc.row_max %z : (tensor<7x3xf32, #c1>) -> tensor<7xf32, #m1>
  %6 = dtc.all_reduce max %max over ["tp"] : tensor<7xf32, #m1> -> tensor<7xf32, #b1a>
  %sum = dtc.sum_exp %z, %6 : (tensor<7x3xf32, #c1>, tensor<7xf32, #b1a>) -> tensor<7xf32, #e1a>
  %7 = dtc.all_reduce sum %sum over ["tp"] : tensor<7xf32, #e1a> -> tensor<7xf32, #b1a>
  %pick = dtc.pick %z, %rows {ignore = -100 : i64} : (tensor<7x3xf32, #c1>, tensor<7xi32, #l1>) -> tensor<7xf32, #e1a>
  %8 = dtc.all_reduce sum %pick over ["tp"] : tensor<7xf32, #e1a> -> tensor<7xf32, #b1a>
  %loss = dtc.cross_entropy %6, %7, %8, %rows, %5, %scale {ignore = -100 : i64} : (tensor<7xf32, #b1a>, tensor<7xf32, #b1a>, tensor<7xf32, #b1a>, tensor<7xi32, #l1>, tensor<i64, #w1>, tensor<f32, #w1>) -> tensor<f32, #g1>
  %9 = dtc.accumulate %loss : tensor<f32, #g1> -> tensor<f32, #n1>
  %10 = dtc.all_reduce sum %9 over ["dp"] : tensor<f32, #n1> -> tensor<f32, #w1>
  // CHECK: dtc.report
  dtc.report %10 as "loss" : tensor<f32, #w1>
  return
}

// CHECK-LABEL: func.func @backward
func.func @backward(
    %x: tensor<7x2xf32, #b>, %h0: tensor<7x4xf32, #b>, %h1: tensor<7x5xf32, #c>,
    %h1_1: tensor<7x5xf32, #c1>, %h2: tensor<7x4xf32, #b1a>,
    %z: tensor<7x3xf32, #c1>, %max: tensor<7xf32, #b1a>,
    %sum: tensor<7xf32, #b1a>, %rows: tensor<7xi32, #l1>,
    %N: tensor<i64, #w1>, %scale: tensor<f32, #w1>,
    %w_up: tensor<5x4xf32, #ws>, %w_down: tensor<4x5xf32, #ws1t>,
    %w_head: tensor<3x4xf32, #ws1>) {
  // Zero in pad rows (their label is ignored) and in pad classes.
  %dz = dtc.cross_entropy_grad %z, %max, %sum, %rows, %N, %scale {ignore = -100 : i64} : (tensor<7x3xf32, #c1>, tensor<7xf32, #b1a>, tensor<7xf32, #b1a>, tensor<7xi32, #l1>, tensor<i64, #w1>, tensor<f32, #w1>) -> tensor<7x3xf32, #cz1>
  %g_head_b = dtc.reduce_sum %dz {dims = array<i64: 0>} : (tensor<7x3xf32, #cz1>) -> tensor<3xf32, #gs1>
  // Rows are contracted: any in one factor, zero in the other.
  %g_head_w = dtc.matmul %dz, %h2 {transpose_lhs} : (tensor<7x3xf32, #cz1>, tensor<7x4xf32, #b1a>) -> tensor<3x4xf32, #gs1>
  %d_h2 = dtc.matmul %dz, %w_head : (tensor<7x3xf32, #cz1>, tensor<3x4xf32, #ws1>) -> tensor<7x4xf32, #e1>
  %10 = dtc.all_reduce sum %d_h2 over ["tp"] : tensor<7x4xf32, #e1> -> tensor<7x4xf32, #b1>
  %g_down_b = dtc.reduce_sum %10 {dims = array<i64: 0>} : (tensor<7x4xf32, #b1>) -> tensor<4xf32, #g1>
  %g_down_w = dtc.matmul %10, %h1_1 {transpose_lhs} : (tensor<7x4xf32, #b1>, tensor<7x5xf32, #c1>) -> tensor<4x5xf32, #gs1t>
  %d_h1 = dtc.matmul %10, %w_down : (tensor<7x4xf32, #b1>, tensor<4x5xf32, #ws1t>) -> tensor<7x5xf32, #cz1>

  %11 = dtc.send_recv %d_h1 {source = 1 : i64, destination = 0 : i64, channel = 0 : i64} : tensor<7x5xf32, #cz1> -> tensor<7x5xf32, #cz>
  %12 = dtc.send_recv %10 {source = 1 : i64, destination = 0 : i64, channel = 1 : i64} : tensor<7x4xf32, #b1> -> tensor<7x4xf32, #b>
  %d_zup = dtc.relu_grad %11, %h1 : (tensor<7x5xf32, #cz>, tensor<7x5xf32, #c>) -> tensor<7x5xf32, #cz>
  %g_up_b = dtc.reduce_sum %d_zup {dims = array<i64: 0>} : (tensor<7x5xf32, #cz>) -> tensor<5xf32, #gs>
  %g_up_w = dtc.matmul %d_zup, %h0 {transpose_lhs} : (tensor<7x5xf32, #cz>, tensor<7x4xf32, #b>) -> tensor<5x4xf32, #gs>
  %d_h0_up = dtc.matmul %d_zup, %w_up : (tensor<7x5xf32, #cz>, tensor<5x4xf32, #ws>) -> tensor<7x4xf32, #e>
  %13 = dtc.all_reduce sum %d_h0_up over ["tp"] : tensor<7x4xf32, #e> -> tensor<7x4xf32, #b>
  %d_h0 = dtc.sum %12, %13 {terms = [["h0/skip"], ["h0/up"]]} : (tensor<7x4xf32, #b>, tensor<7x4xf32, #b>) -> tensor<7x4xf32, #b>
  %d_ain = dtc.relu_grad %d_h0, %h0 : (tensor<7x4xf32, #b>, tensor<7x4xf32, #b>) -> tensor<7x4xf32, #b>
  // CHECK: dtc.matmul {{.*}} {transpose_lhs}
  %g_in_w = dtc.matmul %d_ain, %x {transpose_lhs} : (tensor<7x4xf32, #b>, tensor<7x2xf32, #b>) -> tensor<4x2xf32, #g>
  return
}

// CHECK-LABEL: func.func @update
func.func @update(
    %g_in_w: tensor<4x2xf32, #g>, %g_up_w: tensor<5x4xf32, #gs>,
    %g_up_b: tensor<5xf32, #gs>, %scale: tensor<f32, #w>,
    %q1: tensor<f32, #q1>, %f1: tensor<i32, #f1>,
    %p: tensor<15xf32, #xs>, %m: tensor<15xf32, #xs>, %v: tensor<15xf32, #xs>,
    %lr: tensor<f32, #w>, %t: tensor<i32, #w>) {
  %14 = dtc.accumulate %g_up_w : tensor<5x4xf32, #gs> -> tensor<5x4xf32, #ga>
  %15 = dtc.accumulate %g_up_b : tensor<5xf32, #gs> -> tensor<5xf32, #ga>
  // 3x4 of up.weight and 3 of up.bias on each coordinate of tp: 15, not 25.
  %gb = dtc.pack %14, %15 {bucket = "b0.split"} : (tensor<5x4xf32, #ga>, tensor<5xf32, #ga>) -> tensor<15xf32, #x>
  %gr = dtc.reduce_scatter %gb over "dp" : tensor<15xf32, #x> -> tensor<15xf32, #xs>
  %16 = dtc.accumulate %g_in_w : tensor<4x2xf32, #g> -> tensor<4x2xf32, #gaw>
  %gw = dtc.pack %16 {bucket = "b0.whole"} : (tensor<4x2xf32, #gaw>) -> tensor<8xf32, #gaw>
  %gwr = dtc.reduce_scatter %gw over "dp" : tensor<8xf32, #gaw> -> tensor<8xf32, #bw>

  %bit = dtc.nonfinite_bit %gr : (tensor<15xf32, #xs>) -> tensor<i32, #f>
  %bitw = dtc.nonfinite_bit %gwr : (tensor<8xf32, #bw>) -> tensor<i32, #fw>
  %bitp = dtc.to_partial %bitw {axes = ["tp"]} : tensor<i32, #fw> -> tensor<i32, #f>
  %flag = dtc.or %bit, %bitp, %f1 {terms = [["up.weight", "up.bias"], ["in.weight"], ["N"]]} : (tensor<i32, #f>, tensor<i32, #f>, tensor<i32, #f1>) -> tensor<i32, #fs>
  %flagr = dtc.all_reduce or %flag over ["pp", "dp", "tp"] : tensor<i32, #fs> -> tensor<i32, #all>

  %u = dtc.unscale %gr, %scale : (tensor<15xf32, #xs>, tensor<f32, #w>) -> tensor<15xf32, #xs>
  %uw = dtc.unscale %gwr, %scale : (tensor<8xf32, #bw>, tensor<f32, #w>) -> tensor<8xf32, #bw>
  %q = dtc.sum_squares %u : (tensor<15xf32, #xs>) -> tensor<f32, #q>
  // The same number on both coordinates of tp: it enters once.
  %qw = dtc.sum_squares %uw : (tensor<8xf32, #bw>) -> tensor<f32, #qw>
  %qp = dtc.to_partial %qw {axes = ["tp"]} : tensor<f32, #qw> -> tensor<f32, #q>
  %sq = dtc.sum %q, %qp, %q1 {terms = [["up.weight", "up.bias"], ["in.weight"], ["down.weight"]]} : (tensor<f32, #q>, tensor<f32, #q>, tensor<f32, #q1>) -> tensor<f32, #sq>
  %sqr = dtc.all_reduce sum %sq over ["pp", "dp", "tp"] : tensor<f32, #sq> -> tensor<f32, #all>
  %factor = dtc.clip_factor %sqr {max_norm = 3.0 : f64} : (tensor<f32, #all>) -> tensor<f32, #w>
  %new:3 = dtc.adamw %p, %m, %v, %u, %factor, %flagr, %lr, %t {beta1 = 0.5 : f64, beta2 = 0.75 : f64, eps = 0.125 : f64, segment_lengths = array<i64: 12, 3>, decays = array<f64: 0.25, 0.0>, rates = array<f64: 1.0, 1.0>} : (tensor<15xf32, #xs>, tensor<15xf32, #xs>, tensor<15xf32, #xs>, tensor<15xf32, #xs>, tensor<f32, #w>, tensor<i32, #all>, tensor<f32, #w>, tensor<i32, #w>) -> (tensor<15xf32, #xs>, tensor<15xf32, #xs>, tensor<15xf32, #xs>)
  %17 = dtc.all_gather %new#0 over "dp" : tensor<15xf32, #xs> -> tensor<15xf32, #xr>
  // CHECK: dtc.unpack
  %parts:2 = dtc.unpack %17 : (tensor<15xf32, #xr>) -> (tensor<5x4xf32, #ws>, tensor<5xf32, #ws>)
  return
}
