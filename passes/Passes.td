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

def AssignLayoutsPass : Pass<"dtc-assign-layouts", "ModuleOp"> {
  let summary = "Say how each value of forward and backward lies over the mesh";
  let description = [{
    Gives every variable, input and op of the phases forward and backward a type
    with `#dtc.layout`, and leaves a `dtc.relayout` (or `dtc.to_partial`) where
    a use needs a value otherwise than it lies.

    Parameters: between two values of the residual stream the first linear layer
    is split over tp by columns, the last by rows, one alone and middle ones are
    whole, the head by classes; `dtc.tp` on a matmul overrides, a bias follows.
    Inputs: rows over dp, cut into micro-batches at their first use. All else
    follows from the ops' rules. A partial value is reduced once, where it is
    made: a forward value if any user refuses it, an activation's cotangent when
    its sum is complete unless only contractions use it, both before they cross
    a stage; a parameter's cotangent never before the tail.

    Before and after, over tp with `#e = ...tp=2:P(sum)...`, `#b = ...tp=2:R...`:
    ```
    %z = dtc.matmul %h, %w {transpose_rhs} ...
    %y = dtc.relu %z ...

    %z = dtc.matmul %h, %w {transpose_rhs} : (...) -> tensor<7x4xf32, #e>
    %1 = dtc.relayout %z : tensor<7x4xf32, #e> -> tensor<7x4xf32, #b>
    %y = dtc.relu %1 : (tensor<7x4xf32, #b>) -> tensor<7x4xf32, #b>
    ```

    Needs: `--dtc-assign-stages`.
    Leaves: `dtc.stages` on the ops of phase update, until `--dtc-form-buckets`.
  }];
  let dependentDialects = ["mlir::dtc::DtcDialect"];
}

def FormBucketsPass : Pass<"dtc-form-buckets", "ModuleOp"> {
  let summary = "Lay out the tail, with its gradients in buckets under ZeRO 1";
  let description = [{
    ZeRO 0: each gradient is reduced over mb, then over all other axes that it
    is partial over, and its update is done alike on all ranks that hold it.

    ZeRO 1: parameters of one placement (stages; over tp split, whole, or whole
    with a partial gradient; dtype) become one bucket, members in the order of
    the variable table. Its gradient is packed after the reduction over mb,
    reduced into shards over dp, then over the axes left; state and update exist
    for the shard alone; the new value is gathered. Parameters are views of the
    bucket (`dtc.unpack`), in every step function. Frozen parameters have none.

    Then the tail's ops get layouts by their rules. Norm and flag join the
    stages; a term that is whole where others are addends enters the sum once,
    by `dtc.to_partial`.

    Before and after, for one bucket:
    ```
    %u = dtc.unscale %g, %scale ...            // for each parameter

    %1 = dtc.relayout %g : ...mb=2:P(sum)... -> ...mb=2:R...
    %2 = dtc.pack %1, ... {bucket = "b0.split"} ...
    %3 = dtc.relayout %2 : ...dp=2:P(sum)... -> ...dp=2:S(0)...
    %u = dtc.unscale %3, %scale ...            // for all of them
    ```

    Needs: `--dtc-assign-layouts`; `zero` 0 or 1 in the plan.
    Leaves: a layout in every type; no `dtc.stages`.
  }];
  let dependentDialects = ["mlir::dtc::DtcDialect"];
}

def InsertCollectivesPass : Pass<"dtc-insert-collectives", "ModuleOp"> {
  let summary = "Turn each change of layout into the collectives that make it";
  let description = [{
    The only pass that makes communication. P to R is an all_reduce (over mb:
    accumulate), P to S(0) a reduce_scatter, S to R an all_gather, R to S a
    local_slice, one stage to another a send_recv. mb comes first, then sums,
    slices, the send, gathers. Neighbouring axes that are reduced alike become
    one all_reduce over the product group. Each pair of stages and direction has
    its channel.

    Before and after, with `#p = #dtc.layout<..., tp=2:P(sum), ...>` and `#r`
    the same with R:
    ```
    %1 = dtc.relayout %0 : tensor<8x16xf32, #p> -> tensor<8x16xf32, #r>

    %1 = dtc.all_reduce sum %0 over ["tp"] : tensor<8x16xf32, #p> -> tensor<8x16xf32, #r>
    ```

    Needs: a layout in every type (`--dtc-form-buckets`).
    Leaves: no `dtc.relayout`.
  }];
  let dependentDialects = ["mlir::dtc::DtcDialect"];
}

