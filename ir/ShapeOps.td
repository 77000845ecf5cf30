//===- ShapeOps.td - Ops that only move elements --------------*- tablegen -*-===//
//
// The dialect has its own, since builtin ops drop or ignore the encoding of a
// tensor. All are linear, so a partial value passes.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_SHAPEOPS_TD
#define DTC_IR_SHAPEOPS_TD

include "ir/DtcOpBase.td"

def Dtc_BroadcastOp : Dtc_DifferentiableOp<"broadcast"> {
  let summary = "Repeat along new dimensions; dims[i] is where dimension i goes";
  let description = [{
    Constraints:
    - C1: `dims` has one entry for each dimension of the input, increasing and
      within the rank of the result.
    - C2: the result has the input's sizes there, and its element type.

    Layouts: R; a dimension of the input split, and so the result's; R in, a new
    dimension split in the result; P(sum).

    Example:
    ```mlir
    func.func @f(%x: tensor<5xf32>) -> tensor<7x5xf32> {
      %0 = dtc.broadcast %x {dims = array<i64: 1>}
         : (tensor<5xf32>) -> tensor<7x5xf32>
      return %0 : tensor<7x5xf32>
    }
    ```

    Lives: from import or differentiate to the program.
  }];
  let arguments = (ins Dtc_FloatTensor:$input, DenseI64ArrayAttr:$dims);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_ReshapeOp : Dtc_DifferentiableOp<"reshape"> {
  let summary = "The same elements in row-major order under another shape";
  let description = [{
    Constraints:
    - C1: input and result have equally many elements.
    - C2: they have one element type.

    Layouts: R; a split of a dimension that both have (equal size, equally many
    elements before it); P(sum).

    Example:
    ```mlir
    #r = #dtc.layout<dp=2:S(0)>
    func.func @flatten(%x: tensor<6x4x3xf32, #r>) -> tensor<6x12xf32, #r> {
      %0 = dtc.reshape %x : (tensor<6x4x3xf32, #r>) -> tensor<6x12xf32, #r>
      return %0 : tensor<6x12xf32, #r>
    }
    ```

    Lives: from import to the program.
  }];
  let arguments = (ins Dtc_Tensor:$input);
  let results = (outs Dtc_Tensor:$result);
}
def Dtc_TransposeOp : Dtc_DifferentiableOp<"transpose"> {
  let summary = "Dimension i of the result is dimension permutation[i] of the input";
  let description = [{
    Constraints:
    - C1: `permutation` lists each dimension of the input once.
    - C2: the result has the permuted shape and the input's element type.

    Layouts: R; a dimension split, and its image in the result; P(sum).

    Example:
    ```mlir
    func.func @f(%x: tensor<7x5xf32>) -> tensor<5x7xf32> {
      %0 = dtc.transpose %x {permutation = array<i64: 1, 0>}
         : (tensor<7x5xf32>) -> tensor<5x7xf32>
      return %0 : tensor<5x7xf32>
    }
    ```

    Lives: from import to the program.
  }];
  let arguments = (ins Dtc_Tensor:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs Dtc_Tensor:$result);
}
def Dtc_SliceOp : Dtc_DifferentiableOp<"slice"> {
  let summary = "A box of the input: starts[i] <= index < starts[i] + result size";
  let description = [{
    Constraints:
    - C1: the result has the rank of the input, `starts` one entry a dimension,
      and the box lies within the input.
    - C2: input and result have one element type.

    Layouts: R; a dimension split that the box takes whole; P(sum).

    Example:
    ```mlir
    func.func @f(%x: tensor<7x5xf32>) -> tensor<7x2xf32> {
      %0 = dtc.slice %x {starts = array<i64: 0, 3>}
         : (tensor<7x5xf32>) -> tensor<7x2xf32>
      return %0 : tensor<7x2xf32>
    }
    ```

    Lives: from import to the program.
  }];
  let arguments = (ins Dtc_Tensor:$input, DenseI64ArrayAttr:$starts);
  let results = (outs Dtc_Tensor:$result);
}
def Dtc_PadOp : Dtc_DifferentiableOp<"pad"> {
  let summary = "The input at offset starts in a tensor of zeros (transpose of slice)";
  let description = [{
    Constraints:
    - C1: the result has the rank of the input, `starts` one entry a dimension,
      and the input's box lies within the result.
    - C2: input and result have one element type.

    Layouts: R; a dimension split that the input fills; P(sum).

    Example:
    ```mlir
    func.func @f(%dy: tensor<7x2xf32>) -> tensor<7x5xf32> {
      %0 = dtc.pad %dy {starts = array<i64: 0, 3>}
         : (tensor<7x2xf32>) -> tensor<7x5xf32>
      return %0 : tensor<7x5xf32>
    }
    ```

    Lives: from differentiate to the program.
  }];
  let arguments = (ins Dtc_FloatTensor:$input, DenseI64ArrayAttr:$starts);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_ConstantOp : Dtc_GraphOp<"constant"> {
  let summary = "A tensor known at compile time, R on every axis";
  let description = [{
    Constraints:
    - C1: the result has the shape and element type of the value.

    Layouts: R.

    Example:
    ```mlir
    func.func @one() -> tensor<i64> {
      %0 = dtc.constant dense<1> : tensor<i64> : tensor<i64>
      return %0 : tensor<i64>
    }
    ```

    Lives: from import or differentiate to the program.
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Dtc_Tensor:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
}

#endif // DTC_IR_SHAPEOPS_TD
