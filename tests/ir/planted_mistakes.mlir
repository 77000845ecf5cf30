// Three mistakes that give a plausible loss and equal replicas. The types show
// each: the op, the operand, what it holds, the axis and what was expected.
// RUN: dtc-opt %s -split-input-file -verify-diagnostics

#rows = #dtc.layout<pp=2:On{1}, dp=2:S(0),   tp=2:R, mb=2:S(0), pad(0:any)>
#lab  = #dtc.layout<pp=2:On{1}, dp=2:S(0),   tp=2:R, mb=2:S(0), pad(0:fill)>
#own  = #dtc.layout<pp=2:On{1}, dp=2:P(sum), tp=2:R, mb=2:R>
#r    = #dtc.layout<pp=2:On{1}, dp=2:R,      tp=2:R, mb=2:R>
#loss = #dtc.layout<pp=2:On{1}, dp=2:P(sum), tp=2:R, mb=2:P(sum)>

// A rank's own count of labels: a loss and a norm twice as large.
func.func @loss_reads_own_count(%a: tensor<7xf32, #rows>, %l: tensor<7xi32, #lab>, %N: tensor<i64, #own>, %s: tensor<f32, #r>) {
  // expected-error @below {{'dtc.cross_entropy' op operand N holds P(sum) on axis "dp", expected R}}
  %0 = dtc.cross_entropy %a, %a, %a, %l, %N, %s {ignore = -100 : i64} : (tensor<7xf32, #rows>, tensor<7xf32, #rows>, tensor<7xf32, #rows>, tensor<7xi32, #lab>, tensor<i64, #own>, tensor<f32, #r>) -> tensor<f32, #loss>
  return
}

// -----

#z    = #dtc.layout<pp=2:On{1}, dp=2:S(0),   tp=2:S(1), mb=2:S(0), pad(0:any, 1:zero)>
#dz   = #dtc.layout<pp=2:On{1}, dp=2:S(0),   tp=2:S(1), mb=2:S(0), pad(0:zero, 1:zero)>
#rows = #dtc.layout<pp=2:On{1}, dp=2:S(0),   tp=2:R, mb=2:S(0), pad(0:any)>
#lab  = #dtc.layout<pp=2:On{1}, dp=2:S(0),   tp=2:R, mb=2:S(0), pad(0:fill)>
#own  = #dtc.layout<pp=2:On{1}, dp=2:P(sum), tp=2:R, mb=2:R>
#r    = #dtc.layout<pp=2:On{1}, dp=2:R,      tp=2:R, mb=2:R>

func.func @gradient_reads_own_count(%z: tensor<7x3xf32, #z>, %a: tensor<7xf32, #rows>, %l: tensor<7xi32, #lab>, %N: tensor<i64, #own>, %s: tensor<f32, #r>) {
  // expected-error @below {{'dtc.cross_entropy_grad' op operand N holds P(sum) on axis "dp", expected R}}
  %0 = dtc.cross_entropy_grad %z, %a, %a, %l, %N, %s {ignore = -100 : i64} : (tensor<7x3xf32, #z>, tensor<7xf32, #rows>, tensor<7xf32, #rows>, tensor<7xi32, #lab>, tensor<i64, #own>, tensor<f32, #r>) -> tensor<7x3xf32, #dz>
  return
}

// -----

#shard = #dtc.layout<pp=2:On{0}, dp=2:S(0),   tp=2:R,      mb=2:R>
#whole = #dtc.layout<pp=2:On{0}, dp=2:P(sum), tp=2:R,      mb=2:R>
#split = #dtc.layout<pp=2:On{0}, dp=2:P(sum), tp=2:P(sum), mb=2:R>
#sq    = #dtc.layout<pp=2:P(sum){0,1}, dp=2:P(sum), tp=2:P(sum), mb=2:R>

// Squares of whole parameters would count once on each coordinate of tp.
func.func @whole_squares_enter_without_to_partial(%u: tensor<8xf32, #shard>, %q: tensor<f32, #split>) {
  %w = dtc.sum_squares %u {dtc.name = "b0.whole"} : (tensor<8xf32, #shard>) -> tensor<f32, #whole>
  // expected-error @below {{'dtc.sum' op the term of in.weight (b0.whole) holds R on axis "tp", expected P(sum)}}
  %0 = dtc.sum %w, %q {terms = [["in.weight"], ["up.weight", "up.bias"]]} : (tensor<f32, #whole>, tensor<f32, #split>) -> tensor<f32, #sq>
  return
}

// -----

#acc = #dtc.layout<pp=2:On{0}, dp=2:P(sum), tp=2:S(0), mb=2:R, pad(0:zero)>
#one = #dtc.layout<pp=2:On{0}, dp=2:P(sum), tp=2:S(0), mb=2:P(sum), pad(0:zero)>
#var = #dtc.layout<pp=2:On{0}, dp=2:R, tp=2:X, mb=2:R>
#b   = #dtc.layout<pp=2:On{0}, dp=2:P(sum), tp=2:X, mb=2:R>

dtc.variable @b0.split : tensor<15xf32, #var> {role = "parameter", init = {kind = "zeros"}, members = [@up.weight, @up.bias], member_types = [tensor<5x4xf32>, tensor<5xf32>]}

// The last micro-batch's gradient instead of the sum over them.
func.func @accumulate_is_left_out(%w: tensor<5x4xf32, #one>, %b: tensor<5xf32, #acc>) {
  // expected-error @below {{'dtc.pack' op the gradient of up.weight holds P(sum) on axis "mb", expected R}}
  %0 = dtc.pack %w, %b {bucket = "b0.split"} : (tensor<5x4xf32, #one>, tensor<5xf32, #acc>) -> tensor<15xf32, #b>
  return
}

// -----

#acc = #dtc.local<5x4, #dtc.layout<pp=2:On{0}, dp=2:P(sum), tp=2:S(0), mb=2:P(sum), pad(0:zero)>>
#bia = #dtc.local<5, #dtc.layout<pp=2:On{0}, dp=2:P(sum), tp=2:S(0), mb=2:R, pad(0:zero)>>
#var = #dtc.local<15, #dtc.layout<pp=2:On{0}, dp=2:R, tp=2:X, mb=2:R>>
#b   = #dtc.local<15, #dtc.layout<pp=2:On{0}, dp=2:P(sum), tp=2:X, mb=2:R>>

dtc.variable @b0.split : tensor<15xf32, #var> {role = "parameter", init = {kind = "zeros"}, members = [@up.weight, @up.bias], member_types = [tensor<5x4xf32>, tensor<5xf32>]}

// The same after partition, where the layout stands in the local type.
func.func @accumulate_is_left_out_in_the_epilogue(%w: tensor<3x4xf32, #acc>, %b: tensor<3xf32, #bia>) {
  // expected-error @below {{'dtc.pack' op the gradient of up.weight holds P(sum) on axis "mb", expected R}}
  %0 = dtc.pack %w, %b {bucket = "b0.split"} : (tensor<3x4xf32, #acc>, tensor<3xf32, #bia>) -> tensor<15xf32, #b>
  return
}
