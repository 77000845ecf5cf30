// RUN: dtc-opt %s -split-input-file -verify-diagnostics

// @variable_c1_no_kind
// expected-error @below {{C1: init is {}, expected kind = zeros, ones, constant, normal, uniform or file}}
dtc.variable @w : tensor<5x4xf32> {init = {}, role = "parameter"}

// -----

// @variable_c1_unknown_kind
// expected-error @below {{C1: init is {kind = "kaiming"}, expected kind = zeros}}
dtc.variable @w : tensor<5x4xf32> {init = {kind = "kaiming"}, role = "parameter"}

// -----

// @variable_c1_no_std
// expected-error @below {{C1: init of kind "normal" has no number "std"}}
dtc.variable @w : tensor<5x4xf32> {init = {kind = "normal", mean = 0.0}, role = "parameter"}

// -----

// @variable_c1_no_path
// expected-error @below {{C1: init of kind "file" has no "path"}}
dtc.variable @w : tensor<5x4xf32> {init = {kind = "file"}, role = "parameter"}

// -----

// @variable_c2_role
// expected-error @below {{C2: role is "weight", expected parameter, state or scalar}}
dtc.variable @w : tensor<5x4xf32> {init = {kind = "zeros"}, role = "weight"}

// -----

// @variable_c3_state_of_nothing
// expected-error @below {{C3: role is "state" and of is missing, expected it for state alone}}
dtc.variable @w : tensor<5x4xf32> {init = {kind = "zeros"}, role = "state"}

// -----

// @variable_c3_parameter_of
// expected-error @below {{C3: role is "parameter" and of is there, expected it for state alone}}
dtc.variable @w : tensor<5x4xf32> {init = {kind = "zeros"}, role = "parameter", of = @w}

// -----

// @variable_c4_no_name
// expected-error @below {{C4: member 0 is 7 : i64, expected a variable's name}}
dtc.variable @w : tensor<5x4xf32> {init = {kind = "zeros"}, role = "parameter", members = [7], member_types = [tensor<4xf32>]}

// -----

// @variable_c4_no_tensor
// expected-error @below {{C4: type of member 0 is f32, expected a static tensor}}
dtc.variable @w : tensor<5x4xf32> {init = {kind = "zeros"}, role = "parameter", members = [@a], member_types = [f32]}

// -----

// @variable_c4_types
// expected-error @below {{C4: 1 members with 0 member_types, expected one for each}}
dtc.variable @w : tensor<5x4xf32> {init = {kind = "zeros"}, role = "parameter", members = [@a]}
