//===- LossOps.td - Losses with explicit divisor and scale ----*- tablegen -*-===//
//
// 1/N and the loss scale enter at the loss and nowhere else. A loss's value is
// divided by N (degree (0, 1)); only its gradient is multiplied by the scale
// (degree (1, 1)). Rows whose label is `ignore` contribute nothing; the loader
// gives absent samples that label, so pad rows are such rows.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_LOSSOPS_TD
#define DTC_IR_LOSSOPS_TD

include "ir/DtcOpBase.td"

def Dtc_CountValidOp : Dtc_GraphOp<"count_valid"> {
  let summary = "How many labels are not `ignore` (i64); split gives P(sum)";
  let arguments = (ins Dtc_IntTensor:$labels, I64Attr:$ignore);
  let results = (outs Dtc_IntTensor:$result);
}
def Dtc_RowMaxOp : Dtc_GraphOp<"row_max"> {
  let summary = "Maximum over the last dimension; pads are skipped by global index";
  let description = [{
    Cross entropy, op 1 of 5. Over an axis that splits the last dimension the
    result is P(max).
  }];
  let arguments = (ins Dtc_FloatTensor:$logits);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_SumExpOp : Dtc_GraphOp<"sum_exp"> {
  let summary = "Sum over the last dimension of exp(logits - max), pads skipped";
  let description = "Cross entropy, op 2 of 5. `max` is R where classes are split.";
  let arguments = (ins Dtc_FloatTensor:$logits, Dtc_FloatTensor:$max,
                       OptionalAttr<TypeAttr>:$reduce_dtype);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_PickOp : Dtc_GraphOp<"pick"> {
  let summary = "logits[row, label[row]]; 0 where the label is `ignore` or elsewhere";
  let description = [{
    Cross entropy, op 3 of 5. A coordinate that does not hold the label's class
    gives 0, so a split of the classes gives P(sum).
  }];
  let arguments = (ins Dtc_FloatTensor:$logits, Dtc_IntTensor:$labels,
                       I64Attr:$ignore, OptionalAttr<TypeAttr>:$reduce_dtype);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_CrossEntropyOp : Dtc_GraphOp<"cross_entropy", [
    DeclareOpInterfaceMethods<Dtc_Loss>]> {
  let summary = "Sum over valid rows of (max + log(sum) - pick), divided by N";
  let description = [{
    Cross entropy, op 4 of 5. `scale` is an operand for the degree's sake; the
    value is not multiplied by it. N = 0 gives 0.
  }];
  let arguments = (ins Dtc_FloatTensor:$max, Dtc_FloatTensor:$sum,
                       Dtc_FloatTensor:$pick, Dtc_IntTensor:$labels,
                       Dtc_IntTensor:$N, Dtc_FloatTensor:$scale,
                       I64Attr:$ignore, OptionalAttr<TypeAttr>:$reduce_dtype);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_CrossEntropyGradOp : Dtc_GraphOp<"cross_entropy_grad", [], [],
                                         ["getInPlaceOperand"]> {
  let summary = "scale / N * (softmax - one_hot), zero in rows without valid label";
  let description = [{
    Cross entropy, op 5 of 5. All pads of the result are zero: pad rows have the
    ignore label, pad classes are masked by global index. N = 0 gives 0.
  }];
  let arguments = (ins Dtc_FloatTensor:$logits, Dtc_FloatTensor:$max,
                       Dtc_FloatTensor:$sum, Dtc_IntTensor:$labels,
                       Dtc_IntTensor:$N, Dtc_FloatTensor:$scale,
                       I64Attr:$ignore);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_SquaredErrorOp : Dtc_GraphOp<"squared_error", [
    DeclareOpInterfaceMethods<Dtc_Loss>]> {
  let summary = "Sum over valid rows of the row's mean (prediction - target)^2, / N";
  let arguments = (ins Dtc_FloatTensor:$prediction, Dtc_FloatTensor:$target,
                       Dtc_IntTensor:$labels, Dtc_IntTensor:$N,
                       Dtc_FloatTensor:$scale, I64Attr:$ignore,
                       OptionalAttr<TypeAttr>:$reduce_dtype);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_SquaredErrorGradOp : Dtc_GraphOp<"squared_error_grad", [], [],
                                         ["getInPlaceOperand"]> {
  let summary = "scale / N * 2 (prediction - target) / row elements; pads zero";
  let arguments = (ins Dtc_FloatTensor:$prediction, Dtc_FloatTensor:$target,
                       Dtc_IntTensor:$labels, Dtc_IntTensor:$N,
                       Dtc_FloatTensor:$scale, I64Attr:$ignore);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_LinearLossOp : Dtc_GraphOp<"linear_loss", [
    DeclareOpInterfaceMethods<Dtc_Loss>]> {
  let summary = "Sum over valid rows of the row's elements, divided by N";
  let arguments = (ins Dtc_FloatTensor:$input, Dtc_IntTensor:$labels,
                       Dtc_IntTensor:$N, Dtc_FloatTensor:$scale,
                       I64Attr:$ignore, OptionalAttr<TypeAttr>:$reduce_dtype);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_LinearLossGradOp : Dtc_GraphOp<"linear_loss_grad", [], [], [],
                                       ["getBytes"]> {
  let summary = "scale / N in valid rows, zero elsewhere and in pads";
  let description = [{
    `like` gives shape and layout only; its elements are not read.
  }];
  let arguments = (ins Dtc_FloatTensor:$like, Dtc_IntTensor:$labels,
                       Dtc_IntTensor:$N, Dtc_FloatTensor:$scale,
                       I64Attr:$ignore);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_CountCorrectOp : Dtc_GraphOp<"count_correct"> {
  let summary = "Valid rows whose label's logit is the row's maximum (i64)";
  let arguments = (ins Dtc_FloatTensor:$max, Dtc_FloatTensor:$pick,
                       Dtc_IntTensor:$labels, I64Attr:$ignore);
  let results = (outs Dtc_IntTensor:$result);
}

#endif // DTC_IR_LOSSOPS_TD
