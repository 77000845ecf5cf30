// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @report_c1_vector(%a: tensor<4xf32>) {
  // expected-error @below {{C1: value is 4xf32, expected a scalar}}
  dtc.report %a as "loss" : tensor<4xf32>
  return
}