//===-- local: one rank's shapes --------------------------------------------===//

def PartitionPass : Pass<"dtc-partition", "ModuleOp"> {
  let summary = "Make every type one rank's part";
  let description = [{
    One to one: each tensor type with a layout becomes the padded local shape
    with `#dtc.local<global shape, layout>`. Bucket members keep their global
    types. The step graph stays as it is.

    Needs: `--dtc-insert-collectives`.
    Leaves: local types only.
  }];
  let dependentDialects = ["mlir::dtc::DtcDialect"];
}

//===-- scheduled: tasks and their order ------------------------------------===//

def OutlineTasksPass : Pass<"dtc-outline-tasks", "ModuleOp"> {
  let summary = "Cut each stage's part of a step into tasks";
  let description = [{
    For each stage and step (train, evaluate) this pass writes up to five
    functions without arguments: prologue, forward, backward, weight, epilogue.
    The three in the middle run once a micro-batch. Backward is the backward
    slice of what is sent to earlier stages, weight the rest of that phase; the
    first stage sends nothing back and has no backward.

    A value that one task leaves for another is saved to a `dtc.buffer` and
    loaded from it; `accumulate` becomes `clear`, `accumulate_into` and `load`;
    `send_recv` becomes a `send` at the end of a task and a `recv` at the start
    of one, each (phase, source, destination) a channel of its own; model inputs
    are read by `read_batch`. Variables, views and constants are cloned into
    each task that uses them. An n-ary op that joins stages keeps on each the
    operands that are there.

    Before and after, of a stage whose forward result is needed backward:
    ```
    %h = dtc.relu %a
    %d = dtc.relu_grad %c, %h

    func.func private @stage0.train.forward() {   ... dtc.save %h, @stage0.train.h
    func.func private @stage0.train.weight() {    %h = dtc.load @stage0.train.h ...
    ```

    Needs: local types (`--dtc-partition`).
    Leaves: no step function, no `accumulate`, no `send_recv`. Every send reads
    a load of the buffer that its value lives in; the epilogue waits until all
    sends of the stage are taken.
  }];
  let dependentDialects = ["mlir::dtc::DtcDialect", "mlir::func::FuncDialect"];
}

def SchedulePass : Pass<"dtc-schedule", "ModuleOp"> {
  let summary = "Order the tasks of each stage and give buffers their slots";
  let description = [{
    Writes a `dtc.schedule` for each stage and step, by the plan's schedule:
    calls of tasks, repeated over micro-batches, so its size does not grow with
    their number. An evaluation runs forward only. From the order of all stages
    together it computes `slots` of each buffer, the micro-batches that it holds
    at once, and puts a `wait` at the start of a task that overwrites a slot
    which a peer may still be taking.

    ```
    dtc.schedule @stage0.train attributes {stage = 0 : i64} {
      dtc.call @stage0.train.prologue
      dtc.repeat 1 { dtc.call @stage0.train.forward }
      dtc.repeat 1 {
        dtc.call @stage0.train.forward {first = 1 : i64}
        dtc.call @stage0.train.weight
      }
      dtc.repeat 1 { dtc.call @stage0.train.weight {first = 1 : i64} }
      dtc.call @stage0.train.epilogue
    }
    ```

    Needs: tasks (`--dtc-outline-tasks`).
    Leaves: a module that already has schedules as it is.
  }];
  let dependentDialects = ["mlir::dtc::DtcDialect"];
}

//===-- planned: kernels and memory -----------------------------------------===//

