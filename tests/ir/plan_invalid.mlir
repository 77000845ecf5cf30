// RUN: dtc-opt %s -split-input-file -verify-diagnostics

// @plan_size
// expected-error @below {{dp = 0, expected 1 or more}}
module attributes {dtc.plan = #dtc.plan<dp = 0>} {}

// -----

// @plan_zero
// expected-error @below {{zero = 4, expected 0 to 3}}
module attributes {dtc.plan = #dtc.plan<zero = 4>} {}

// -----

// @plan_stages
// expected-error @below {{pp = 65, expected at most 64}}
module attributes {dtc.plan = #dtc.plan<pp = 65>} {}

// -----

// @place_slots
// expected-error @below {{slots = 0, expected 1 or more}}
module attributes {dtc.place = #dtc.place<offset = 0, bytes = 4, slots = 0>} {}
