// The layouts of the worked example: how each value of one step lies over two
// stages, two data ranks, two tensor ranks and two micro-batches.
// RUN: dtc-opt %S/Inputs/example.mlir --dtc-pipeline=stop-after=precision \
// RUN:   | dtc-opt --dtc-assign-stages --dtc-assign-layouts | FileCheck %s

// Stage 0: parameters whole, by columns; activations of the step and the loop.
// CHECK-DAG: #[[W:layout[0-9]*]] = #dtc.layout<pp=2:On{0}, dp=2:R, tp=2:R, mb=2:R>
// CHECK-DAG: #[[WS:layout[0-9]*]] = #dtc.layout<pp=2:On{0}, dp=2:R, tp=2:S(0), mb=2:R, pad(0:zero)>
// CHECK-DAG: #[[BX:layout[0-9]*]] = #dtc.layout<pp=2:On{0}, dp=2:S(0), tp=2:R, mb=2:R, pad(0:zero)>
// CHECK-DAG: #[[B:layout[0-9]*]] = #dtc.layout<pp=2:On{0}, dp=2:S(0), tp=2:R, mb=2:S(0), pad(0:zero)>
// CHECK-DAG: #[[C:layout[0-9]*]] = #dtc.layout<pp=2:On{0}, dp=2:S(0), tp=2:S(1), mb=2:S(0), pad(0:any, 1:zero)>
// CHECK-DAG: #[[CZ:layout[0-9]*]] = #dtc.layout<pp=2:On{0}, dp=2:S(0), tp=2:S(1), mb=2:S(0), pad(0:zero, 1:zero)>
// CHECK-DAG: #[[E:layout[0-9]*]] = #dtc.layout<pp=2:On{0}, dp=2:S(0), tp=2:P(sum), mb=2:S(0), pad(0:zero)>
// CHECK-DAG: #[[G:layout[0-9]*]] = #dtc.layout<pp=2:On{0}, dp=2:P(sum), tp=2:R, mb=2:P(sum)>
// CHECK-DAG: #[[GS:layout[0-9]*]] = #dtc.layout<pp=2:On{0}, dp=2:P(sum), tp=2:S(0), mb=2:P(sum), pad(0:zero)>
// Stage 1: the same, by rows, and with labels.
// CHECK-DAG: #[[W1:layout[0-9]*]] = #dtc.layout<pp=2:On{1}, dp=2:R, tp=2:R, mb=2:R>
// CHECK-DAG: #[[WS1:layout[0-9]*]] = #dtc.layout<pp=2:On{1}, dp=2:R, tp=2:S(0), mb=2:R, pad(0:zero)>
// CHECK-DAG: #[[WS1T:layout[0-9]*]] = #dtc.layout<pp=2:On{1}, dp=2:R, tp=2:S(1), mb=2:R, pad(1:zero)>
// CHECK-DAG: #[[LX:layout[0-9]*]] = #dtc.layout<pp=2:On{1}, dp=2:S(0), tp=2:R, mb=2:R, pad(0:fill)>
// CHECK-DAG: #[[L:layout[0-9]*]] = #dtc.layout<pp=2:On{1}, dp=2:S(0), tp=2:R, mb=2:S(0), pad(0:fill)>
// CHECK-DAG: #[[B1:layout[0-9]*]] = #dtc.layout<pp=2:On{1}, dp=2:S(0), tp=2:R, mb=2:S(0), pad(0:zero)>
// CHECK-DAG: #[[B1A:layout[0-9]*]] = #dtc.layout<pp=2:On{1}, dp=2:S(0), tp=2:R, mb=2:S(0), pad(0:any)>
// CHECK-DAG: #[[C1:layout[0-9]*]] = #dtc.layout<pp=2:On{1}, dp=2:S(0), tp=2:S(1), mb=2:S(0), pad(0:any, 1:zero)>
// CHECK-DAG: #[[CZ1:layout[0-9]*]] = #dtc.layout<pp=2:On{1}, dp=2:S(0), tp=2:S(1), mb=2:S(0), pad(0:zero, 1:zero)>
// CHECK-DAG: #[[E1:layout[0-9]*]] = #dtc.layout<pp=2:On{1}, dp=2:S(0), tp=2:P(sum), mb=2:S(0), pad(0:zero)>
// CHECK-DAG: #[[E1A:layout[0-9]*]] = #dtc.layout<pp=2:On{1}, dp=2:S(0), tp=2:P(sum), mb=2:S(0), pad(0:any)>
// CHECK-DAG: #[[M1A:layout[0-9]*]] = #dtc.layout<pp=2:On{1}, dp=2:S(0), tp=2:P(max), mb=2:S(0), pad(0:any)>
// CHECK-DAG: #[[N1:layout[0-9]*]] = #dtc.layout<pp=2:On{1}, dp=2:P(sum), tp=2:R, mb=2:R>
// CHECK-DAG: #[[BP:layout[0-9]*]] = #dtc.layout<pp=2:On{1}, dp=2:R, tp=2:P(sum), mb=2:R>
// CHECK-DAG: #[[G1:layout[0-9]*]] = #dtc.layout<pp=2:On{1}, dp=2:P(sum), tp=2:R, mb=2:P(sum)>
// CHECK-DAG: #[[GS1:layout[0-9]*]] = #dtc.layout<pp=2:On{1}, dp=2:P(sum), tp=2:S(0), mb=2:P(sum), pad(0:zero)>
// CHECK-DAG: #[[GS1T:layout[0-9]*]] = #dtc.layout<pp=2:On{1}, dp=2:P(sum), tp=2:S(1), mb=2:P(sum), pad(1:zero)>
// CHECK-DAG: #[[ALL:layout[0-9]*]] = #dtc.layout<pp=2:On{0,1}, dp=2:R, tp=2:R, mb=2:R>

