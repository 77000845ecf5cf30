// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @fused_c1_arguments(%a: tensor<7x5xf32>, %b: tensor<5xf32>) {
  // expected-error @below {{C1: the block has arguments ('tensor<7x5xf32>', 'tensor<5xf32>'), the inputs are ('tensor<5xf32>', 'tensor<7x5xf32>')}}
  %0 = dtc.fused map(%b, %a) : (tensor<5xf32>, tensor<7x5xf32>) -> tensor<7x5xf32> {
  ^bb0(%u: tensor<7x5xf32>, %v: tensor<5xf32>):
    %1 = dtc.add %u, %v : (tensor<7x5xf32>, tensor<5xf32>) -> tensor<7x5xf32>
    dtc.yield %1 : tensor<7x5xf32>
  }
  return
}

// -----

func.func @fused_c2_no_yield(%a: tensor<7x5xf32>, %b: tensor<5xf32>) {
  // expected-error @below {{C2: the block does not end in dtc.yield}}
  %0 = dtc.fused map(%a, %b) : (tensor<7x5xf32>, tensor<5xf32>) -> tensor<7x5xf32> {
  ^bb0(%u: tensor<7x5xf32>, %v: tensor<5xf32>):
    %1 = dtc.add %u, %v : (tensor<7x5xf32>, tensor<5xf32>) -> tensor<7x5xf32>
  }
  return
}

// -----

func.func @fused_c2_result(%a: tensor<7x5xf32>, %b: tensor<5xf32>) {
  // expected-error @below {{C2: dtc.yield gives ('tensor<5xf32>'), the results are ('tensor<7x5xf32>')}}
  %0 = dtc.fused map(%a, %b) : (tensor<7x5xf32>, tensor<5xf32>) -> tensor<7x5xf32> {
  ^bb0(%u: tensor<7x5xf32>, %v: tensor<5xf32>):
    %1 = dtc.add %u, %v : (tensor<7x5xf32>, tensor<5xf32>) -> tensor<7x5xf32>
    dtc.yield %v : tensor<5xf32>
  }
  return
}

// -----

func.func @fused_c3_wait(%a: tensor<7x5xf32>, %b: tensor<5xf32>) {
  // expected-error @below {{C3: holds dtc.wait, expected ops that one kernel can compute}}
  %0 = dtc.fused map(%a, %b) : (tensor<7x5xf32>, tensor<5xf32>) -> tensor<7x5xf32> {
  ^bb0(%u: tensor<7x5xf32>, %v: tensor<5xf32>):
    dtc.wait {channel = 0 : i64, pending = 0 : i64}
    dtc.yield %u : tensor<7x5xf32>
  }
  return
}

// -----

#p = #dtc.layout<tp=2:P(sum)>
#r = #dtc.layout<tp=2:R>

// A kernel does not communicate.
func.func @fused_c3_collective(%a: tensor<4xf32, #p>) {
  // expected-error @below {{C3: holds dtc.all_reduce, expected ops that one kernel can compute}}
  %0 = dtc.fused map(%a) : (tensor<4xf32, #p>) -> tensor<4xf32, #r> {
  ^bb0(%u: tensor<4xf32, #p>):
    %1 = dtc.all_reduce sum %u over ["tp"] : tensor<4xf32, #p> -> tensor<4xf32, #r>
    dtc.yield %1 : tensor<4xf32, #r>
  }
  return
}
