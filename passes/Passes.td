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

//===-- precision: dtypes, ids, the private copy of the step graph ----------===//

//===-- sharded: stages, layouts, buckets, collectives ----------------------===//

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
