// RUN: dtc-opt %s | dtc-opt | FileCheck %s

#on0 = #dtc.layout<pp=2:On{0}, tp=2:R>
#on1 = #dtc.layout<pp=2:On{1}, tp=2:R>
#on01 = #dtc.layout<pp=2:On{0,1}, tp=2:R>

// From stage 0 to stage 1.
// CHECK-LABEL: func.func @send_recv_forward(
func.func @send_recv_forward(%a: tensor<8xf32, #on0>) {
  // CHECK: dtc.send_recv %{{.+}} {channel = 0 : i64, destination = 1 : i64, source = 0 : i64} :
  %0 = dtc.send_recv %a {channel = 0 : i64, destination = 1 : i64, source = 0 : i64}
     : tensor<8xf32, #on0> -> tensor<8xf32, #on1>
  return
}

// A value on several stages is sent by one.
// CHECK-LABEL: func.func @send_recv_from_a_set(
func.func @send_recv_from_a_set(%a: tensor<8xf32, #on01>) {
  // CHECK: dtc.send_recv %{{.+}} {channel = 0 : i64, destination = 1 : i64, source = 0 : i64} :
  %0 = dtc.send_recv %a {channel = 0 : i64, destination = 1 : i64, source = 0 : i64}
     : tensor<8xf32, #on01> -> tensor<8xf32, #on1>
  return
}