// State lies as its parameter.
// CHECK: dtc.variable @in.weight : tensor<4x2xf32, #[[W]]>
// CHECK: dtc.variable @up.weight : tensor<5x4xf32, #[[WS]]>
// CHECK: dtc.variable @up.weight.m : tensor<5x4xf32, #[[WS]]>
// CHECK: dtc.variable @up.bias : tensor<5xf32, #[[WS]]>
// CHECK: dtc.variable @down.weight : tensor<4x5xf32, #[[WS1T]]>
// CHECK: dtc.variable @down.bias : tensor<4xf32, #[[W1]]>
// CHECK: dtc.variable @head.weight : tensor<3x4xf32, #[[WS1]]>
// CHECK: dtc.variable @head.bias : tensor<3xf32, #[[WS1]]>
// CHECK: dtc.variable @dtc.loss_scale : tensor<f32, #[[ALL]]>

// CHECK: func.func @step(%[[X:.+]]: tensor<7x2xf32, #[[BX]]> {dtc.input = "x"}, %[[LABEL:.+]]: tensor<7xi32, #[[LX]]>
// The rows of a micro-batch are cut off where they are first used.
// CHECK: %[[XM:.+]] = dtc.relayout %[[X]] {{.*}} -> tensor<7x2xf32, #[[B]]>
// CHECK: dtc.matmul %[[XM]], {{.*}}"in.matmul"{{.*}} -> tensor<7x4xf32, #[[B]]>
// CHECK: %[[H0:.+]] = dtc.relu {{.*}} -> tensor<7x4xf32, #[[B]]>
// CHECK: dtc.matmul %[[H0]], {{.*}}"up.matmul"{{.*}} -> tensor<7x5xf32, #[[CZ]]>
// CHECK: dtc.add {{.*}}"up.bias_add"{{.*}} -> tensor<7x5xf32, #[[C]]>
// CHECK: %[[H1:.+]] = dtc.relu {{.*}} -> tensor<7x5xf32, #[[C]]>
// A use on another stage is a relayout; the value stays at home.
// CHECK: %[[H1S:.+]] = dtc.relayout %[[H1]] {{.*}} -> tensor<7x5xf32, #[[C1]]>
// CHECK: %[[DOWN:.+]] = dtc.matmul %[[H1S]], {{.*}}"down.matmul"{{.*}} -> tensor<7x4xf32, #[[E1A]]>
// A broadcast operand enters a partial value, which settles before it is added
// to the residual stream.
// CHECK: %[[BIAS:.+]] = dtc.to_partial {{.*}}axes = ["tp"]{{.*}} -> tensor<4xf32, #[[BP]]>
// CHECK: %[[Z:.+]] = dtc.add %[[DOWN]], %[[BIAS]] {{.*}} -> tensor<7x4xf32, #[[E1A]]>
// CHECK: %[[ZR:.+]] = dtc.relayout %[[Z]] {{.*}}reduce_dtype = f32{{.*}} -> tensor<7x4xf32, #[[B1A]]>
// CHECK: %[[H0S:.+]] = dtc.relayout %[[H0]] {{.*}} -> tensor<7x4xf32, #[[B1]]>
// CHECK: %[[H2:.+]] = dtc.add %[[H0S]], %[[ZR]] {{.*}} -> tensor<7x4xf32, #[[B1A]]>
// CHECK: dtc.matmul %[[H2]], {{.*}}"head.matmul"{{.*}} -> tensor<7x3xf32, #[[C1]]>
// CHECK: %[[LOGITS:.+]] = dtc.add {{.*}} -> tensor<7x3xf32, #[[C1]]>
// The labels of the whole step are counted before the loop.
// CHECK: %[[N:.+]] = dtc.count_valid %[[LABEL]] {{.*}} -> tensor<i64, #[[N1]]>
// CHECK: %[[NR:.+]] = dtc.relayout %[[N]] {{.*}} -> tensor<i64, #[[W1]]>
// CHECK: %[[MAX:.+]] = dtc.row_max %[[LOGITS]] {{.*}} -> tensor<7xf32, #[[M1A]]>
// CHECK: %[[MAXR:.+]] = dtc.relayout %[[MAX]] {{.*}} -> tensor<7xf32, #[[B1A]]>
// CHECK: dtc.sum_exp %[[LOGITS]], %[[MAXR]] {{.*}} -> tensor<7xf32, #[[E1A]]>
// CHECK: %[[LM:.+]] = dtc.relayout %[[LABEL]] {{.*}} -> tensor<7xi32, #[[L]]>
// CHECK: dtc.pick %[[LOGITS]], %[[LM]] {{.*}} -> tensor<7xf32, #[[E1A]]>
// CHECK: %[[LOSS:.+]] = dtc.cross_entropy {{.*}}, %[[NR]], {{.*}} -> tensor<f32, #[[G1]]>
// CHECK: dtc.relayout %[[LOSS]] {{.*}} -> tensor<f32, #[[W1]]>

