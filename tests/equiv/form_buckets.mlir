// Graphs that nobody thought of (tied and transposed weights, skips, slices, any
// loss, either optimizer), with buckets and without.
// RUN: dtc-equiv --random-graphs=12 --seed=40 --prepare=dtc-differentiate,dtc-optimize-step \
// RUN:   --passes=dtc-precision,dtc-assign-stages,dtc-assign-layouts,dtc-form-buckets,dtc-insert-collectives --steps=2 \
// RUN:   --mesh=dp:2xtp:2xpp:2xmb:2xzero:1,dp:3xtp:1xpp:2xmb:1xzero:1,dp:1xtp:3xpp:1xmb:3xzero:1,dp:2xtp:2xpp:2xmb:2xzero:0,dp:1xtp:3xpp:2xmb:3xzero:0 | FileCheck %s
// CHECK-COUNT-60: {{^graph=.* ok$}}
