//===- LossOps.td - Losses with explicit divisor and scale ----*- tablegen -*-===//
//
// 1/N and the loss scale enter at the loss and nowhere else. A loss's value is
// divided by N (degree (0, 1)); only its gradient is multiplied by the scale
// (degree (1, 1)). Rows whose label is `ignore` contribute nothing; the loader
// gives absent samples that label, so pad rows are such rows, and labels that
// have pads have pads `fill`.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_LOSSOPS_TD
#define DTC_IR_LOSSOPS_TD

include "ir/DtcOpBase.td"

def Dtc_CountValidOp : Dtc_GraphOp<"count_valid"> {
  let summary = "How many labels are not `ignore`";
  let description = [{
    N, the divisor of a mean loss, comes from the labels of the whole step alone,
    so it is known before the first micro-batch.

    Constraints:
    - C1: the result is an i64 scalar.

    Layouts: R; a dimension split gives P(sum).

    Example:
    ```mlir
    #s = #dtc.layout<dp=2:S(0), pad(0:fill)>
    #p = #dtc.layout<dp=2:P(sum)>
    func.func @f(%l: tensor<7xi32, #s>) -> tensor<i64, #p> {
      %0 = dtc.count_valid %l {ignore = -100 : i64}
         : (tensor<7xi32, #s>) -> tensor<i64, #p>
      return %0 : tensor<i64, #p>
    }
    ```

    Lives: from import to the program.
  }];
  let arguments = (ins Dtc_IntTensor:$labels, I64Attr:$ignore);
  let results = (outs Dtc_IntTensor:$result);
}

//===-- Cross entropy -------------------------------------------------------===//

