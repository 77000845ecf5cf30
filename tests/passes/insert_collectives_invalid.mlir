// Changes of layout that no collective makes are refused by op, axis and states.
// RUN: dtc-opt %s --dtc-insert-collectives -split-input-file -verify-diagnostics

#p = #dtc.layout<pp=1:On{0}, dp=2:S(0), tp=1:R, mb=2:S(0)>
#r = #dtc.layout<pp=1:On{0}, dp=2:S(0), tp=1:R, mb=2:R>
module {
  func.func @micro_batches_are_not_gathered(%x: tensor<8xf32, #p>) attributes {dtc.step_kind = "train"} {
    // expected-error @below {{h.0: no collective turns S(0) into R on axis "mb", expected a reduction, a gather, a slice or a send}}
    %0 = dtc.relayout %x {dtc.name = "h.0"} : tensor<8xf32, #p> -> tensor<8xf32, #r>
    return
  }
}

// -----

#w = #dtc.layout<pp=2:On{0}, dp=1:R, tp=2:R, mb=1:R>
#p = #dtc.layout<pp=2:On{0}, dp=1:R, tp=2:P(sum), mb=1:R>
module {
  func.func @whole_becomes_partial_by_to_partial_only(%x: tensor<8xf32, #w>) attributes {dtc.step_kind = "train"} {
    // expected-error @below {{h.0: no collective turns R into P(sum) on axis "tp"}}
    %0 = dtc.relayout %x {dtc.name = "h.0"} : tensor<8xf32, #w> -> tensor<8xf32, #p>
    return
  }
}

// -----

#a = #dtc.layout<pp=2:On{0}, dp=1:R, tp=2:R, mb=1:R>
#b = #dtc.layout<pp=2:On{0,1}, dp=1:R, tp=2:R, mb=1:R>
module {
  func.func @one_stage_at_a_time(%x: tensor<8xf32, #a>) attributes {dtc.step_kind = "train"} {
    // expected-error @below {{h.0: no collective turns On{0} into On{0,1} on axis "pp"}}
    %0 = dtc.relayout %x {dtc.name = "h.0"} : tensor<8xf32, #a> -> tensor<8xf32, #b>
    return
  }
}

// -----

#p = #dtc.layout<pp=1:On{0}, dp=2:P(max), tp=1:R, mb=2:P(max)>
#r = #dtc.layout<pp=1:On{0}, dp=2:R, tp=1:R, mb=2:R>
module {
  func.func @only_sums_accumulate(%x: tensor<8xf32, #p>) attributes {dtc.step_kind = "train"} {
    // expected-error @below {{h.0: no collective turns P(max) into R on axis "mb"}}
    %0 = dtc.relayout %x {dtc.name = "h.0"} : tensor<8xf32, #p> -> tensor<8xf32, #r>
    return
  }
}
