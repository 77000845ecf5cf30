// What a phase promises is checked at its end, on the whole module.
// RUN: dtc-opt %S/Inputs/example.mlir --dtc-pipeline=stop-after=precision -o %t.mlir
// RUN: dtc-opt %t.mlir --dtc-verify-phase=phase=precision -o /dev/null

// Identity: a gradient computed from another value of the same shape.
// RUN: sed -e '/func private/,$!s/\(dtc.matmul %[0-9]*, \)%15\( .*gradient_of = @head.weight\)/\1%9\2/' %t.mlir \
// RUN:   | not dtc-opt --dtc-verify-phase=phase=precision 2>&1 | FileCheck %s --check-prefix=IDENTITY
// IDENTITY: error: 'dtc.matmul' op head.weight.grad: operand 1 is in, the graph says down

// An attribute that the graph has otherwise.
// RUN: sed -e '/func private/,$!s/max_norm = 3.0/max_norm = 4.0/' %t.mlir \
// RUN:   | not dtc-opt --dtc-verify-phase=phase=precision 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE
// ATTRIBUTE: error: 'dtc.clip_factor' op clip: max_norm is 4.0{{.*}}, the graph says 3.0

// Terms: one of two is left out, with its operand.
// RUN: sed -e '/func private/,$!s/dtc.sum %25, %32\(.*\)\["in.down"\], \(.*\)(tensor<7x4xf32>, tensor<7x4xf32>)/dtc.sum %32\1\2(tensor<7x4xf32>)/' %t.mlir \
// RUN:   | not dtc-opt --dtc-verify-phase=phase=precision 2>&1 | FileCheck %s --check-prefix=TERMS
// TERMS: error: 'dtc.sum' op in.grad: has terms {in/up.matmul}, the graph {in/down, in/up.matmul}
// Terms that are not what the operands carry.
// RUN: sed -e '/func private/,$!s/\["in.down"\], \["in.up.matmul"\]/["in\/up.matmul"], ["in\/down"]/' %t.mlir \
// RUN:   | not dtc-opt --dtc-verify-phase=phase=precision 2>&1 | FileCheck %s --check-prefix=CLAIM
// CLAIM: error: 'dtc.sum' op in.grad: operand 0 is said to have terms {in/up.matmul}, it carries {in/down}

// Stores: each variable once, with the value that the graph stores.
// RUN: sed -e '/func private/,$!{/dtc.store .*@up.bias.m /d}' %t.mlir \
// RUN:   | not dtc-opt --dtc-verify-phase=phase=precision 2>&1 | FileCheck %s --check-prefix=STORE
// STORE: error: 'dtc.variable' op up.bias.m: is stored 0 times, expected once on each of its stages
// RUN: sed -e '/func private/,$!s/dtc.store %new_value, @in.weight /dtc.store %new_first_moment, @in.weight /' %t.mlir \
// RUN:   | not dtc-opt --dtc-verify-phase=phase=precision 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: 'dtc.store' op in.weight: stores in.weight.update, the graph says in.weight.update

// Degrees: a gradient that is not unscaled; found before the graph is put aside.
// RUN: sed -e 's/\(dtc.adamw %0, %65, %66, \)%47/\1%36/' %t.mlir \
// RUN:   | not dtc-opt --dtc-verify-phase=phase=step 2>&1 | FileCheck %s --check-prefix=DEGREE
// DEGREE: error: 'dtc.adamw' op operand gradient has degree (1, 1) in (scale, 1/N), expected (0, 1)

// RUN: not dtc-opt %S/Inputs/example.mlir --dtc-verify-phase=phase=precision 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOGRAPH
// NOGRAPH: error: holds no @step.graph, run dtc-precision before
// RUN: not dtc-opt %S/Inputs/example.mlir --dtc-verify-phase 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: dtc-verify-phase: phase is "", expected one of import, step

// With layouts: stage 0 leaves the received cotangent out of the sum.
// RUN: dtc-opt %S/Inputs/example.mlir --dtc-pipeline=stop-after=sharded \
// RUN:   | sed -e 's/dtc.sum %[0-9]*, \(%[0-9]*\)\(.*\)\["in.down"\], \(.*\) : (tensor<7x4xf32, #layout[0-9]*>, /dtc.sum \1\2\3 : (/' \
// RUN:   | not dtc-opt --dtc-verify-phase=phase=sharded 2>&1 | FileCheck %s --check-prefix=OVERPP
// OVERPP: error: 'dtc.sum' op in.grad: has terms {in/up.matmul}, the graph {in/down, in/up.matmul}; from axis "pp"

// In tasks: a micro-batch's gradient that is added twice, and one never cleared.
// RUN: dtc-opt %S/Inputs/example.mlir --dtc-pipeline=stop-after=scheduled -o %t.scheduled.mlir
// RUN: sed -e '/dtc.accumulate_into .*up.bias/p' %t.scheduled.mlir \
// RUN:   | not dtc-opt --dtc-verify-phase=phase=scheduled 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: 'dtc.buffer' op stage0.train.up.bias.grad.accumulator: is cleared by 1 ops and added to by 2, expected one of each: over axis "mb"
// RUN: sed -e '/dtc.clear .*up.bias/d' %t.scheduled.mlir \
// RUN:   | not dtc-opt --dtc-verify-phase=phase=scheduled 2>&1 | FileCheck %s --check-prefix=NEVER
// NEVER: error: 'dtc.buffer' op stage0.train.up.bias.grad.accumulator: is cleared by 0 ops and added to by 1
