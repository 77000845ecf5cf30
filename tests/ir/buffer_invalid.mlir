// RUN: dtc-opt %s -split-input-file -verify-diagnostics

// @buffer_c1_slots
// expected-error @below {{C1: stage = 0, slots = 0, expected 0 or more, and 1 or more}}
dtc.buffer @b : tensor<8x6xf32> {buffer_class = #dtc.buffer_class<stash>, slots = 0 : i64, stage = 0 : i64}

// -----

// @buffer_c1_stage
// expected-error @below {{C1: stage = -1, slots = 1, expected 0 or more, and 1 or more}}
dtc.buffer @b : tensor<8x6xf32> {buffer_class = #dtc.buffer_class<stash>, stage = -1 : i64}
