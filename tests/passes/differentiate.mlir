// The gradients of the example: who makes which, what is summed, and by names
// that a user knows.
// RUN: dtc-opt %S/Inputs/example.mlir --dtc-differentiate | FileCheck %s
// RUN: dtc-opt %s -split-input-file --dtc-differentiate -verify-diagnostics \
// RUN:   | FileCheck %s --check-prefix=CASES

// CHECK-LABEL: func.func @step
// CHECK:       %[[H0:.+]] = dtc.relu {{.*}}dtc.name = "in",
// CHECK:       %[[H1:.+]] = dtc.relu {{.*}}dtc.name = "up",
// CHECK:       %[[H2:.+]] = dtc.add {{.*}}dtc.name = "down",
// CHECK:       %[[Z:.+]] = dtc.add {{.*}}dtc.name = "head", {{.*}}dtc.prediction
// CHECK:       dtc.report {{.*}} as "valid"
// CHECK-NEXT:  %[[DZ:.+]] = dtc.cross_entropy_grad %[[Z]], {{.*}}dtc.name = "loss.grad"
// CHECK-NEXT:  dtc.reduce_sum %[[DZ]] {{.*}}dtc.gradient_of = @head.bias, dtc.name = "head.bias.grad"
// CHECK-NEXT:  %[[DH2:.+]] = dtc.matmul %[[DZ]], {{.*}}dtc.term = "in/down"
// CHECK-NEXT:  dtc.matmul %[[DZ]], %[[H2]] {{.*}}dtc.gradient_of = @head.weight{{.*}}transpose_lhs
// CHECK-NEXT:  dtc.reduce_sum %[[DH2]] {{.*}}dtc.gradient_of = @down.bias
// CHECK-NEXT:  %[[DH1:.+]] = dtc.matmul %[[DH2]], {{.*}}dtc.name = "down.matmul.input_grad"
// CHECK-NEXT:  dtc.matmul %[[DH2]], %[[H1]] {{.*}}dtc.gradient_of = @down.weight
// CHECK-NEXT:  %[[DZUP:.+]] = dtc.relu_grad %[[DH1]], %[[H1]]
// CHECK-NEXT:  dtc.reduce_sum %[[DZUP]] {{.*}}dtc.gradient_of = @up.bias
// CHECK-NEXT:  %[[DH0UP:.+]] = dtc.matmul %[[DZUP]], {{.*}}dtc.term = "in/up.matmul"
// CHECK-NEXT:  dtc.matmul %[[DZUP]], %[[H0]] {{.*}}dtc.gradient_of = @up.weight
// Only the value with two users has a sum; its terms say whose they are.
// CHECK-NEXT:  %[[DH0:.+]] = dtc.sum %[[DH2]], %[[DH0UP]] {{.*}}terms = {{\[}}["in/down"], ["in/up.matmul"]]
// CHECK-NEXT:  %[[DAIN:.+]] = dtc.relu_grad %[[DH0]], %[[H0]]
// The input's own cotangent is not made.
// CHECK-NEXT:  dtc.matmul %[[DAIN]], %{{.+}} {{.*}}dtc.gradient_of = @in.weight
// CHECK-NEXT:  return
// CHECK-LABEL: func.func @evaluate
// CHECK-NOT:   backward

