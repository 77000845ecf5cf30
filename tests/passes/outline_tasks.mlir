// Two stages with a skip between them: what belongs to which task, what crosses
// in buffers and what on channels. Twice is as once.
// RUN: dtc-opt %S/Inputs/two_stages_local.mlir --dtc-outline-tasks | FileCheck %s
// RUN: dtc-opt %S/Inputs/two_stages_local.mlir --dtc-outline-tasks --dtc-outline-tasks | FileCheck %s

// The step is gone, and with it what only a whole step can hold.
// CHECK-NOT: func.func @step
// CHECK-NOT: dtc.accumulate %
// CHECK-NOT: dtc.send_recv

// What is kept for backward and sent too lives once, in the stash.
// CHECK: dtc.buffer @stage0.train.x {{.*}}buffer_class<batch>
// CHECK-NEXT: dtc.buffer @stage0.train.first : {{.*}}buffer_class<stash>
// CHECK-NEXT: dtc.buffer @stage0.train.first.weight.grad.accumulator {{.*}}buffer_class<accumulator>

// CHECK-LABEL: func.func private @stage0.train.prologue()
// CHECK-NEXT: dtc.read_batch "x" into @stage0.train.x
// CHECK-NEXT: dtc.clear @stage0.train.first.weight.grad.accumulator
// CHECK-NEXT: return

// CHECK-LABEL: func.func private @stage0.train.forward()
// CHECK: %[[X:.+]] = dtc.load @stage0.train.x
// CHECK: dtc.local_slice %[[X]] {axis = "mb"
// CHECK: %[[H:.+]] = dtc.relu
// CHECK-NEXT: dtc.save %[[H]], @stage0.train.first
// CHECK-NEXT: %[[SENT:.+]] = dtc.load @stage0.train.first
// CHECK-NEXT: dtc.send %[[SENT]] {channel = 0 {{.*}}peer_stage = 1
// CHECK-NEXT: return

// The first stage sends nothing back: its weight task does the receiving.
// CHECK-NOT: @stage0.train.backward
// CHECK-LABEL: func.func private @stage0.train.weight()
// CHECK-NEXT: %[[D:.+]] = dtc.recv {channel = 1 {{.*}}peer_stage = 1
// CHECK: %[[H:.+]] = dtc.load @stage0.train.first
// CHECK: dtc.relu_grad %[[D]], %[[H]]
// CHECK: %[[G:.+]] = dtc.matmul
// CHECK-NEXT: dtc.accumulate_into %[[G]], @stage0.train.first.weight.grad.accumulator
// CHECK-NEXT: return

// An op that joins stages keeps the operands, and their terms, that are here.
// CHECK-LABEL: func.func private @stage0.train.epilogue()
// CHECK-NEXT: dtc.wait {channel = 0 {{.*}}pending = 0
// CHECK: dtc.load @stage0.train.first.weight.grad.accumulator
// CHECK: %[[OR:.+]] = dtc.or %{{[0-9]+}} {{.*}}terms = {{\[\["first.weight"\]\]}}
// CHECK-NEXT: dtc.all_reduce or %[[OR]] over ["pp"]
// CHECK: dtc.sum %{{[0-9]+}} {{.*}}terms = {{\[\["first.weight"\]\]}}
// CHECK: dtc.store %{{.*}}, @first.weight

// CHECK: dtc.buffer @stage1.train.first : {{.*}}buffer_class<stash>
// CHECK: dtc.buffer @stage1.train.loss.valid : {{.*}}buffer_class<static>
// CHECK: dtc.buffer @stage1.train.first.grad : {{.*}}buffer_class<sent>

// Only what the loop needs is computed before it; the bit of N is not.
// CHECK-LABEL: func.func private @stage1.train.prologue()
// CHECK-NEXT: dtc.read_batch "label" into @stage1.train.label
// CHECK-NEXT: %[[L:.+]] = dtc.load @stage1.train.label
// CHECK-NEXT: %[[N:.+]] = dtc.count_valid %[[L]]
// CHECK-NEXT: %[[R:.+]] = dtc.all_reduce sum %[[N]] over ["dp"]
// CHECK-NEXT: dtc.save %[[R]], @stage1.train.loss.valid
// CHECK-NEXT: dtc.clear @stage1.train.loss.accumulator
// CHECK-NEXT: dtc.clear @stage1.train.second.weight.grad.accumulator
// CHECK-NEXT: return

// CHECK-LABEL: func.func private @stage1.train.forward()
// CHECK-NEXT: %[[H:.+]] = dtc.recv {channel = 0 {{.*}}peer_stage = 0
// CHECK-NEXT: dtc.save %[[H]], @stage1.train.first
// CHECK: %[[LOSS:.+]] = dtc.linear_loss
// CHECK-NEXT: dtc.accumulate_into %[[LOSS]], @stage1.train.loss.accumulator
// CHECK-NEXT: return

// Backward is what the other stage waits for, and no more.
// CHECK-LABEL: func.func private @stage1.train.backward()
// CHECK-NOT: second.weight.grad
// CHECK: dtc.save %{{.*}}, @stage1.train.loss.grad
// CHECK: %[[SUM:.+]] = dtc.sum
// CHECK-NEXT: dtc.save %[[SUM]], @stage1.train.first.grad
// CHECK-NEXT: %[[SENT:.+]] = dtc.load @stage1.train.first.grad
// CHECK-NEXT: dtc.send %[[SENT]] {channel = 1
// CHECK-NEXT: return

// CHECK-LABEL: func.func private @stage1.train.weight()
// CHECK-NEXT: %[[D:.+]] = dtc.load @stage1.train.loss.grad
// CHECK-NEXT: %[[H:.+]] = dtc.load @stage1.train.first
// CHECK-NEXT: %[[G:.+]] = dtc.matmul %[[D]], %[[H]]
// CHECK-NEXT: dtc.accumulate_into %[[G]]
// CHECK-NEXT: return

// CHECK-LABEL: func.func private @stage1.train.epilogue()
// CHECK: dtc.or %{{[0-9]+}}, %{{[0-9]+}} {{.*}}terms = {{\[\["second.weight"\], \["valid"\]\]}}
