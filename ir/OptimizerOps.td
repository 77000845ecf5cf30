//===- OptimizerOps.td - The tail of the step -----------------*- tablegen -*-===//
//
// Flag, unscale, norm, clip, update, scale, in this order. A step with any flag
// bit stores the old values: skipping is a select inside the update.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_OPTIMIZEROPS_TD
#define DTC_IR_OPTIMIZEROPS_TD

include "ir/DtcOpBase.td"

def Dtc_NonfiniteBitOp : Dtc_GraphOp<"nonfinite_bit"> {
  let summary = "1 if any element is NaN or infinite, else 0 (i32 scalar)";
  let description = "Split (or opaque) over an axis gives P(or); R gives R.";
  let arguments = (ins Dtc_FloatTensor:$input);
  let results = (outs Dtc_IntTensor:$result);
}
def Dtc_EmptyBitOp : Dtc_GraphOp<"empty_bit"> {
  let summary = "2 if count is 0, else 0 (i32 scalar)";
  let arguments = (ins Dtc_IntTensor:$count);
  let results = (outs Dtc_IntTensor:$result);
}
def Dtc_OrOp : Dtc_GraphOp<"or", [], ["joinsStages", "describeOperand"]> {
  let summary = "N-ary bitwise or of i32 scalars; operands may lie on any stage";
  let arguments = (ins Variadic<Dtc_IntTensor>:$inputs, ArrayAttr:$terms);
  let results = (outs Dtc_IntTensor:$result);
}
def Dtc_UnscaleOp : Dtc_GraphOp<"unscale", [
    DeclareOpInterfaceMethods<Dtc_ElementwiseOp>], [], ["getInPlaceOperand"]> {
  let summary = "input / scale; degree in scale falls by one";
  let arguments = (ins Dtc_FloatTensor:$input, Dtc_FloatTensor:$scale);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_SumSquaresOp : Dtc_GraphOp<"sum_squares"> {
  let summary = "Sum of squares of all elements (f32 scalar)";
  let description = "Split or opaque gives P(sum); refuses P. Pads must be zero.";
  let arguments = (ins Dtc_FloatTensor:$input,
                       OptionalAttr<TypeAttr>:$reduce_dtype);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_SqrtOp : Dtc_GraphOp<"sqrt", [
    DeclareOpInterfaceMethods<Dtc_ElementwiseOp>]> {
  let summary = "Square root; of the sum of squares: the global norm";
  let arguments = (ins Dtc_FloatTensor:$input);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_ClipFactorOp : Dtc_GraphOp<"clip_factor"> {
  let summary = "min(1, max_norm / sqrt(sum of squares)); degree (0, 0)";
  let arguments = (ins Dtc_FloatTensor:$sum_squares, F64Attr:$max_norm);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_LearningRateOp : Dtc_GraphOp<"learning_rate"> {
  let summary = "The rate of the step after `step` applied ones; constant `peak`";
  let arguments = (ins Dtc_IntTensor:$step, F64Attr:$peak);
  let results = (outs Dtc_FloatTensor:$result);
}
// An update of one variable or bucket. `decays` and `rates` hold for segments
// of `segment_lengths` elements each, in order (one segment: a plain variable;
// lengths are those one coordinate of the split axes holds). flag != 0 gives
// the old values back. Over an axis all tensors are R or lie alike (S or X).
def Dtc_SgdOp : Dtc_GraphOp<"sgd", [], [], ["getInPlaceOperandFor"]> {
  let summary = "b = mu b + factor g + ...; p -= rate lr (b + decay p)";
  let description = [{
    g = factor * gradient + decay * p; b = momentum * b + g; p = p - lr * rate * b.
    Without momentum the variable has no state and `momentum_state` is absent.
    Source: Sutskever et al. 2013 in the form of cases K4 (b = mu b + g).
  }];
  let arguments = (ins Dtc_FloatTensor:$value,
                       Optional<Dtc_FloatTensor>:$momentum_state,
                       Dtc_FloatTensor:$gradient, Dtc_FloatTensor:$factor,
                       Dtc_IntTensor:$flag, Dtc_FloatTensor:$learning_rate,
                       F64Attr:$momentum, DenseI64ArrayAttr:$segment_lengths,
                       DenseF64ArrayAttr:$decays, DenseF64ArrayAttr:$rates);
  let results = (outs Dtc_FloatTensor:$new_value,
                      Optional<Dtc_FloatTensor>:$new_momentum_state);
}
def Dtc_AdamWOp : Dtc_GraphOp<"adamw", [], [], ["getInPlaceOperandFor"]> {
  let summary = "AdamW with bias correction and decoupled decay";
  let description = [{
    t = step + 1; m = b1 m + (1 - b1) g; v = b2 v + (1 - b2) g g with
    g = factor * gradient; p = p - lr rate (m / (1 - b1^t) /
    (sqrt(v / (1 - b2^t)) + eps) + decay p).
    Source: Loshchilov and Hutter 2019, algorithm 2.
  }];
  let arguments = (ins Dtc_FloatTensor:$value, Dtc_FloatTensor:$first_moment,
                       Dtc_FloatTensor:$second_moment,
                       Dtc_FloatTensor:$gradient, Dtc_FloatTensor:$factor,
                       Dtc_IntTensor:$flag, Dtc_FloatTensor:$learning_rate,
                       Dtc_IntTensor:$step, F64Attr:$beta1, F64Attr:$beta2,
                       F64Attr:$eps, DenseI64ArrayAttr:$segment_lengths,
                       DenseF64ArrayAttr:$decays, DenseF64ArrayAttr:$rates);
  let results = (outs Dtc_FloatTensor:$new_value,
                      Dtc_FloatTensor:$new_first_moment,
                      Dtc_FloatTensor:$new_second_moment);
}
def Dtc_AdvanceOp : Dtc_GraphOp<"advance"> {
  let summary = "Next step count, loss scale and count of good steps";
  let description = [{
    flag = 0: step + 1, good + 1; at `growth_interval` good steps the scale
    grows and good returns to 0 (interval 0: the scale is fixed). Bit 1 of the
    flag: scale * backoff, good = 0, step stays. Bit 2 alone: all stay.
  }];
  let arguments = (ins Dtc_IntTensor:$step, Dtc_FloatTensor:$scale,
                       Dtc_IntTensor:$good, Dtc_IntTensor:$flag,
                       I64Attr:$growth_interval, F64Attr:$growth,
                       F64Attr:$backoff);
  let results = (outs Dtc_IntTensor:$new_step, Dtc_FloatTensor:$new_scale,
                      Dtc_IntTensor:$new_good);
}
def Dtc_PackOp : Dtc_GraphOp<"pack", [], ["describeOperand"], [],
                             ["getBytes"]> {
  let summary = "Members of a bucket, flattened one after another (1-D)";
  let description = [{
    The length is what one coordinate of the split axes packs: each member's
    padded local elements (pads over the split axes included). Members split
    over an axis make the bucket X there; all members R, R; P(sum), P(sum).
    Over `mb` only R (gradients are accumulated first).
  }];
  let arguments = (ins Variadic<Dtc_FloatTensor>:$members, StrAttr:$bucket);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_UnpackOp : Dtc_GraphOp<"unpack", [], [], [], ["getBytes"]> {
  let summary = "The members of a bucket, as views";
  let arguments = (ins Dtc_FloatTensor:$bucket);
  let results = (outs Variadic<Dtc_FloatTensor>:$members);
}

#endif // DTC_IR_OPTIMIZEROPS_TD