// P30: the gradient passes through a frozen parameter, which gets none. P29: one
// that does not reach the loss gets none either, and a warning names it.
// CASES-LABEL: module @frozen_and_unused
// CASES-NOT:   gradient_of = @u
// CASES-NOT:   gradient_of = @b
// CASES:       dtc.gradient_of = @c
// CASES:       dtc.gradient_of = @a
// CASES-NOT:   gradient_of
module @frozen_and_unused {
  dtc.variable @a : tensor<1x1xf32> {init = {kind = "ones"}, role = "parameter"}
  dtc.variable @b : tensor<1x1xf32> {init = {kind = "ones"}, role = "parameter", frozen}
  dtc.variable @c : tensor<1x1xf32> {init = {kind = "ones"}, role = "parameter"}
  // expected-warning @below {{parameter u does not reach the loss: it gets no gradient, no optimizer state and no update}}
  dtc.variable @u : tensor<3xf32> {init = {kind = "ones"}, role = "parameter"}
  dtc.variable @dtc.loss_scale : tensor<f32> {init = {kind = "ones"}, role = "scalar"}
  func.func @step(%x: tensor<2x1xf32> {dtc.input = "x"}, %valid: tensor<2xi32> {dtc.input = "valid"})
      attributes {dtc.step_kind = "train"} {
    %a = dtc.read @a {dtc.name = "a", dtc.phase = "forward"} : tensor<1x1xf32>
    %b = dtc.read @b {dtc.name = "b", dtc.phase = "forward"} : tensor<1x1xf32>
    %c = dtc.read @c {dtc.name = "c", dtc.phase = "forward"} : tensor<1x1xf32>
    %scale = dtc.read @dtc.loss_scale {dtc.name = "dtc.loss_scale", dtc.phase = "forward"} : tensor<f32>
    %0 = dtc.matmul %x, %a {transpose_rhs, dtc.name = "la", dtc.phase = "forward"} : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
    %1 = dtc.matmul %0, %b {transpose_rhs, dtc.name = "lb", dtc.phase = "forward"} : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
    %2 = dtc.matmul %1, %c {transpose_rhs, dtc.name = "lc", dtc.phase = "forward"} : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
    %N = dtc.count_valid %valid {ignore = -100 : i64, dtc.name = "loss.valid", dtc.phase = "forward"} : (tensor<2xi32>) -> tensor<i64>
    %loss = dtc.linear_loss %2, %valid, %N, %scale {ignore = -100 : i64, dtc.name = "loss", dtc.phase = "forward"} : (tensor<2x1xf32>, tensor<2xi32>, tensor<i64>, tensor<f32>) -> tensor<f32>
    dtc.report %loss as "loss" {dtc.name = "report.loss", dtc.phase = "forward"} : tensor<f32>
    return
  }
}

// -----

// P31: one parameter, two uses: two terms, one sum, one gradient.
// CASES-LABEL: module @two_uses
// CASES:       %[[SECOND:.+]] = dtc.matmul {{.*}}dtc.name = "w.grad.l2"{{.*}}dtc.term = "w/l2"
// CASES:       %[[FIRST:.+]] = dtc.matmul {{.*}}dtc.name = "w.grad.l1"{{.*}}dtc.term = "w/l1"
// CASES-NEXT:  dtc.sum %[[SECOND]], %[[FIRST]] {{.*}}dtc.gradient_of = @w, dtc.name = "w.grad", {{.*}}terms = {{\[}}["w/l2"], ["w/l1"]]
module @two_uses {
  dtc.variable @w : tensor<1x1xf32> {init = {kind = "ones"}, role = "parameter"}
  dtc.variable @dtc.loss_scale : tensor<f32> {init = {kind = "ones"}, role = "scalar"}
  func.func @step(%x: tensor<2x1xf32> {dtc.input = "x"}, %valid: tensor<2xi32> {dtc.input = "valid"})
      attributes {dtc.step_kind = "train"} {
    %w = dtc.read @w {dtc.name = "w", dtc.phase = "forward"} : tensor<1x1xf32>
    %scale = dtc.read @dtc.loss_scale {dtc.name = "dtc.loss_scale", dtc.phase = "forward"} : tensor<f32>
    %0 = dtc.matmul %x, %w {transpose_rhs, dtc.name = "l1", dtc.phase = "forward"} : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
    %1 = dtc.matmul %0, %w {transpose_rhs, dtc.name = "l2", dtc.phase = "forward"} : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
    %N = dtc.count_valid %valid {ignore = -100 : i64, dtc.name = "loss.valid", dtc.phase = "forward"} : (tensor<2xi32>) -> tensor<i64>
    %loss = dtc.linear_loss %1, %valid, %N, %scale {ignore = -100 : i64, dtc.name = "loss", dtc.phase = "forward"} : (tensor<2x1xf32>, tensor<2xi32>, tensor<i64>, tensor<f32>) -> tensor<f32>
    dtc.report %loss as "loss" {dtc.name = "report.loss", dtc.phase = "forward"} : tensor<f32>
    return
  }
}
