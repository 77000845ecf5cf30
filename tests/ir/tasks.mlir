// A stage with one task of each kind of op that a task has, its buffers and its
// schedule.
// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#r = #dtc.layout<mb=2:R>
#p = #dtc.layout<mb=2:P(sum)>
#s = #dtc.layout<mb=2:S(0)>

// CHECK: dtc.buffer @stage0.x : tensor<8x6xf32, #dtc.local<8x6, #{{.+}}>> {buffer_class = #dtc.buffer_class<batch>, stage = 0 : i64}
dtc.buffer @stage0.x : tensor<8x6xf32, #dtc.local<8x6, #r>>
  {buffer_class = #dtc.buffer_class<batch>, stage = 0 : i64}
// CHECK: dtc.buffer @stage0.h : tensor<4x6xf32, #dtc.local<8x6, #{{.+}}>> {buffer_class = #dtc.buffer_class<stash>, slots = 2 : i64, stage = 0 : i64}
dtc.buffer @stage0.h : tensor<4x6xf32, #dtc.local<8x6, #s>>
  {buffer_class = #dtc.buffer_class<stash>, slots = 2 : i64, stage = 0 : i64}
dtc.buffer @stage0.g : tensor<6xf32, #dtc.local<6, #r>>
  {buffer_class = #dtc.buffer_class<accumulator>, stage = 0 : i64}

func.func private @prologue() attributes {dtc.stage = 0 : i64, dtc.task = #dtc.task_kind<prologue>} {
  // CHECK: dtc.read_batch "x" into @stage0.x
  dtc.read_batch "x" into @stage0.x
  // CHECK: dtc.clear @stage0.g
  dtc.clear @stage0.g
  return
}
func.func private @forward() attributes {dtc.stage = 0 : i64, dtc.task = #dtc.task_kind<forward>} {
  %x = dtc.load @stage0.x : tensor<8x6xf32, #dtc.local<8x6, #r>>
  // CHECK: dtc.local_slice %{{.+}} {axis = "mb"}
  %0 = dtc.local_slice %x {axis = "mb"}
     : tensor<8x6xf32, #dtc.local<8x6, #r>> -> tensor<4x6xf32, #dtc.local<8x6, #s>>
  // CHECK: dtc.save %[[H:.+]], @stage0.h
  dtc.save %0, @stage0.h : tensor<4x6xf32, #dtc.local<8x6, #s>>
  // CHECK: dtc.send %[[H]] {channel = 0 : i64, peer_stage = 1 : i64}
  dtc.send %0 {channel = 0 : i64, peer_stage = 1 : i64} : tensor<4x6xf32, #dtc.local<8x6, #s>>
  return
}
func.func private @weight() attributes {dtc.stage = 0 : i64, dtc.task = #dtc.task_kind<weight>} {
  // CHECK: dtc.recv {channel = 1 : i64, peer_stage = 1 : i64}
  %d = dtc.recv {channel = 1 : i64, peer_stage = 1 : i64} : tensor<4x6xf32, #dtc.local<8x6, #s>>
  // CHECK: dtc.load @stage0.h
  %h = dtc.load @stage0.h : tensor<4x6xf32, #dtc.local<8x6, #s>>
  %dz = dtc.relu_grad %d, %h
     : (tensor<4x6xf32, #dtc.local<8x6, #s>>, tensor<4x6xf32, #dtc.local<8x6, #s>>) -> tensor<4x6xf32, #dtc.local<8x6, #s>>
  %g = dtc.reduce_sum %dz {dims = array<i64: 0>}
     : (tensor<4x6xf32, #dtc.local<8x6, #s>>) -> tensor<6xf32, #dtc.local<6, #p>>
  // CHECK: dtc.accumulate_into %{{.+}}, @stage0.g
  dtc.accumulate_into %g, @stage0.g : tensor<6xf32, #dtc.local<6, #p>>
  // CHECK: dtc.wait {channel = 0 : i64, pending = 0 : i64}
  dtc.wait {channel = 0 : i64, pending = 0 : i64}
  return
}

// CHECK: dtc.schedule @stage0.train attributes {stage = 0 : i64}
dtc.schedule @stage0.train attributes {stage = 0 : i64} {
  // CHECK-NEXT: dtc.call @prologue
  dtc.call @prologue
  // CHECK-NEXT: dtc.repeat 2
  dtc.repeat 2 {
    dtc.call @forward
  }
  dtc.repeat 1 {
    dtc.call @weight
    // CHECK: dtc.call @weight {first = 1 : i64}
    dtc.call @weight {first = 1 : i64}
  }
}

// CHECK-LABEL: func.func @kernel(
func.func @kernel(%x: tensor<7x5xf32>, %b: tensor<5xf32>) -> tensor<7x5xf32> {
  // CHECK: dtc.fused map(%{{.+}}, %{{.+}}) :
  %0 = dtc.fused map(%x, %b) : (tensor<7x5xf32>, tensor<5xf32>) -> tensor<7x5xf32> {
  ^bb0(%u: tensor<7x5xf32>, %v: tensor<5xf32>):
    %1 = dtc.add %u, %v : (tensor<7x5xf32>, tensor<5xf32>) -> tensor<7x5xf32>
    // CHECK: dtc.yield
    dtc.yield %1 : tensor<7x5xf32>
  }
  return %0 : tensor<7x5xf32>
}
