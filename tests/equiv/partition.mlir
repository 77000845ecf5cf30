// Local shapes mean what the global ones did.
// RUN: dtc-equiv %source/tests/passes/Inputs/example.mlir --prepare=dtc-differentiate,dtc-optimize-step \
// RUN:   --passes=dtc-precision,dtc-assign-stages,dtc-assign-layouts,dtc-form-buckets,dtc-insert-collectives,dtc-partition \
// RUN:   --input-file=%S/Inputs/example.numbers --expect=%S/Inputs/example.expected --steps=3 \
// RUN:   --mesh=dp:2xtp:2xpp:2xmb:2xzero:1,dp:2xtp:2xpp:2xmb:2xzero:0,dp:3xmb:3xtp:1xpp:1,tp:3xdp:1xpp:1xmb:1,pp:4xmb:4xdp:1xtp:1 | FileCheck %s
// CHECK:         {{^expected=.* ok$}}
// CHECK-COUNT-5: {{^mesh=.* ok$}}

// Evaluation shares layouts and buckets.
// RUN: dtc-equiv %source/tests/passes/Inputs/example.mlir --prepare=dtc-differentiate,dtc-optimize-step \
// RUN:   --passes=dtc-precision,dtc-assign-stages,dtc-assign-layouts,dtc-form-buckets,dtc-insert-collectives,dtc-partition \
// RUN:   --function=evaluate --mesh=dp:2xtp:2xpp:2xmb:2xzero:1,dp:3xtp:3xpp:1xmb:2xzero:0 | FileCheck %s --check-prefix=EVALUATE
// EVALUATE-COUNT-2: {{^mesh=.* ok$}}
