// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @count_valid_c1_result(%l: tensor<7xi32>) {
  // expected-error @below {{C1: result is i32, expected i64}}
  %0 = dtc.count_valid %l {ignore = -100 : i64} : (tensor<7xi32>) -> tensor<i32>
  return
}

// -----

#r = #dtc.layout<tp=2:R>
#s0 = #dtc.layout<tp=2:S(0)>

// A rank's own count.
func.func @count_valid_of_a_shard_is_not_whole(%l: tensor<8xi32, #s0>) {
  // expected-error @below {{result holds R on axis "tp", expected P(sum)}}
  %0 = dtc.count_valid %l {ignore = -100 : i64} : (tensor<8xi32, #s0>) -> tensor<i64, #r>
  return
}

// -----

#p = #dtc.layout<tp=2:P(sum)>
#s0z = #dtc.layout<tp=2:S(0), pad(0:zero)>

// Zero is a class; absent samples have the ignore label.
func.func @count_valid_counts_pads(%l: tensor<7xi32, #s0z>) {
  // expected-error @below {{operand labels has pads zero in dimension 0, expected fill}}
  %0 = dtc.count_valid %l {ignore = -100 : i64} : (tensor<7xi32, #s0z>) -> tensor<i64, #p>
  return
}
