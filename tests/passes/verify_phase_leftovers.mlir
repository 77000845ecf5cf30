// RUN: dtc-opt %s -split-input-file --dtc-verify-phase=phase=sharded -verify-diagnostics

#p = #dtc.layout<pp=1:On{0}, dp=2:P(sum), tp=1:R, mb=1:R>
#r = #dtc.layout<pp=1:On{0}, dp=2:R, tp=1:R, mb=1:R>
func.func @relayout(%x: tensor<8x4xf32, #p>) {
  // expected-error @below {{is left over at the end of phase sharded, dtc-insert-collectives should have replaced it}}
  %0 = dtc.relayout %x : tensor<8x4xf32, #p> -> tensor<8x4xf32, #r>
  return
}

// -----

func.func @no_layout(%x: tensor<8x4xf32>) {
  // expected-error @below {{has type 'tensor<8x4xf32>', expected one with #dtc.layout}}
  %0 = dtc.relu %x : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

#r = #dtc.layout<pp=1:On{0}, dp=2:R, tp=1:R, mb=1:R>
func.func @stages(%x: tensor<8x4xf32, #r>) {
  // expected-error @below {{still has dtc.stages, after dtc-assign-layouts the type says it}}
  %0 = dtc.relu %x {dtc.stages = array<i64: 0>} : (tensor<8x4xf32, #r>) -> tensor<8x4xf32, #r>
  return
}

// -----

// expected-error @below {{stands at the end of phase sharded, it lives from phase scheduled on}}
dtc.buffer @early : tensor<4xf32> {stage = 0 : i64, buffer_class = #dtc.buffer_class<stash>}