def Dtc_RowMaxOp : Dtc_GraphOp<"row_max"> {
  let summary = "Maximum over the last dimension; pads are skipped by global index";
  let description = [{
    Cross entropy, op 1 of 5.

    Constraints:
    - C1: the logits have a last dimension, the classes.
    - C2: the result has the shape of the rows and the element type of the logits.

    Layouts: R; rows split; classes split gives P(max).

    Example:
    ```mlir
    #s = #dtc.layout<tp=2:S(1), pad(1:zero)>
    #p = #dtc.layout<tp=2:P(max)>
    func.func @f(%z: tensor<7x3xf32, #s>) -> tensor<7xf32, #p> {
      %0 = dtc.row_max %z : (tensor<7x3xf32, #s>) -> tensor<7xf32, #p>
      return %0 : tensor<7xf32, #p>
    }
    ```

    Lives: from import to the program.
  }];
  let arguments = (ins Dtc_FloatTensor:$logits);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_SumExpOp : Dtc_GraphOp<"sum_exp"> {
  let summary = "Sum over the last dimension of exp(logits - max), pads skipped";
  let description = [{
    Cross entropy, op 2 of 5.

    Constraints:
    - C1: the logits have a last dimension, the classes.
    - C2: max and result have the shape of the rows and the element type of the
      logits.

    Layouts: R; rows split in both; classes split, max R, gives P(sum).

    Example:
    ```mlir
    func.func @f(%z: tensor<7x3xf32>, %max: tensor<7xf32>) -> tensor<7xf32> {
      %0 = dtc.sum_exp %z, %max
         : (tensor<7x3xf32>, tensor<7xf32>) -> tensor<7xf32>
      return %0 : tensor<7xf32>
    }
    ```

    Lives: from import to the program.
  }];
  let arguments = (ins Dtc_FloatTensor:$logits, Dtc_FloatTensor:$max,
                       OptionalAttr<TypeAttr>:$reduce_dtype);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_PickOp : Dtc_GraphOp<"pick"> {
  let summary = "logits[row, label[row]]; 0 where the label is `ignore` or elsewhere";
  let description = [{
    Cross entropy, op 3 of 5. A coordinate that does not hold the label's class
    gives 0.

    Constraints:
    - C1: the logits have a last dimension, the classes.
    - C2: labels have the shape of the rows.
    - C3: the result has the shape of the rows and the element type of the logits.

    Layouts: R; rows split in both; classes split, labels R, gives P(sum).

    Example:
    ```mlir
    func.func @f(%z: tensor<7x3xf32>, %l: tensor<7xi32>) -> tensor<7xf32> {
      %0 = dtc.pick %z, %l {ignore = -100 : i64}
         : (tensor<7x3xf32>, tensor<7xi32>) -> tensor<7xf32>
      return %0 : tensor<7xf32>
    }
    ```

    Lives: from import to the program.
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

    Constraints:
    - C1: max, sum and pick are one tensor type.
    - C2: labels have their shape.
    - C3: N is an i64 scalar, scale a scalar.
    - C4: the result is a scalar of the element type of max.

    Layouts: R; rows split in the first four, N and scale R, gives P(sum). A
    rank's own N, P(sum), is refused.

    Example:
    ```mlir
    func.func @f(%max: tensor<7xf32>, %sum: tensor<7xf32>, %pick: tensor<7xf32>,
                 %l: tensor<7xi32>, %n: tensor<i64>, %s: tensor<f32>)
        -> tensor<f32> {
      %0 = dtc.cross_entropy %max, %sum, %pick, %l, %n, %s {ignore = -100 : i64}
         : (tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xi32>,
            tensor<i64>, tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }
    ```

    Lives: from import to the program.
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

    Constraints:
    - C1: max and sum have the shape of the rows of the logits, and their element
      type.
    - C2: labels have the shape of the rows.
    - C3: N is an i64 scalar, scale a scalar.
    - C4: the result has the type of the logits.

    Layouts: R; rows split in the first four and the result; classes split in
    logits and result, the others R.

    Example:
    ```mlir
    func.func @f(%z: tensor<7x3xf32>, %max: tensor<7xf32>, %sum: tensor<7xf32>,
                 %l: tensor<7xi32>, %n: tensor<i64>, %s: tensor<f32>)
        -> tensor<7x3xf32> {
      %0 = dtc.cross_entropy_grad %z, %max, %sum, %l, %n, %s
         {ignore = -100 : i64}
         : (tensor<7x3xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xi32>,
            tensor<i64>, tensor<f32>) -> tensor<7x3xf32>
      return %0 : tensor<7x3xf32>
    }
    ```

    Lives: from differentiate to the program.
  }];
  let arguments = (ins Dtc_FloatTensor:$logits, Dtc_FloatTensor:$max,
                       Dtc_FloatTensor:$sum, Dtc_IntTensor:$labels,
                       Dtc_IntTensor:$N, Dtc_FloatTensor:$scale,
                       I64Attr:$ignore);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_CountCorrectOp : Dtc_GraphOp<"count_correct"> {
  let summary = "Valid rows whose label's logit is the row's maximum";
  let description = [{
    Constraints:
    - C1: max and pick are one tensor type.
    - C2: labels have their shape.
    - C3: the result is an i64 scalar.

    Layouts: R; rows split in all gives P(sum).

    Example:
    ```mlir
    func.func @f(%max: tensor<7xf32>, %pick: tensor<7xf32>, %l: tensor<7xi32>)
        -> tensor<i64> {
      %0 = dtc.count_correct %max, %pick, %l {ignore = -100 : i64}
         : (tensor<7xf32>, tensor<7xf32>, tensor<7xi32>) -> tensor<i64>
      return %0 : tensor<i64>
    }
    ```

    Lives: from import to the program, in evaluation.
  }];
  let arguments = (ins Dtc_FloatTensor:$max, Dtc_FloatTensor:$pick,
                       Dtc_IntTensor:$labels, I64Attr:$ignore);
  let results = (outs Dtc_IntTensor:$result);
}

//===-- Losses on rows of any shape -----------------------------------------===//

def Dtc_SquaredErrorOp : Dtc_GraphOp<"squared_error", [
    DeclareOpInterfaceMethods<Dtc_Loss>]> {
  let summary = "Sum over valid rows of the row's mean (prediction - target)^2, / N";
  let description = [{
    Constraints:
    - C1: prediction and target are one tensor type.
    - C2: labels have its leading dimensions, the rows.
    - C3: N is an i64 scalar, scale a scalar.
    - C4: the result is a scalar of the same element type.

    Layouts: R; a dimension split in both tensors (in the labels where they have
    it), N and scale R, gives P(sum).

    Example:
    ```mlir
    func.func @f(%p: tensor<7x3xf32>, %t: tensor<7x3xf32>, %l: tensor<7xi32>,
                 %n: tensor<i64>, %s: tensor<f32>) -> tensor<f32> {
      %0 = dtc.squared_error %p, %t, %l, %n, %s {ignore = -100 : i64}
         : (tensor<7x3xf32>, tensor<7x3xf32>, tensor<7xi32>, tensor<i64>,
            tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }
    ```

    Lives: from import to the program.
  }];
  let arguments = (ins Dtc_FloatTensor:$prediction, Dtc_FloatTensor:$target,
                       Dtc_IntTensor:$labels, Dtc_IntTensor:$N,
                       Dtc_FloatTensor:$scale, I64Attr:$ignore,
                       OptionalAttr<TypeAttr>:$reduce_dtype);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_SquaredErrorGradOp : Dtc_GraphOp<"squared_error_grad", [], [],
                                         ["getInPlaceOperand"]> {
  let summary = "scale / N * 2 (prediction - target) / row elements; pads zero";
  let description = [{
    Constraints:
    - C1: prediction and target are one tensor type.
    - C2: labels have its leading dimensions, the rows.
    - C3: N is an i64 scalar, scale a scalar.
    - C4: the result is as the prediction.

    Layouts: R; a dimension split in both tensors and the result (in the labels
    where they have it), N and scale R.

    Example:
    ```mlir
    func.func @f(%p: tensor<7x3xf32>, %t: tensor<7x3xf32>, %l: tensor<7xi32>,
                 %n: tensor<i64>, %s: tensor<f32>) -> tensor<7x3xf32> {
      %0 = dtc.squared_error_grad %p, %t, %l, %n, %s {ignore = -100 : i64}
         : (tensor<7x3xf32>, tensor<7x3xf32>, tensor<7xi32>, tensor<i64>,
            tensor<f32>) -> tensor<7x3xf32>
      return %0 : tensor<7x3xf32>
    }
    ```

    Lives: from differentiate to the program.
  }];
  let arguments = (ins Dtc_FloatTensor:$prediction, Dtc_FloatTensor:$target,
                       Dtc_IntTensor:$labels, Dtc_IntTensor:$N,
                       Dtc_FloatTensor:$scale, I64Attr:$ignore);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_LinearLossOp : Dtc_GraphOp<"linear_loss", [
    DeclareOpInterfaceMethods<Dtc_Loss>]> {
  let summary = "Sum over valid rows of the row's elements, divided by N";
  let description = [{
    Constraints:
    - C1: labels have leading dimensions of the input, the rows.
    - C2: N is an i64 scalar, scale a scalar.
    - C3: the result is a scalar of the input's element type.

    Layouts: R; a dimension split in the input (in the labels where they have
    it), N and scale R, gives P(sum).

    Example:
    ```mlir
    func.func @f(%x: tensor<7x3xf32>, %l: tensor<7xi32>, %n: tensor<i64>,
                 %s: tensor<f32>) -> tensor<f32> {
      %0 = dtc.linear_loss %x, %l, %n, %s {ignore = -100 : i64}
         : (tensor<7x3xf32>, tensor<7xi32>, tensor<i64>, tensor<f32>)
        -> tensor<f32>
      return %0 : tensor<f32>
    }
    ```

    Lives: from import to the program.
  }];
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

    Constraints:
    - C1: labels have leading dimensions of `like`, the rows.
    - C2: N is an i64 scalar, scale a scalar.
    - C3: the result is as `like`.

    Layouts: R; a dimension split in `like` and the result (in the labels where
    they have it), N and scale R.

    Example:
    ```mlir
    func.func @f(%x: tensor<7x3xf32>, %l: tensor<7xi32>, %n: tensor<i64>,
                 %s: tensor<f32>) -> tensor<7x3xf32> {
      %0 = dtc.linear_loss_grad %x, %l, %n, %s {ignore = -100 : i64}
         : (tensor<7x3xf32>, tensor<7xi32>, tensor<i64>, tensor<f32>)
        -> tensor<7x3xf32>
      return %0 : tensor<7x3xf32>
    }
    ```

    Lives: from differentiate to the program.
  }];
  let arguments = (ins Dtc_FloatTensor:$like, Dtc_IntTensor:$labels,
                       Dtc_IntTensor:$N, Dtc_FloatTensor:$scale,
                       I64Attr:$ignore);
  let results = (outs Dtc_FloatTensor:$result);
}

#endif // DTC_IR_LOSSOPS_TD
