// RUN: dtc-opt %s -split-input-file -verify-diagnostics

// @schedule_c1_wait
// expected-error @below {{C1: holds dtc.wait, expected dtc.call and dtc.repeat}}
dtc.schedule @s attributes {stage = 0 : i64} {
  dtc.wait {channel = 0 : i64, pending = 0 : i64}
}