def FusePass : Pass<"dtc-fuse", "ModuleOp"> {
  let summary = "Put ops that visit the same indices into one kernel";
  let description = [{
    Groups ops of a task that fit one kernel template together into `dtc.fused`:
    elementwise ops of one shape (bias and activation); elementwise ops and sums
    of their results over leading dimensions (a cotangent and the bias gradient);
    reductions of the rows of one tensor (those of the cross entropy, where
    classes are not split); an elementwise op and scalars of its result (unscale
    and the norm's part). No element is computed otherwise than before.

    Before and after:
    ```
    %1 = dtc.add %0, %bias ...
    %2 = dtc.relu %1 ...

    %2 = dtc.fused map(%0, %bias) ... {
    ^bb0(%a: ..., %b: ...):
      %3 = dtc.add %a, %b ...
      %4 = dtc.relu %3 ...
      dtc.yield %4 ...
    }
    ```

    Needs: tasks (`--dtc-outline-tasks`).
    Leaves: the same values, fewer ops.
  }];
  let dependentDialects = ["mlir::dtc::DtcDialect"];
}

def SelectKernelsPass : Pass<"dtc-select-kernels", "ModuleOp"> {
  let summary = "Write into each op of a task what makes it";
  let description = [{
    Sets `dtc.kernel` on each op that is Lowerable: a kernel template, `library`,
    `view` or `instruction`, as the op itself answers.

    Needs: `--dtc-fuse`, where ops are to be fused.
    Leaves: `dtc.kernel`.
  }];
  let dependentDialects = ["mlir::dtc::DtcDialect"];
}

def PlanMemoryPass : Pass<"dtc-plan-memory", "ModuleOp"> {
  let summary = "Give each variable, buffer and value of a stage its bytes";
  let description = [{
    One arena a stage. Two things share bytes only where every use of one comes
    before every definition of the other: prologue, loop (what crosses its calls
    lives through all of it), epilogue; evaluation lies over the training step's
    bytes and shares the variables'. A value that is saved or stored is made in
    place, an op whose operand dies overwrites it, members of a bucket lie in a
    row, views are part of what they view.

    An op whose result has the place of its operand need not move it: `dtc.save`,
    `dtc.store` and `dtc.pack` copy only where places differ. A place may have
    more bytes than its tensor: rows of a batch that only its last micro-batch
    lacks, the pad of a bucket up to its shards' length. `dtc.clear`, and a
    `dtc.pack` that copies, set the bytes of such a pad to zero.

    Needs: `--dtc-schedule`, `--dtc-select-kernels`.
    Leaves: `dtc.places` on buffers and on ops with results, `dtc.stage_places`
    on variables, `dtc.workspace` where an op needs scratch bytes, `dtc.memory`
    on the module (arena, lower bound, peak and bytes by class for each stage).
  }];
  let options = [
    Option<"memoryLimit", "memory-limit", "int64_t", /*default=*/"0",
           "bytes that a stage's arena may take; 0 is no limit">
  ];
  let dependentDialects = ["mlir::dtc::DtcDialect"];
}

//===-- after every phase ---------------------------------------------------===//

def VerifyPhasePass : Pass<"dtc-verify-phase", "ModuleOp"> {
  let summary = "Check what a phase promises and that nothing of it is left over";
  let description = [{
    Ops live from one pass to another (the last line of each op's description).
    This pass refuses by name what should be gone at the end of `phase`, and
    types of the wrong kind: global before `sharded`, with a layout after it,
    local from `local` on.

    Beyond types it follows every value through the step, whole or in tasks:
    its degree in (scale, 1/N), which op of the step graph it is a result of, and
    which terms a sum has. An operand that is not the graph's, a sum without all
    its terms, and a variable that is not stored once are refused by their names.

    Needs: the passes of `phase`.
    Leaves: the module as it is.
  }];
  let options = [
    Option<"phase", "phase", "std::string", /*default=*/"",
           "import, step, precision, sharded, local, scheduled or planned">
  ];
}

#endif // DTC_PASSES_PASSES_TD
