// RUN: dtc-opt %s -split-input-file -verify-diagnostics

#p = #dtc.layout<tp=2:P(sum)>

func.func @recv_c1_addend() {
  // expected-error @below {{C1: result holds P(sum) on axis "tp", expected a settled value}}
  %0 = dtc.recv {channel = 0 : i64, peer_stage = 1 : i64} : tensor<8xf32, #p>
  return
}
