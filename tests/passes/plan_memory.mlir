// Two stages, two micro-batches, ZeRO 1: classes as counted by hand.
// RUN: dtc-opt %S/Inputs/example.mlir --dtc-pipeline -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir

// The whole buckets, the shards' m and v, the accumulators of whole buckets (15
// elements and a pad), the step's rows, and two slots of what forward keeps.
// CHECK:      dtc.memory = [{arena_bytes = 1280
// CHECK-SAME: {bytes = 96 : i64, elements = 24 : i64, name = "parameters"}
// CHECK-SAME: {bytes = 96 : i64, elements = 24 : i64, name = "optimizer state"}
// CHECK-SAME: {bytes = 96 : i64, elements = 24 : i64, name = "gradients"}
// CHECK-SAME: {bytes = 32 : i64, elements = 8 : i64, name = "batch"}
// CHECK-SAME: {bytes = 112 : i64, elements = 28 : i64, name = "stash"}
// CHECK-SAME: lower_bound_bytes = 1280
// CHECK-SAME: stage = 0
// CHECK-SAME: {bytes = 104 : i64, elements = 26 : i64, name = "parameters"}
// CHECK-SAME: {bytes = 104 : i64, elements = 26 : i64, name = "gradients"}
// CHECK-SAME: {bytes = 136 : i64, elements = 34 : i64, name = "stash"}
// CHECK-SAME: stage = 1

// A variable has a place on each stage that holds it.
// CHECK: dtc.variable @dtc.step {{.*}}dtc.stage_places = [#dtc.place<{{.*}}>, #dtc.place<{{.*}}>]
// Slots are a stride apart. Members of a bucket lie in a row from the start; the
// last is cleared together with the pad of the shards.
// CHECK: dtc.buffer @stage0.train.in : {{.*}}dtc.places = [#dtc.place<offset = [[$IN:[0-9]+]], bytes = 32, slots = 2, slot_stride = 64>]
// CHECK: dtc.buffer @stage0.train.up.weight.grad.accumulator {{.*}}dtc.places = [#dtc.place<offset = [[$UPW:[0-9]+]], bytes = 48>]
// CHECK: dtc.buffer @stage0.train.up.bias.grad.accumulator {{.*}}dtc.places = [#dtc.place<offset = {{[0-9]+}}, bytes = 16>]

// CHECK-LABEL: func.func private @stage0.train.forward
// A view of the step's rows moves with the micro-batch.
// CHECK: dtc.local_slice {{.*}}bytes = 16, micro_batch_stride = 16>
// What is saved is made in the buffer: the save moves nothing.
// CHECK: dtc.relu {{.*}}dtc.places = [#dtc.place<offset = [[$IN]], bytes = 32, slots = 2, slot_stride = 64>]
// CHECK-LABEL: func.func private @stage0.train.epilogue
// CHECK: dtc.pack {{.*}}bucket = "b0.split"{{.*}}dtc.places = [#dtc.place<offset = [[$UPW]], bytes = 64>]
// New states over the old ones.
// CHECK: dtc.read @b0.whole.m {{.*}}dtc.places = [#dtc.place<offset = [[M:[0-9]+]], bytes = 16>]
// CHECK: dtc.adamw {{.*}}#dtc.place<offset = [[M]], bytes = 16>

// P52: linear 8 -> 4 without bias, AdamW: 512 bytes on one rank, 384 with dp 2
// and ZeRO 1, parameters, gradients and moments together.
// RUN: dtc-opt %S/Inputs/linear.mlir --dtc-pipeline | FileCheck %s --check-prefix=SINGLE
// SINGLE:      {bytes = 128 : i64, elements = 32 : i64, name = "parameters"}
// SINGLE-SAME: {bytes = 256 : i64, elements = 64 : i64, name = "optimizer state"}
// SINGLE-SAME: {bytes = 128 : i64, elements = 32 : i64, name = "gradients"}
// RUN: sed -e 's/dp = 1/dp = 2/; s/zero = 0/zero = 1/' %S/Inputs/linear.mlir | dtc-opt --dtc-pipeline \
// RUN:   | FileCheck %s --check-prefix=ZERO1
// ZERO1:      {bytes = 128 : i64, elements = 32 : i64, name = "parameters"}
// ZERO1-SAME: {bytes = 128 : i64, elements = 32 : i64, name = "optimizer state"}
// ZERO1-SAME: {bytes = 128 : i64, elements = 32 : i64, name = "gradients"}

// A limit says need and limit and what is largest.
// RUN: not dtc-opt %S/Inputs/example.mlir --dtc-pipeline=memory-limit=1500 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT: error: stage 1 needs {{[0-9]+}} bytes, memory-limit is 1500; largest at the peak: b1.split (parameters) 88, b1.split.grad (gradients) 88,
// RUN: dtc-opt %S/Inputs/example.mlir --dtc-pipeline=memory-limit=4096 -o /dev/null

// The gate at the end runs the schedule on marked bytes. Two values in the same
// bytes, a view that is none, and a wait that is missing are found.
// RUN: sed -e '/dtc.relu .*dtc.name = "in", /s/offset = [0-9]*/offset = 0/' %t.mlir \
// RUN:   | not dtc-opt --dtc-verify-phase=phase=planned 2>&1 | FileCheck %s --check-prefix=CLASH
// CLASH: error: {{.*}}was overwritten by relu in in micro-batch 0
// RUN: sed -e '/dtc.unpack .*dtc.name = "b0.split"/s/offset = [0-9]*/offset = 512/' %t.mlir \
// RUN:   | not dtc-opt --dtc-verify-phase=phase=planned 2>&1 | FileCheck %s --check-prefix=VIEW
// VIEW: error: 'dtc.unpack' op b0.split: has bytes 512 to 560 of stage 0, which are no part of
// RUN: sed -e '/dtc.buffer @stage0.train.up.bias.grad/s/bytes = 16/bytes = 12/' %t.mlir \
// RUN:   | not dtc-opt --dtc-verify-phase=phase=planned 2>&1 | FileCheck %s --check-prefix=PAD
// PAD: error: 'dtc.reduce_scatter' op b0.split.grad: its pad at bytes {{.*}} holds what nobody wrote, expected zeros
// RUN: sed -e '/dtc.wait /d' %t.mlir | not dtc-opt --dtc-verify-phase=phase=planned 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WAIT
// WAIT: error: {{.*}}is posted on channel {{[0-9]+}} and not waited for by the end of the step
