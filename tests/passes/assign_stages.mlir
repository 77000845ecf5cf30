// The cut of the example in two stages: in, up | down, head.
// RUN: dtc-opt %S/Inputs/example.mlir --dtc-pipeline=stop-after=precision \
// RUN:   | dtc-opt --dtc-assign-stages | FileCheck %s

// CHECK-LABEL: func.func @step(
// CHECK:       dtc.read @in.weight {{.*}}dtc.stages = array<i64: 0>
// CHECK:       dtc.read @down.weight {{.*}}dtc.stages = array<i64: 1>
// CHECK:       dtc.read @dtc.loss_scale {{.*}}dtc.stages = array<i64: 0, 1>
// CHECK:       dtc.name = "up", {{.*}}dtc.stages = array<i64: 0>
// CHECK:       dtc.name = "down.matmul", {{.*}}dtc.stages = array<i64: 1>
// The loss and what counts labels are on the last stage.
// CHECK:       dtc.count_valid {{.*}}dtc.stages = array<i64: 1>
// CHECK:       dtc.cross_entropy {{.*}}dtc.stages = array<i64: 1>
// A backward op is where its forward op is, an update where its variable is.
// CHECK:       dtc.name = "down.matmul.input_grad", {{.*}}dtc.stages = array<i64: 1>
// CHECK:       dtc.name = "up.input_grad", {{.*}}dtc.stages = array<i64: 0>
// One term a stage: nothing to add on stage 1, its term is sent.
// CHECK:       dtc.sum %{{.+}}, %{{.+}} {{.*}}dtc.name = "in.grad", {{.*}}dtc.stages = array<i64: 0>, terms = {{\[}}["in/down"], ["in/up.matmul"]]
// CHECK:       dtc.name = "flag", {{.*}}dtc.stages = array<i64: 0, 1>
// CHECK:       dtc.name = "in.weight.unscaled", {{.*}}dtc.stages = array<i64: 0>
// CHECK:       dtc.name = "clip", {{.*}}dtc.stages = array<i64: 0, 1>
// CHECK:       dtc.adamw {{.*}}dtc.name = "head.weight.update", {{.*}}dtc.stages = array<i64: 1>
// CHECK:       dtc.advance {{.*}}dtc.stages = array<i64: 0, 1>
// The copy has no stages; evaluation has those of the step.
// CHECK-LABEL: @step.graph
// CHECK-NOT:   dtc.stages
// CHECK-LABEL: func.func @evaluate(
// CHECK:       dtc.name = "up", {{.*}}dtc.stages = array<i64: 0>
// CHECK:       dtc.count_correct {{.*}}dtc.stages = array<i64: 1>

// Every layer is a stage of its own; more stages than layers are refused.
// RUN: sed -e 's/pp = 2/pp = 4/' %S/Inputs/example.mlir | dtc-opt --dtc-pipeline=stop-after=precision \
// RUN:   | dtc-opt --dtc-assign-stages | FileCheck %s --check-prefix=FOUR
// FOUR: dtc.name = "in", {{.*}}dtc.stages = array<i64: 0>
// FOUR: dtc.name = "up", {{.*}}dtc.stages = array<i64: 1>
// FOUR: dtc.name = "down", {{.*}}dtc.stages = array<i64: 2>
// FOUR: dtc.name = "head", {{.*}}dtc.stages = array<i64: 3>
// RUN: sed -e 's/pp = 2/pp = 8/' %S/Inputs/example.mlir | dtc-opt --dtc-pipeline=stop-after=precision \
// RUN:   | not dtc-opt --dtc-assign-stages 2>&1 | FileCheck %s --check-prefix=EIGHT
// EIGHT: error: plan.pp is 8, but the model has 4 layers: 4 layers or blocks cannot be cut into 8 stages; lower pp to 4
