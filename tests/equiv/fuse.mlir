// Kernels of several ops give what the ops gave, on each rank of each plan.
// RUN: dtc-equiv %source/tests/passes/Inputs/example.mlir --prepare=dtc-differentiate,dtc-optimize-step \
// RUN:   --passes=dtc-precision,dtc-assign-stages,dtc-assign-layouts,dtc-form-buckets,dtc-insert-collectives,dtc-partition,dtc-outline-tasks,dtc-schedule,dtc-fuse,dtc-select-kernels,dtc-plan-memory \
// RUN:   --mesh=pp:1xdp:1xtp:1xmb:1xzero:0,pp:1xdp:3xtp:1xmb:3xzero:1,pp:1xdp:1xtp:3xmb:1xzero:0,pp:2xdp:2xtp:2xmb:2xzero:1 \
// RUN:   --steps=2 --seed=6 2>/dev/null | FileCheck %s
// CHECK:      mesh=pp:1xdp:1xtp:1xmb:1xzero:0 outputs={{[1-9].*}} ok
// CHECK-NEXT: mesh=pp:1xdp:3xtp:1xmb:3xzero:1 {{.*}} ok
// CHECK-NEXT: mesh=pp:1xdp:1xtp:3xmb:1xzero:0 {{.*}} ok
// CHECK-NEXT: mesh=pp:2xdp:2xtp:2xmb:2xzero:1 {{.*}} ok
