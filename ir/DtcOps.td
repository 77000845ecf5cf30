//===- DtcOps.td - All op families ----------------------------*- tablegen -*-===//
//
// The umbrella that TableGen reads. Families are files of their own.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_DTCOPS_TD
#define DTC_IR_DTCOPS_TD

include "ir/ComputeOps.td"
include "ir/ShapeOps.td"
include "ir/RandomOps.td"
include "ir/LossOps.td"
include "ir/OptimizerOps.td"
include "ir/CollectiveOps.td"
include "ir/VariableOps.td"
include "ir/PipelineOps.td"

#endif // DTC_IR_DTCOPS_TD
