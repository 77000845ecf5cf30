// RUN: dtc-opt %s -split-input-file -verify-diagnostics

func.func @wait_c1_negative() {
  // expected-error @below {{C1: pending = -1, expected 0 or more}}
  dtc.wait {channel = 0 : i64, pending = -1 : i64}
  return
}
