// RUN: dtc-opt %s -split-input-file -verify-diagnostics

#p = #dtc.layout<tp=2:P(sum)>

func.func @send_c1_addend(%v: tensor<8xf32, #p>) {
  // expected-error @below {{C1: value holds P(sum) on axis "tp", expected a settled value}}
  dtc.send %v {channel = 0 : i64, peer_stage = 1 : i64} : tensor<8xf32, #p>
  return
}
