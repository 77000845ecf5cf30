// Layouts and the collectives between them keep the meaning of three steps: on
// every mesh of one to three in each direction, uneven rows, widths and classes.
// DEFINE: %{passes} = --prepare=dtc-differentiate,dtc-optimize-step --passes=dtc-precision,dtc-assign-stages,dtc-assign-layouts,dtc-form-buckets,dtc-insert-collectives
// DEFINE: %{model} =
// DEFINE: %{zero} =
// DEFINE: %{judge} = %python %S/Inputs/all_meshes.py 3 %{zero} | xargs -I{} dtc-equiv %source/tests/passes/Inputs/%{model}.mlir %{passes} --steps=3 --mesh={} | FileCheck %s
// REDEFINE: %{model} = example
// REDEFINE: %{zero} = 0
// RUN: %{judge}
// REDEFINE: %{zero} = 1
// RUN: %{judge}
// REDEFINE: %{model} = narrow
// RUN: %{judge}
// REDEFINE: %{zero} = 0
// RUN: %{judge}

// CHECK-COUNT-81: {{^mesh=.* ok$}}
// CHECK-NOT:      {{.}}
