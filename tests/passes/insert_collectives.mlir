// What one step of the worked example sends: the ledger, counted over the groups
// of all eight ranks by multiplying each line here with its groups and calls.
// RUN: dtc-opt %S/Inputs/example.mlir --dtc-pipeline=stop-after=sharded | FileCheck %s

// Evaluation reduces what it counts and nothing else.
// CHECK:       func.func @step(
// CHECK-NOT:   dtc.relayout
// CHECK:       dtc.local_slice %{{.+}} {axis = "mb", {{.*}}"x"
// CHECK:       dtc.send_recv {{.*}}channel = 0 : i64, destination = 1 : i64, {{.*}}"up"{{.*}}source = 0 : i64
// CHECK:       dtc.all_reduce sum %{{.+}} over ["tp"] {{.*}}"down.bias_add"{{.*}}reduce_dtype = f32
// CHECK:       dtc.send_recv {{.*}}channel = 0 : i64, destination = 1 : i64, {{.*}}"in"
// CHECK:       dtc.all_reduce sum %{{.+}} over ["dp"] {{.*}}"loss.valid"
// CHECK:       dtc.all_reduce max %{{.+}} over ["tp"] {{.*}}"loss.max"
// CHECK:       dtc.all_reduce sum %{{.+}} over ["tp"] {{.*}}"loss.sum_exp"
// CHECK:       dtc.local_slice %{{.+}} {axis = "mb", {{.*}}"label"
// CHECK:       dtc.all_reduce sum %{{.+}} over ["tp"] {{.*}}"loss.pick"
// mb before dp.
// CHECK:       %[[LOSS:.+]] = dtc.accumulate {{.*}}"loss"
// CHECK-NEXT:  dtc.all_reduce sum %[[LOSS]] over ["dp"] {{.*}}"loss"
// CHECK:       dtc.all_reduce sum %{{.+}} over ["tp"] {{.*}}"head.matmul.input_grad"
// CHECK:       dtc.send_recv {{.*}}channel = 1 : i64, destination = 0 : i64, {{.*}}"down.matmul.input_grad"{{.*}}source = 1 : i64
// CHECK:       dtc.all_reduce sum %{{.+}} over ["tp"] {{.*}}"up.matmul.input_grad"
// CHECK:       dtc.send_recv {{.*}}channel = 1 : i64, destination = 0 : i64, {{.*}}"head.matmul.input_grad"
// CHECK:       dtc.accumulate {{.*}}"in.weight.grad"
// CHECK:       dtc.reduce_scatter %{{.+}} over "dp" {{.*}}"b0.whole.grad"
// CHECK:       dtc.accumulate {{.*}}"up.weight.grad"
// CHECK:       dtc.accumulate {{.*}}"up.bias.grad"
// CHECK:       dtc.reduce_scatter %{{.+}} over "dp" {{.*}}"b0.split.grad"
// CHECK:       dtc.accumulate {{.*}}"down.weight.grad"
// CHECK:       dtc.accumulate {{.*}}"head.weight.grad"
// CHECK:       dtc.accumulate {{.*}}"head.bias.grad"
// CHECK:       dtc.reduce_scatter %{{.+}} over "dp" {{.*}}"b1.split.grad"
// CHECK:       dtc.accumulate {{.*}}"down.bias.grad"
// CHECK:       dtc.reduce_scatter %{{.+}} over "dp" {{.*}}"b1.whole.grad"
// Axes that are reduced alike are one collective over the product group.
// CHECK:       dtc.all_reduce or %{{.+}} over ["pp", "dp", "tp"] {{.*}}"flag"
// CHECK:       dtc.all_reduce sum %{{.+}} over ["pp", "dp", "tp"] {{.*}}"grad_norm.squares"
// CHECK:       dtc.local_slice %{{.+}} {axis = "dp", dtc.name = "b0.whole"
// CHECK-COUNT-4: dtc.all_gather %{{.+}} over "dp"
// CHECK:       dtc.advance
// CHECK:       func.func @evaluate(

// Nothing but these: 16 lines are 30 all_reduce, 8 reduce_scatter, 8 all_gather
// and 32 sends a step.
// RUN: dtc-opt %S/Inputs/example.mlir --dtc-pipeline=stop-after=sharded \
// RUN:   | %python %S/Inputs/count_collectives.py | FileCheck %s --check-prefix=LEDGER
// LEDGER: all_gather 8
// LEDGER: all_reduce 30
// LEDGER: reduce_scatter 8
// LEDGER: send_recv 32
