// The orders of the worked example: 1f1b keeps one micro-batch on the last
// stage, gpipe both.
// RUN: dtc-opt %S/Inputs/two_stages_local.mlir --dtc-outline-tasks --dtc-schedule | FileCheck %s
// RUN: dtc-opt %S/Inputs/two_stages_local.mlir --dtc-outline-tasks --dtc-schedule --dtc-schedule --dtc-verify-phase=phase=scheduled | FileCheck %s
// RUN: sed 's/"1f1b"/"gpipe"/' %S/Inputs/two_stages_local.mlir | dtc-opt --dtc-outline-tasks --dtc-schedule | FileCheck %s --check-prefix=GPIPE
// One micro-batch needs no slot, no wait and no second round.
// RUN: sed 's/micro_batches = 2/micro_batches = 1/' %S/Inputs/two_stages_local.mlir | dtc-opt --dtc-outline-tasks --dtc-schedule | FileCheck %s --check-prefix=ONE
// More micro-batches make more rounds, not more calls.
// RUN: sed 's/micro_batches = 2/micro_batches = 64/' %S/Inputs/two_stages_local.mlir | dtc-opt --dtc-outline-tasks --dtc-schedule | FileCheck %s --check-prefix=MANY

// CHECK: dtc.buffer @stage0.train.first : {{.*}}slots = 2
// CHECK: dtc.buffer @stage1.train.first :
// CHECK-NOT: slots
// The task that overwrites the sent cotangent waits until the last is taken.
// CHECK-LABEL: func.func private @stage1.train.backward()
// CHECK-NEXT: dtc.wait {channel = 1 : i64, {{.*}}pending = 0
// CHECK-LABEL: dtc.schedule @stage0.train attributes {stage = 0
// CHECK-NEXT: dtc.call @stage0.train.prologue
// CHECK-NEXT: dtc.repeat 1 {
// CHECK-NEXT: dtc.call @stage0.train.forward
// CHECK-NEXT: }
// CHECK-NEXT: dtc.repeat 1 {
// CHECK-NEXT: dtc.call @stage0.train.forward {first = 1 : i64}
// CHECK-NEXT: dtc.call @stage0.train.weight
// CHECK-NEXT: }
// CHECK-NEXT: dtc.repeat 1 {
// CHECK-NEXT: dtc.call @stage0.train.weight {first = 1 : i64}
// CHECK-NEXT: }
// CHECK-NEXT: dtc.call @stage0.train.epilogue
// CHECK-NEXT: }
// CHECK-LABEL: dtc.schedule @stage1.train attributes {stage = 1
// CHECK-NEXT: dtc.call @stage1.train.prologue
// CHECK-NEXT: dtc.repeat 2 {
// CHECK-NEXT: dtc.call @stage1.train.forward
// CHECK-NEXT: dtc.call @stage1.train.backward
// CHECK-NEXT: dtc.call @stage1.train.weight
// CHECK-NEXT: }
// CHECK-NEXT: dtc.call @stage1.train.epilogue

// GPIPE: dtc.buffer @stage0.train.first : {{.*}}slots = 2
// GPIPE: dtc.buffer @stage1.train.first : {{.*}}slots = 2
// GPIPE: dtc.buffer @stage1.train.second : {{.*}}slots = 2
// GPIPE: dtc.schedule @stage1.train
// GPIPE: dtc.repeat 2 {
// GPIPE-NEXT: dtc.call @stage1.train.forward
// GPIPE-NEXT: }
// GPIPE-NEXT: dtc.repeat 2 {
// GPIPE-NEXT: dtc.call @stage1.train.backward
// GPIPE-NEXT: dtc.call @stage1.train.weight
// GPIPE-NEXT: }

// ONE-NOT: slots
// ONE-LABEL: func.func private @stage1.train.backward()
// ONE-NEXT: dtc.read
// ONE: dtc.schedule @stage0.train
// ONE-NEXT: dtc.call @stage0.train.prologue
// ONE-NEXT: dtc.repeat 1 {
// ONE-NEXT: dtc.call @stage0.train.forward
// ONE-NEXT: }
// ONE-NEXT: dtc.repeat 1 {
// ONE-NEXT: dtc.call @stage0.train.weight
// ONE-NEXT: }
// ONE-NEXT: dtc.call @stage0.train.epilogue

// MANY: dtc.buffer @stage0.train.first : {{.*}}slots = 2
// MANY-LABEL: func.func private @stage0.train.forward()
// MANY-NEXT: dtc.wait {channel = 0 : i64, {{.*}}pending = 1
// MANY: dtc.schedule @stage0.train
// MANY: dtc.repeat 63 {
// MANY-NEXT: dtc.call @stage0.train.forward {first = 1 : i64}
// MANY-NEXT: dtc.call @stage0.train.weight
// MANY-NEXT: }
