//===- OptimizerOps.td - The tail of the step -----------------*- tablegen -*-===//
//
// Flag, unscale, norm, clip, update, scale, in this order. A step with any flag
// bit stores the old values: skipping is a select inside the update.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_OPTIMIZEROPS_TD
#define DTC_IR_OPTIMIZEROPS_TD

include "ir/DtcOpBase.td"

//===-- Flag ----------------------------------------------------------------===//

def Dtc_NonfiniteBitOp : Dtc_GraphOp<"nonfinite_bit"> {
  let summary = "1 if any element is NaN or infinite, else 0";
  let description = [{
    Judged on reduced, still scaled gradients.

    Constraints:
    - C1: the result is an i32 scalar.

    Layouts: R; a dimension split, or X, gives P(or).

    Example:
    ```mlir
    func.func @f(%g: tensor<5x4xf32>) -> tensor<i32> {
      %0 = dtc.nonfinite_bit %g : (tensor<5x4xf32>) -> tensor<i32>
      return %0 : tensor<i32>
    }
    ```

    Lives: from optimize-step to the program.
  }];
  let arguments = (ins Dtc_FloatTensor:$input);
  let results = (outs Dtc_IntTensor:$result);
}
def Dtc_EmptyBitOp : Dtc_GraphOp<"empty_bit"> {
  let summary = "2 if count is 0, else 0";
  let description = [{
    Constraints:
    - C1: count is an i64 scalar.
    - C2: the result is an i32 scalar.

    Layouts: R.

    Example:
    ```mlir
    func.func @f(%n: tensor<i64>) -> tensor<i32> {
      %0 = dtc.empty_bit %n : (tensor<i64>) -> tensor<i32>
      return %0 : tensor<i32>
    }
    ```

    Lives: from optimize-step to the program.
  }];
  let arguments = (ins Dtc_IntTensor:$count);
  let results = (outs Dtc_IntTensor:$result);
}
def Dtc_OrOp : Dtc_GraphOp<"or", [], ["joinsStages", "describeOperand"]> {
  let summary = "N-ary bitwise or, each operand a term";
  let description = [{
    Constraints:
    - C1: there are operands; all and the result are i32 scalars.
    - C2: `terms` has one set of names for each operand (or is idempotent, so
      they need not be disjoint).

    Layouts: all R; all P(or). On `pp` operands may lie on different stages; the
    result is then P(or) over their union.

    Example:
    ```mlir
    func.func @f(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
      %0 = dtc.or %a, %b {terms = [["in.weight"], ["N"]]}
         : (tensor<i32>, tensor<i32>) -> tensor<i32>
      return %0 : tensor<i32>
    }
    ```

    Lives: from optimize-step to the program.
  }];
  let arguments = (ins Variadic<Dtc_IntTensor>:$inputs, ArrayAttr:$terms);
  let results = (outs Dtc_IntTensor:$result);
}

//===-- Norm and factors ----------------------------------------------------===//

