// RUN: dtc-opt %s --dtc-schedule -split-input-file -verify-diagnostics

#b0 = #dtc.layout<pp=2:On{0}, dp=1:R, tp=1:R, mb=2:S(0)>

// What nobody takes would hold its buffer for ever.
// expected-error @below {{channel 3 has 1 sends and 0 receives a micro-batch, expected as many}}
module attributes {dtc.plan = #dtc.plan<pp = 2, micro_batches = 2>} {
  dtc.buffer @h : tensor<1xf32, #dtc.local<2, #b0>> {buffer_class = #dtc.buffer_class<sent>, stage = 0 : i64}
  func.func private @forward() attributes {dtc.stage = 0 : i64, dtc.step_kind = "train", dtc.task = #dtc.task_kind<forward>} {
    %0 = dtc.load @h : tensor<1xf32, #dtc.local<2, #b0>>
    dtc.send %0 {channel = 3 : i64, peer_stage = 1 : i64} : tensor<1xf32, #dtc.local<2, #b0>>
    return
  }
}

// -----

#b0 = #dtc.layout<pp=2:On{0}, dp=1:R, tp=1:R, mb=2:S(0)>

// A prologue runs once, a channel is for every micro-batch.
module attributes {dtc.plan = #dtc.plan<pp = 2, micro_batches = 2>} {
  func.func private @prologue() attributes {dtc.stage = 0 : i64, dtc.step_kind = "train", dtc.task = #dtc.task_kind<prologue>} {
    // expected-error @below {{stands in the prologue of stage 0, expected a task of the loop}}
    %0 = dtc.recv {channel = 0 : i64, peer_stage = 1 : i64} : tensor<1xf32, #dtc.local<2, #b0>>
    return
  }
}

// -----

#b0 = #dtc.layout<pp=2:On{0}, dp=1:R, tp=1:R, mb=2:S(0)>
#b1 = #dtc.layout<pp=2:On{1}, dp=1:R, tp=1:R, mb=2:S(0)>

// Each stage waits for the other's forward: no order can run.
// expected-error @below {{the schedule can't be run: stage 0 waits for what forward of micro-batch 0 receives, and its sender waits for this stage}}
module attributes {dtc.plan = #dtc.plan<pp = 2, micro_batches = 2>} {
  func.func private @first() attributes {dtc.stage = 0 : i64, dtc.step_kind = "train", dtc.task = #dtc.task_kind<forward>} {
    %0 = dtc.recv {channel = 1 : i64, peer_stage = 1 : i64} : tensor<1xf32, #dtc.local<2, #b0>>
    dtc.send %0 {channel = 0 : i64, peer_stage = 1 : i64} : tensor<1xf32, #dtc.local<2, #b0>>
    return
  }
  func.func private @second() attributes {dtc.stage = 1 : i64, dtc.step_kind = "train", dtc.task = #dtc.task_kind<forward>} {
    %0 = dtc.recv {channel = 0 : i64, peer_stage = 0 : i64} : tensor<1xf32, #dtc.local<2, #b1>>
    dtc.send %0 {channel = 1 : i64, peer_stage = 0 : i64} : tensor<1xf32, #dtc.local<2, #b1>>
    return
  }
}

// -----

// expected-error @below {{has no dtc.plan, which says how many micro-batches a step has}}
module {
}
