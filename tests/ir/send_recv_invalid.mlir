// RUN: dtc-opt %s -split-input-file -verify-diagnostics

#on0 = #dtc.layout<pp=2:On{0}, tp=2:R>
#on1 = #dtc.layout<pp=2:On{1}, tp=2:R>

func.func @send_recv_c1_shape(%a: tensor<8x4xf32, #on0>) {
  // expected-error @below {{C1: result is 4x8xf32, expected 8x4xf32}}
  %0 = dtc.send_recv %a {channel = 0 : i64, destination = 1 : i64, source = 0 : i64}
     : tensor<8x4xf32, #on0> -> tensor<4x8xf32, #on1>
  return
}

// -----

#r = #dtc.layout<tp=2:R>

func.func @send_recv_c2_no_stages(%a: tensor<8xf32, #r>) {
  // expected-error @below {{C2: axis "pp" is not in #dtc.layout<tp=2:R>}}
  %0 = dtc.send_recv %a {channel = 0 : i64, destination = 1 : i64, source = 0 : i64}
     : tensor<8xf32, #r> -> tensor<8xf32, #r>
  return
}

// -----

#on1 = #dtc.layout<pp=2:On{1}, tp=2:R>

func.func @send_recv_c3_not_there(%a: tensor<8xf32, #on1>) {
  // expected-error @below {{C3: input holds On{1} on axis "pp", expected On{0}, the source 0}}
  %0 = dtc.send_recv %a {channel = 0 : i64, destination = 1 : i64, source = 0 : i64}
     : tensor<8xf32, #on1> -> tensor<8xf32, #on1>
  return
}

// -----

#on0 = #dtc.layout<pp=2:On{0}, tp=2:R>

func.func @send_recv_c4_elsewhere(%a: tensor<8xf32, #on0>) {
  // expected-error @below {{C4: result holds On{0} on axis "pp", expected On{1}, the destination 1, another stage than the source 0}}
  %0 = dtc.send_recv %a {channel = 0 : i64, destination = 1 : i64, source = 0 : i64}
     : tensor<8xf32, #on0> -> tensor<8xf32, #on0>
  return
}

// -----

#on0 = #dtc.layout<pp=2:On{0}, tp=2:R>

func.func @send_recv_c4_to_itself(%a: tensor<8xf32, #on0>) {
  // expected-error @below {{C4: result holds On{0} on axis "pp", expected On{0}, the destination 0, another stage than the source 0}}
  %0 = dtc.send_recv %a {channel = 0 : i64, destination = 0 : i64, source = 0 : i64}
     : tensor<8xf32, #on0> -> tensor<8xf32, #on0>
  return
}

// -----

#on0p = #dtc.layout<pp=2:On{0}, tp=2:P(sum)>
#on1p = #dtc.layout<pp=2:On{1}, tp=2:P(sum)>

func.func @send_recv_c5_addend(%a: tensor<8xf32, #on0p>) {
  // expected-error @below {{C5: input holds P(sum) on axis "tp", expected R or S(dim): a partial value settles before it is sent}}
  %0 = dtc.send_recv %a {channel = 0 : i64, destination = 1 : i64, source = 0 : i64}
     : tensor<8xf32, #on0p> -> tensor<8xf32, #on1p>
  return
}