def Dtc_UnscaleOp : Dtc_GraphOp<"unscale", [
    DeclareOpInterfaceMethods<Dtc_ElementwiseOp>], [], ["getInPlaceOperand"]> {
  let summary = "input / scale; degree in scale falls by one";
  let description = [{
    Constraints:
    - C1: scale is a scalar.
    - C2: input and result are one tensor type.

    Layouts: R; a dimension split, or X, in input and result, scale R.

    Example:
    ```mlir
    func.func @f(%g: tensor<5x4xf32>, %s: tensor<f32>) -> tensor<5x4xf32> {
      %0 = dtc.unscale %g, %s
         : (tensor<5x4xf32>, tensor<f32>) -> tensor<5x4xf32>
      return %0 : tensor<5x4xf32>
    }
    ```

    Lives: from optimize-step to the program.
  }];
  let arguments = (ins Dtc_FloatTensor:$input, Dtc_FloatTensor:$scale);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_SumSquaresOp : Dtc_GraphOp<"sum_squares"> {
  let summary = "Sum of squares of all elements";
  let description = [{
    Constraints:
    - C1: the result is an f32 scalar.

    Layouts: R; a dimension split, or X, gives P(sum). Pads are zero.

    Example:
    ```mlir
    func.func @f(%g: tensor<5x4xf32>) -> tensor<f32> {
      %0 = dtc.sum_squares %g : (tensor<5x4xf32>) -> tensor<f32>
      return %0 : tensor<f32>
    }
    ```

    Lives: from optimize-step to the program.
  }];
  let arguments = (ins Dtc_FloatTensor:$input,
                       OptionalAttr<TypeAttr>:$reduce_dtype);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_SqrtOp : Dtc_GraphOp<"sqrt", [
    DeclareOpInterfaceMethods<Dtc_ElementwiseOp>]> {
  let summary = "Square root; of the sum of squares: the global norm";
  let description = [{
    Constraints:
    - C1: input and result are one tensor type.

    Layouts: R; a dimension split.

    Example:
    ```mlir
    func.func @f(%sq: tensor<f32>) -> tensor<f32> {
      %0 = dtc.sqrt %sq : (tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }
    ```

    Lives: from optimize-step to the program.
  }];
  let arguments = (ins Dtc_FloatTensor:$input);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_ClipFactorOp : Dtc_GraphOp<"clip_factor"> {
  let summary = "min(1, max_norm / sqrt(sum of squares)); degree (0, 0)";
  let description = [{
    Constraints:
    - C1: sum_squares and the result are f32 scalars.
    - C2: max_norm > 0.

    Layouts: R.

    Example:
    ```mlir
    func.func @f(%sq: tensor<f32>) -> tensor<f32> {
      %0 = dtc.clip_factor %sq {max_norm = 3.0 : f64}
         : (tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }
    ```

    Lives: from optimize-step to the program.
  }];
  let arguments = (ins Dtc_FloatTensor:$sum_squares, F64Attr:$max_norm);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_LearningRateOp : Dtc_GraphOp<"learning_rate"> {
  let summary = "The rate of the step after `step` applied ones; constant `peak`";
  let description = [{
    Constraints:
    - C1: step is an i32 scalar, the result an f32 scalar.
    - C2: peak is a number, 0 or more.

    Layouts: R.

    Example:
    ```mlir
    func.func @f(%t: tensor<i32>) -> tensor<f32> {
      %0 = dtc.learning_rate %t {peak = 0.125 : f64}
         : (tensor<i32>) -> tensor<f32>
      return %0 : tensor<f32>
    }
    ```

    Lives: from optimize-step to the program.
  }];
  let arguments = (ins Dtc_IntTensor:$step, F64Attr:$peak);
  let results = (outs Dtc_FloatTensor:$result);
}

//===-- Updates -------------------------------------------------------------===//

// An update of one variable or bucket. `decays` and `rates` hold for segments
// of `segment_lengths` elements each, in order (one segment: all elements, and
// its length is not read; lengths are those one coordinate of the split axes
// holds). flag != 0 gives the old values back.
def Dtc_SgdOp : Dtc_GraphOp<"sgd", [], [], ["getInPlaceOperandFor"]> {
  let summary = "b = mu b + factor g + decay p; p -= lr rate b";
  let description = [{
    g = factor * gradient + decay * p; b = momentum * b + g; p = p - lr * rate * b.
    Source: Sutskever et al. 2013, in the form b = mu b + g.

    Constraints:
    - C1: value, momentum_state, gradient and the results are one tensor type.
    - C2: factor and learning_rate are f32 scalars, flag an i32 scalar.
    - C3: 0 <= momentum < 1; both states are there if and only if it is not 0.
    - C4: segment_lengths, decays and rates are equally long; several segments
      fill a one-dimensional value.

    Layouts: R; all tensors split alike, or X, the scalars R.

    Example:
    ```mlir
    func.func @f(%p: tensor<5x4xf32>, %g: tensor<5x4xf32>, %c: tensor<f32>,
                 %flag: tensor<i32>, %lr: tensor<f32>) -> tensor<5x4xf32> {
      %0 = dtc.sgd %p, %g, %c, %flag, %lr
         {momentum = 0.0 : f64, segment_lengths = array<i64: 20>,
          decays = array<f64: 0.25>, rates = array<f64: 1.0>}
         : (tensor<5x4xf32>, tensor<5x4xf32>, tensor<f32>, tensor<i32>,
            tensor<f32>) -> tensor<5x4xf32>
      return %0 : tensor<5x4xf32>
    }
    ```

    Lives: from optimize-step to the program.
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

    Constraints:
    - C1: value, both moments, gradient and the results are one tensor type.
    - C2: factor and learning_rate are f32 scalars, flag and step i32 scalars.
    - C3: 0 <= beta1 < 1, 0 <= beta2 < 1, eps >= 0.
    - C4: as of `dtc.sgd`.

    Layouts: as of `dtc.sgd`.

    Example:
    ```mlir
    func.func @f(%p: tensor<5xf32>, %m: tensor<5xf32>, %v: tensor<5xf32>,
                 %g: tensor<5xf32>, %c: tensor<f32>, %flag: tensor<i32>,
                 %lr: tensor<f32>, %t: tensor<i32>) -> tensor<5xf32> {
      %0:3 = dtc.adamw %p, %m, %v, %g, %c, %flag, %lr, %t
         {beta1 = 0.5 : f64, beta2 = 0.75 : f64, eps = 0.125 : f64,
          segment_lengths = array<i64: 3, 2>, decays = array<f64: 0.25, 0.0>,
          rates = array<f64: 1.0, 1.0>}
         : (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>,
            tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>)
        -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>)
      return %0#0 : tensor<5xf32>
    }
    ```

    Lives: from optimize-step to the program.
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

    Constraints:
    - C1: step, good, flag and the new counts are i32 scalars, both scales f32.
    - C2: growth_interval >= 0, growth >= 1, 0 < backoff <= 1.

    Layouts: R.

    Example:
    ```mlir
    func.func @f(%t: tensor<i32>, %s: tensor<f32>, %good: tensor<i32>,
                 %flag: tensor<i32>) -> tensor<f32> {
      %0:3 = dtc.advance %t, %s, %good, %flag
         {growth_interval = 2 : i64, growth = 2.0 : f64, backoff = 0.5 : f64}
         : (tensor<i32>, tensor<f32>, tensor<i32>, tensor<i32>)
        -> (tensor<i32>, tensor<f32>, tensor<i32>)
      return %0#1 : tensor<f32>
    }
    ```

    Lives: from optimize-step to the program.
  }];
  let arguments = (ins Dtc_IntTensor:$step, Dtc_FloatTensor:$scale,
                       Dtc_IntTensor:$good, Dtc_IntTensor:$flag,
                       I64Attr:$growth_interval, F64Attr:$growth,
                       F64Attr:$backoff);
  let results = (outs Dtc_IntTensor:$new_step, Dtc_FloatTensor:$new_scale,
                      Dtc_IntTensor:$new_good);
}

//===-- Buckets -------------------------------------------------------------===//

def Dtc_PackOp : Dtc_GraphOp<"pack", [], ["describeOperand"], [],
                             ["getBytes"]> {
  let summary = "Members of a bucket, flattened one after another (1-D)";
  let description = [{
    The length is what one coordinate of the split axes packs: each member's
    padded local elements (pads over the split axes included, all zero).

    Constraints:
    - C1: there are members; all have the element type of the bucket.
    - C2: the result is [elements that one coordinate packs].

    Layouts: all R; all P(sum); each split over a dimension of its own gives X.
    Over `mb` only R: gradients are accumulated first.

    Example:
    ```mlir
    #s = #dtc.layout<tp=2:S(0), pad(0:zero)>
    #x = #dtc.layout<tp=2:X>
    func.func @f(%w: tensor<5x4xf32, #s>, %b: tensor<5xf32, #s>)
        -> tensor<15xf32, #x> {
      %0 = dtc.pack %w, %b {bucket = "b0.split"}
         : (tensor<5x4xf32, #s>, tensor<5xf32, #s>) -> tensor<15xf32, #x>
      return %0 : tensor<15xf32, #x>
    }
    ```

    Lives: from form-buckets to the program.
  }];
  let arguments = (ins Variadic<Dtc_FloatTensor>:$members, StrAttr:$bucket);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_UnpackOp : Dtc_GraphOp<"unpack", [], [], [], ["getBytes"]> {
  let summary = "The members of a bucket, as views";
  let description = [{
    Constraints:
    - C1: there are members; all have the element type of the bucket.
    - C2: the bucket is [elements that one coordinate packs].

    Layouts: all R; X gives a split of each member over a dimension of its own.

    Example:
    ```mlir
    func.func @f(%b: tensor<25xf32>) -> tensor<5x4xf32> {
      %0:2 = dtc.unpack %b : (tensor<25xf32>) -> (tensor<5x4xf32>, tensor<5xf32>)
      return %0#0 : tensor<5x4xf32>
    }
    ```

    Lives: from form-buckets to the program.
  }];
  let arguments = (ins Dtc_FloatTensor:$bucket);
  let results = (outs Variadic<Dtc_FloatTensor>:$members);
}

#endif // DTC_IR_OPTIMIZEROPS_TD
