// One change of layout each: which collectives make it, and in which order.
// RUN: dtc-opt %s --dtc-insert-collectives -split-input-file | FileCheck %s

#p = #dtc.layout<pp=2:On{0}, dp=2:P(sum), tp=2:P(sum), mb=2:P(sum)>
#s = #dtc.layout<pp=2:On{0}, dp=2:S(0), tp=2:R, mb=2:R>
module {
  // mb first; then the shard, on which the rest is summed.
  // CHECK-LABEL: func.func @time_then_shard_then_rest(
  // CHECK-NEXT:  %[[A:.+]] = dtc.accumulate %{{.+}} {reduce_dtype = f64}
  // CHECK-NEXT:  %[[B:.+]] = dtc.reduce_scatter %[[A]] over "dp" {reduce_dtype = f64}
  // CHECK-NEXT:  dtc.all_reduce sum %[[B]] over ["tp"] {reduce_dtype = f64}
  // CHECK-NEXT:  return
  func.func @time_then_shard_then_rest(%x: tensor<8xf32, #p>) attributes {dtc.step_kind = "train"} {
    %0 = dtc.relayout %x {reduce_dtype = f64} : tensor<8xf32, #p> -> tensor<8xf32, #s>
    return
  }
}

// -----

#p = #dtc.layout<pp=2:On{0}, dp=2:S(0), tp=2:P(sum), mb=2:S(0)>
#s = #dtc.layout<pp=2:On{0}, dp=2:S(0), tp=2:S(1), mb=2:S(0)>
module {
  // Only blocks of dimension 0 are scattered.
  // CHECK-LABEL: func.func @sum_into_another_dimension(
  // CHECK-NEXT:  %[[A:.+]] = dtc.all_reduce sum %{{.+}} over ["tp"]
  // CHECK-NEXT:  dtc.local_slice %[[A]] {axis = "tp"}
  func.func @sum_into_another_dimension(%x: tensor<8x4xf32, #p>) attributes {dtc.step_kind = "train"} {
    %0 = dtc.relayout %x : tensor<8x4xf32, #p> -> tensor<8x4xf32, #s>
    return
  }
}

// -----

#s = #dtc.layout<pp=2:On{0}, dp=1:R, tp=2:S(0), mb=1:R>
#t = #dtc.layout<pp=2:On{0}, dp=1:R, tp=2:S(1), mb=1:R>
module {
  // CHECK-LABEL: func.func @split_another_dimension(
  // CHECK-NEXT:  %[[A:.+]] = dtc.all_gather %{{.+}} over "tp"
  // CHECK-NEXT:  dtc.local_slice %[[A]] {axis = "tp"}
  func.func @split_another_dimension(%x: tensor<8x4xf32, #s>) attributes {dtc.step_kind = "train"} {
    %0 = dtc.relayout %x : tensor<8x4xf32, #s> -> tensor<8x4xf32, #t>
    return
  }
}

// -----

#a = #dtc.layout<pp=3:On{0}, dp=1:R, tp=2:R, mb=1:R>
#b = #dtc.layout<pp=3:On{2}, dp=1:R, tp=2:S(0), mb=1:R>
#c = #dtc.layout<pp=3:On{0}, dp=1:R, tp=2:S(0), mb=1:R>
#d = #dtc.layout<pp=3:On{1}, dp=1:R, tp=2:R, mb=1:R>
module {
  // A send is of as little as can be: sliced before, gathered after. Each pair
  // of stages and direction has its channel.
  // CHECK-LABEL: func.func @smallest_send(
  // CHECK-NEXT:  %[[A:.+]] = dtc.local_slice %[[X:.+]] {axis = "tp", dtc.phase = "forward"}
  // CHECK-NEXT:  dtc.send_recv %[[A]] {channel = 0 : i64, destination = 2 : i64, dtc.phase = "forward", source = 0 : i64}
  // CHECK-NEXT:  %[[B:.+]] = dtc.send_recv %{{.+}} {channel = 1 : i64, destination = 1 : i64, dtc.phase = "forward", source = 0 : i64}
  // CHECK-NEXT:  dtc.all_gather %[[B]] over "tp"
  // CHECK-NEXT:  dtc.send_recv %[[X]] {channel = 2 : i64, destination = 1 : i64, dtc.phase = "backward", source = 0 : i64}
  func.func @smallest_send(%x: tensor<8xf32, #a>, %y: tensor<8xf32, #c>) attributes {dtc.step_kind = "train"} {
    %0 = dtc.relayout %x {dtc.phase = "forward"} : tensor<8xf32, #a> -> tensor<8xf32, #b>
    %1 = dtc.relayout %y {dtc.phase = "forward"} : tensor<8xf32, #c> -> tensor<8xf32, #d>
    %2 = dtc.relayout %x {dtc.phase = "backward"} : tensor<8xf32, #a> -> tensor<8xf32, #d>
    return
  }
}

// -----

#x = #dtc.layout<pp=1:On{0}, dp=1:S(0), tp=3:R, mb=2:R>
#y = #dtc.layout<pp=1:On{0}, dp=1:S(0), tp=3:S(1), mb=2:S(0), pad(0:zero, 1:zero)>
#z = #dtc.layout<pp=1:On{0}, dp=1:R, tp=3:R, mb=2:R>
#s = #dtc.layout<pp=1:On{0}, dp=1:R, tp=3:S(0), mb=2:S(0), pad(0:zero)>
module {
  // The rows of a micro-batch, then its columns; where both axes split the rows,
  // the outer one first.
  // CHECK-LABEL: func.func @rows_before_columns(
  // CHECK-NEXT:  %[[A:.+]] = dtc.local_slice %{{.+}} {axis = "mb"}
  // CHECK-NEXT:  dtc.local_slice %[[A]] {axis = "tp"}
  // CHECK-NEXT:  %[[B:.+]] = dtc.local_slice %{{.+}} {axis = "tp"}
  // CHECK-NEXT:  dtc.local_slice %[[B]] {axis = "mb"}
  func.func @rows_before_columns(%x: tensor<7x5xf32, #x>, %z: tensor<7xf32, #z>) attributes {dtc.step_kind = "train"} {
    %0 = dtc.relayout %x : tensor<7x5xf32, #x> -> tensor<7x5xf32, #y>
    %1 = dtc.relayout %z : tensor<7xf32, #z> -> tensor<7xf32, #s>
    return
  }
}
