// RUN: dtc-opt %s --dtc-outline-tasks -split-input-file -verify-diagnostics

#w0 = #dtc.layout<pp=2:On{0}, dp=1:R, tp=1:R, mb=2:R>
#b0 = #dtc.layout<pp=2:On{0}, dp=1:R, tp=1:R, mb=2:S(0)>
#g0 = #dtc.layout<pp=2:On{0}, dp=1:R, tp=1:R, mb=2:P(sum)>

// An accumulated value is known after the loop; batch statistics over several
// micro-batches would need it inside.
module attributes {dtc.plan = #dtc.plan<pp = 2, micro_batches = 2>} {
  func.func @step(%x: tensor<2x3xf32, #dtc.local<2x3, #w0>> {dtc.input = "x"}) attributes {dtc.step_kind = "train"} {
    %m = dtc.local_slice %x {axis = "mb", dtc.phase = "forward"} : tensor<2x3xf32, #dtc.local<2x3, #w0>> -> tensor<1x3xf32, #dtc.local<2x3, #b0>>
    %s = dtc.reduce_sum %m {dims = array<i64: 0>, dtc.name = "mean.sum", dtc.phase = "forward"} : (tensor<1x3xf32, #dtc.local<2x3, #b0>>) -> tensor<3xf32, #dtc.local<3, #g0>>
    %a = dtc.accumulate %s {dtc.name = "mean", dtc.phase = "forward"} : tensor<3xf32, #dtc.local<3, #g0>> -> tensor<3xf32, #dtc.local<3, #w0>>
    // expected-error @below {{centered uses mean inside the loop over micro-batches, but the sum is known only after the last one; lower micro_batches to 1}}
    %c = dtc.sub %m, %a {dtc.name = "centered", dtc.phase = "forward"} : (tensor<1x3xf32, #dtc.local<2x3, #b0>>, tensor<3xf32, #dtc.local<3, #w0>>) -> tensor<1x3xf32, #dtc.local<2x3, #b0>>
    return
  }
}

// -----

#b0 = #dtc.layout<pp=2:On{0}, dp=1:R, tp=1:R, mb=2:S(0)>
#b1 = #dtc.layout<pp=2:On{1}, dp=1:R, tp=1:R, mb=2:S(0)>
#w1 = #dtc.layout<pp=2:On{1}, dp=1:R, tp=1:R, mb=2:R>

// A forward value that goes back would be waited for by a task before it.
module attributes {dtc.plan = #dtc.plan<pp = 2, micro_batches = 2>} {
  func.func @step(%x: tensor<2x3xf32, #dtc.local<2x3, #w1>> {dtc.input = "x"}) attributes {dtc.step_kind = "train"} {
    %m = dtc.local_slice %x {axis = "mb", dtc.phase = "forward"} : tensor<2x3xf32, #dtc.local<2x3, #w1>> -> tensor<1x3xf32, #dtc.local<2x3, #b1>>
    // expected-error @below {{up of phase forward is sent from stage 1 to stage 0, expected a later stage}}
    %s = dtc.send_recv %m {source = 1 : i64, destination = 0 : i64, channel = 0 : i64, dtc.name = "up", dtc.phase = "forward"} : tensor<1x3xf32, #dtc.local<2x3, #b1>> -> tensor<1x3xf32, #dtc.local<2x3, #b0>>
    return
  }
}

// -----

#w0 = #dtc.layout<pp=2:On{0}, dp=1:R, tp=1:R, mb=2:R>
#w1 = #dtc.layout<pp=2:On{1}, dp=1:R, tp=1:R, mb=2:R>

// What is the same for all micro-batches has no channel of the loop.
module attributes {dtc.plan = #dtc.plan<pp = 2, micro_batches = 2>} {
  func.func @step(%x: tensor<2x3xf32, #dtc.local<2x3, #w0>> {dtc.input = "x"}) attributes {dtc.step_kind = "train"} {
    // expected-error @below {{x is sent from stage 0 to stage 1 but is the same for all micro-batches}}
    %s = dtc.send_recv %x {source = 0 : i64, destination = 1 : i64, channel = 0 : i64, dtc.name = "x", dtc.phase = "forward"} : tensor<2x3xf32, #dtc.local<2x3, #w0>> -> tensor<2x3xf32, #dtc.local<2x3, #w1>>
    return
  }
}

// -----

#b0 = #dtc.layout<pp=1:On{0}, dp=1:R, tp=1:R, mb=2:S(0)>
#w0 = #dtc.layout<pp=1:On{0}, dp=1:R, tp=1:R, mb=2:R>
#g0 = #dtc.layout<pp=1:On{0}, dp=1:R, tp=1:R, mb=2:P(sum)>

// A metric is published once a step, not once a micro-batch.
module attributes {dtc.plan = #dtc.plan<micro_batches = 2>} {
  func.func @step(%x: tensor<2xf32, #dtc.local<2, #w0>> {dtc.input = "x"}) attributes {dtc.step_kind = "train"} {
    %m = dtc.local_slice %x {axis = "mb", dtc.phase = "forward"} : tensor<2xf32, #dtc.local<2, #w0>> -> tensor<1xf32, #dtc.local<2, #b0>>
    %s = dtc.reduce_sum %m {dims = array<i64: 0>, dtc.name = "total", dtc.phase = "forward"} : (tensor<1xf32, #dtc.local<2, #b0>>) -> tensor<f32, #dtc.local<scalar, #g0>>
    // expected-error @below {{report.total joins all micro-batches}}
    dtc.report %s as "total" {dtc.name = "report.total", dtc.phase = "forward"} : tensor<f32, #dtc.local<scalar, #g0>>
    return
  }
}

// -----

// expected-error @below {{has no dtc.plan, which says how many stages the step has}}
module {
  func.func @step() attributes {dtc.step_kind = "train"} {
    return
  }
}

// -----

#b0 = #dtc.layout<pp=1:On{0}, dp=1:R, tp=1:R, mb=2:S(0)>
#w0 = #dtc.layout<pp=1:On{0}, dp=1:R, tp=1:R, mb=2:R>

// A forward op that reads a cotangent would load what the last micro-batch left.
module attributes {dtc.plan = #dtc.plan<micro_batches = 2>} {
  func.func @step(%x: tensor<2xf32, #dtc.local<2, #w0>> {dtc.input = "x"}) attributes {dtc.step_kind = "train"} {
    %m = dtc.local_slice %x {axis = "mb", dtc.phase = "forward"} : tensor<2xf32, #dtc.local<2, #w0>> -> tensor<1xf32, #dtc.local<2, #b0>>
    %d = dtc.relu %m {dtc.name = "late", dtc.phase = "backward"} : (tensor<1xf32, #dtc.local<2, #b0>>) -> tensor<1xf32, #dtc.local<2, #b0>>
    // expected-error @below {{early belongs to the forward task but uses late, which the weight task makes}}
    %e = dtc.relu %d {dtc.name = "early", dtc.phase = "forward"} : (tensor<1xf32, #dtc.local<2, #b0>>) -> tensor<1xf32, #dtc.local<2, #b0>>
    return
  }
}
