//===- Passes.td - Every pass, in the order of the pipeline ---*- tablegen -*-===//
//
// One entry a pass, under a banner for its phase. A phase ends with
// dtc-verify-phase, which says what must hold and what may not be left.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_PASSES_TD
#define DTC_PASSES_PASSES_TD

include "mlir/Pass/PassBase.td"

//===-- step: the whole training step as one global graph -------------------===//

def DifferentiatePass : Pass<"dtc-differentiate", "ModuleOp"> {
  let summary = "Append the gradients of all trainable parameters to the step";
  let description = [{
    Reverse mode over the straight-line forward graph, from the gradient of the
    reported loss. The cotangent of a value with several users is one n-ary
    `dtc.sum`, whose terms are named `<value>/<user>`; a cotangent of one term
    is no op. The op that makes the gradient of a parameter carries
    `dtc.gradient_of`. Frozen parameters get none; a parameter that does not
    reach the loss gets none and a warning.

    Before and after, for the last layer of a model:
    ```
    %z = dtc.matmul %h, %w {transpose_rhs} ...
    dtc.report %loss as "loss" ...

    %dz = dtc.cross_entropy_grad %z, %max, %sum, %label, %N, %scale ...
    %gw = dtc.matmul %dz, %h {dtc.gradient_of = @w, transpose_lhs} ...
    %dh = dtc.matmul %dz, %w ...
    ```

    Needs: the model graph of import.
    Leaves: `dtc.forward` on each op made (the forward op that it belongs to)
    and `dtc.prediction` on the op whose result the loss judges, both for
    `--dtc-assign-stages`.
  }];
  let dependentDialects = ["mlir::dtc::DtcDialect"];
}

def OptimizeStepPass : Pass<"dtc-optimize-step", "ModuleOp"> {
  let summary = "Append flag, unscale, norm, clip, update and scale to the step";
  let description = [{
    One sequence: a flag of non-finite gradients (still scaled) and of an empty
    batch; unscale; one sum of squares for each parameter and the sum of all;
    the clip factor; an update for each parameter; last the step count, the loss
    scale and the count of good steps. Skipping is a select inside each update.
    Optimizer state is declared here, zero at the start.

    Needs: `--dtc-differentiate`; `dtc.optimizer` on the module.
    Leaves: `dtc.store` of each trained parameter, its state and the three
    scalars; reports of grad_norm, flag, lr and loss_scale.
  }];
  let dependentDialects = ["mlir::dtc::DtcDialect"];
}

//===-- precision: dtypes, ids, the private copy of the step graph ----------===//

def PrecisionPass : Pass<"dtc-precision", "ModuleOp"> {
  let summary = "Fix the dtype of sums, number the ops and put the graph aside";
  let description = [{
    Sets `reduce_dtype` on each op that has the field: a sum over ranks is then
    made in it. Numbers the ops of each step (`dtc.id`) and keeps a copy as
    `@step.graph`, `@evaluate.graph`, which no later pass touches: what a later
    op computes is checked against the op of its id. Compute types other than
    f32 are refused.

    Needs: `--dtc-optimize-step`.
    Leaves: `@<step>.graph` private.
  }];
  let dependentDialects = ["mlir::dtc::DtcDialect"];
}

//===-- sharded: stages, layouts, buckets, collectives ----------------------===//

def AssignStagesPass : Pass<"dtc-assign-stages", "ModuleOp"> {
  let summary = "Cut the model into pipeline stages of balanced cost";
  let description = [{
    Cuts the forward graph between layers into `pp` contiguous parts so that the
    most expensive part is as cheap as can be (and, of such cuts, the one with
    the least sum of squares). A layer's cost is the FLOPs of its forward ops.
    Loss and token count are on the last stage, backward ops on that of their
    forward op, an update on the stages of its parameter, flag and norm on all
    stages that hold one.

    Cuts the n-ary sums: an activation's terms are added along the stages, last
    to first; a parameter's on each stage, one operand a stage left over.

    Needs: `--dtc-precision`; `dtc.plan` on the module.
    Leaves: `dtc.stages` on each op, until `--dtc-assign-layouts`.
  }];
  let dependentDialects = ["mlir::dtc::DtcDialect"];
}

//===-- local: one rank's shapes --------------------------------------------===//

//===-- scheduled: tasks and their order ------------------------------------===//

//===-- planned: kernels and memory -----------------------------------------===//

//===-- after every phase ---------------------------------------------------===//

def VerifyPhasePass : Pass<"dtc-verify-phase", "ModuleOp"> {
  let summary = "Check what a phase promises and that nothing of it is left over";
  let description = [{
    Ops live from one pass to another (the last line of each op's description).
    This pass refuses by name what should be gone at the end of `phase`, and
    types of the wrong kind: global before `sharded`, with a layout after it,
    local from `local` on.

    Needs: the passes of `phase`.
    Leaves: the module as it is.
  }];
  let options = [
    Option<"phase", "phase", "std::string", /*default=*/"",
           "import, step, precision, sharded, local, scheduled or planned">
  ];
}

#endif // DTC_PASSES_PASSES_TD