// CHECK: %[[DZ:.+]] = dtc.cross_entropy_grad {{.*}} -> tensor<7x3xf32, #[[CZ1]]>
// CHECK: "head.bias.grad"{{.*}} -> tensor<3xf32, #[[GS1]]>
// Settled where made: a sum of rows and a send are no contractions.
// CHECK: %[[DH2:.+]] = dtc.matmul %[[DZ]], {{.*}}"head.matmul.input_grad"{{.*}} -> tensor<7x4xf32, #[[E1]]>
// CHECK: %[[DH2R:.+]] = dtc.relayout %[[DH2]] {{.*}} -> tensor<7x4xf32, #[[B1]]>
// CHECK: "head.weight.grad"{{.*}} -> tensor<3x4xf32, #[[GS1]]>
// CHECK: dtc.reduce_sum %[[DH2R]] {{.*}}"down.bias.grad"{{.*}} -> tensor<4xf32, #[[G1]]>
// CHECK: %[[DH1:.+]] = dtc.matmul %[[DH2R]], {{.*}} -> tensor<7x5xf32, #[[CZ1]]>
// What stage 1 received for the forward is used again: nothing is sent twice.
// CHECK: dtc.matmul %[[DH2R]], %[[H1S]] {{.*}}"down.weight.grad"{{.*}} -> tensor<4x5xf32, #[[GS1T]]>
// CHECK: dtc.relayout %[[DH1]] {{.*}} -> tensor<7x5xf32, #[[CZ]]>
// CHECK: "up.bias.grad"{{.*}} -> tensor<5xf32, #[[GS]]>
// CHECK: %[[D0:.+]] = dtc.matmul {{.*}}"up.matmul.input_grad"{{.*}} -> tensor<7x4xf32, #[[E]]>
// CHECK: %[[D0R:.+]] = dtc.relayout %[[D0]] {{.*}} -> tensor<7x4xf32, #[[B]]>
// CHECK: "up.weight.grad"{{.*}} -> tensor<5x4xf32, #[[GS]]>
// CHECK: %[[DH2S:.+]] = dtc.relayout %[[DH2R]] {{.*}} -> tensor<7x4xf32, #[[B]]>
// CHECK: dtc.sum %[[DH2S]], %[[D0R]] {{.*}} -> tensor<7x4xf32, #[[B]]>
// CHECK: "in.weight.grad"{{.*}} -> tensor<4x2xf32, #[[G]]>
// Gradients reach the tail as they are made; the tail waits for form-buckets.
// CHECK: dtc.nonfinite_bit {{.*}}dtc.stages = array<i64: 0>{{.*}} (tensor<4x2xf32, #[[G]]>) -> tensor<i32>

// Evaluation reads the same variables and counts before its loop.
// CHECK: func.func @evaluate(
// CHECK: dtc.read @up.weight {{.*}} : tensor<5x4xf32, #[[WS]]>
// CHECK: dtc.count_correct {{.*}} -> tensor<i64, #[[G1]]>

// Without tensor parallelism nothing is split over tp, and dp and mb keep their
// states at size 1: a program changes with neither.
// RUN: sed -e 's/tp = 2/tp = 1/' -e 's/dp = 2/dp = 1/' -e 's/micro_batches = 2/micro_batches = 1/' %S/Inputs/example.mlir \
// RUN:   | dtc-opt --dtc-pipeline=stop-after=precision \
// RUN:   | dtc-opt --dtc-assign-stages --dtc-assign-layouts | FileCheck %s --check-prefix=ONE
// ONE-NOT: tp=1:S
// ONE-NOT: tp=1:P
// ONE:     dp=1:S(0), tp=1:R, mb=1:S(0)>
// ONE:     dp=1:P(sum), tp=1:R, mb=1:P(sum)>
