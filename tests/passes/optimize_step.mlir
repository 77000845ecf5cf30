// The tail of the example: one sequence, flag first, scale last.
// RUN: dtc-opt %S/Inputs/example.mlir --dtc-differentiate --dtc-optimize-step | FileCheck %s

// State stands behind its parameter, zero at the start.
// CHECK:      dtc.variable @in.weight :
// CHECK-NEXT: dtc.variable @in.weight.m : tensor<4x2xf32> {init = {kind = "zeros"}, of = @in.weight, role = "state"}
// CHECK-NEXT: dtc.variable @in.weight.v : tensor<4x2xf32> {init = {kind = "zeros"}, of = @in.weight, role = "state"}
// CHECK-NEXT: dtc.variable @up.weight :

// CHECK-LABEL: func.func @step
// CHECK:       %[[SCALE:.+]] = dtc.read @dtc.loss_scale
// CHECK:       %[[N:.+]] = dtc.count_valid
// CHECK:       %[[G:.+]] = dtc.matmul {{.*}}dtc.gradient_of = @in.weight
// CHECK-NEXT:  %[[T:.+]] = dtc.read @dtc.step
// Judged still scaled, and before anything else.
// CHECK-NEXT:  %[[BIT:.+]] = dtc.nonfinite_bit %[[G]]
// CHECK:       %[[EMPTY:.+]] = dtc.empty_bit %[[N]]
// CHECK-NEXT:  %[[FLAG:.+]] = dtc.or %[[BIT]], {{.*}}%[[EMPTY]] {{.*}}terms = {{\[}}["in.weight"], {{.*}}["head.bias"], ["N"]]
// CHECK-NEXT:  %[[U:.+]] = dtc.unscale %[[G]], %[[SCALE]]
// CHECK:       %[[Q:.+]] = dtc.sum_squares %[[U]]
// CHECK:       %[[SQ:.+]] = dtc.sum %[[Q]], {{.*}}terms = {{\[}}["in.weight"], ["up.weight"], ["up.bias"], ["down.weight"], ["down.bias"], ["head.weight"], ["head.bias"]]
// CHECK-NEXT:  %[[NORM:.+]] = dtc.sqrt %[[SQ]]
// CHECK-NEXT:  %[[FACTOR:.+]] = dtc.clip_factor %[[SQ]] {{.*}}max_norm = 3.0
// CHECK-NEXT:  %[[RATE:.+]] = dtc.learning_rate %[[T]]
// CHECK:       %[[NEW:.+]], %[[M:.+]], %[[V:.+]] = dtc.adamw %{{.+}}, %{{.+}}, %{{.+}}, %[[U]], %[[FACTOR]], %[[FLAG]], %[[RATE]], %[[T]] {beta1 = 5.0{{.*}}decays = array<f64: 2.5{{.*}}segment_lengths = array<i64: 8>
// CHECK-NEXT:  dtc.store %[[NEW]], @in.weight
// CHECK-NEXT:  dtc.store %[[M]], @in.weight.m
// CHECK-NEXT:  dtc.store %[[V]], @in.weight.v
// CHECK:       dtc.store %{{.+}}, @head.bias.v
// CHECK-NEXT:  dtc.report %[[NORM]] as "grad_norm"
// CHECK-NEXT:  dtc.report %[[FLAG]] as "flag"
// CHECK-NEXT:  dtc.report %[[RATE]] as "lr"
// The scale moves last: every op above sees the old one.
// CHECK:       dtc.advance %[[T]], %[[SCALE]], %{{.+}}, %[[FLAG]] {{.*}}growth_interval = 2
// CHECK:       dtc.store %{{.+}}, @dtc.step
// CHECK:       dtc.store %{{.+}}, @dtc.loss_scale
// CHECK:       dtc.store %{{.+}}, @dtc.good_steps
// CHECK:       return

// Plain SGD has no state and no clip op, momentum has one.
// RUN: sed -e 's/kind = "adamw", lr = 0.125.*}/kind = "sgd", lr = 0.125}/' %S/Inputs/example.mlir \
// RUN:   | dtc-opt --dtc-differentiate --dtc-optimize-step | FileCheck %s --check-prefix=SGD
// SGD-NOT: role = "state"
// SGD:     %[[ONE:.+]] = dtc.constant dense<1.0{{.*}}dtc.name = "clip"
// SGD:     %[[NEW:.+]] = dtc.sgd %{{[^,]+}}, %{{[^,]+}}, %[[ONE]],
// SGD-NEXT: dtc.store %[[NEW]], @in.weight
// RUN: sed -e 's/kind = "adamw", lr = 0.125.*}/kind = "sgd", lr = 0.125, momentum = 0.9}/' %S/Inputs/example.mlir \
// RUN:   | dtc-opt --dtc-differentiate --dtc-optimize-step | FileCheck %s --check-prefix=MOMENTUM
// MOMENTUM: dtc.variable @in.weight.momentum : {{.*}}role = "state"
// MOMENTUM: dtc.store %{{.+}}, @in.weight.momentum

// RUN: sed -e 's/"adamw"/"lion"/' %S/Inputs/example.mlir \
// RUN:   | not dtc-opt --dtc-differentiate --dtc-optimize-step 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: error: optimizer.kind is "lion", expected "adamw" or "sgd"
// RUN: not dtc-opt %S/Inputs/example.mlir --dtc-optimize-step 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: error: 'func.func' op holds no gradient, run dtc-differentiate before dtc-optimize-step
