// Sums are cut along the stages and add up to the same; then on all ranks, where
// each stage adds its terms and sends, and a weight of three uses is summed over
// its stages.
// RUN: dtc-equiv %S/Inputs/tied.mlir --prepare=dtc-differentiate,dtc-optimize-step \
// RUN:   --passes=dtc-precision,dtc-assign-stages,dtc-assign-layouts,dtc-form-buckets,dtc-insert-collectives \
// RUN:   --mesh=pp:1xdp:1xmb:1xzero:0,pp:2xdp:2xmb:2xzero:1,pp:3xdp:1xmb:2xzero:1,pp:4xdp:1xmb:4xzero:0 \
// RUN:   --steps=3 --seed=5 2>/dev/null | FileCheck %s
// CHECK:      mesh=pp:1xdp:1xmb:1xzero:0 outputs={{[1-9].*}} ok
// CHECK-NEXT: mesh=pp:2xdp:2xmb:2xzero:1 {{.*}} ok
// CHECK-NEXT: mesh=pp:3xdp:1xmb:2xzero:1 {{.*}} ok
// CHECK-NEXT: mesh=pp:4xdp:1xmb:4xzero:0 {{.*}} ok
