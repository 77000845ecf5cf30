//===- ComputeOps.td - Contractions, elementwise ops, sums ----*- tablegen -*-===//
//
// What a model's forward and backward graph computes. Ops are global and static;
// a layout in the types says which rank does which part. ShapeOps.td has the ops
// that only move elements.
//
// "Layouts" in a description lists the rules on one mesh axis, operands then
// results; the verifier holds types to them axis by axis, and to the pads.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_COMPUTEOPS_TD
#define DTC_IR_COMPUTEOPS_TD

include "ir/DtcOpBase.td"

//===-- Contractions --------------------------------------------------------===//

def Dtc_MatMulOp : Dtc_DifferentiableOp<"matmul", [], ["isContraction"]> {
  let summary = "Matrix product, either operand transposed";
  let description = [{
    result[m, n] = sum over k of lhs[m, k] * rhs[k, n], where `transpose_lhs`
    reads lhs as [k, m] and `transpose_rhs` reads rhs as [n, k].

    A linear layer is `x · Wᵀ`, its input gradient `dy · W` and its weight
    gradient `dyᵀ · x`: three matmuls that differ in these two attributes. Over
    an axis that splits k each coordinate has one addend of the result, which is
    then `P(sum)`; `reduce_dtype` is the type in which that sum is made.

    Constraints:
    - C1: operands and result have rank 2.
    - C2: the contracted dimensions are equal.
    - C3: the result is [m, n].
    - C4: operands and result have one element type.

    Layouts: all R; m split; n split; k split in both gives P(sum); one operand
    P(sum), the other R, gives P(sum). Where k has pads, one operand's are zero.

    Example:
    ```mlir
    #x = #dtc.layout<tp=2:S(1)>
    #p = #dtc.layout<tp=2:P(sum)>
    func.func @row_parallel(%x: tensor<7x4xf32, #x>, %w: tensor<6x4xf32, #x>)
        -> tensor<7x6xf32, #p> {
      %0 = dtc.matmul %x, %w {reduce_dtype = f32, transpose_rhs}
         : (tensor<7x4xf32, #x>, tensor<6x4xf32, #x>) -> tensor<7x6xf32, #p>
      return %0 : tensor<7x6xf32, #p>
    }
    ```

    Lives: from import or differentiate to the program.
  }];
  let arguments = (ins Dtc_FloatTensor:$lhs, Dtc_FloatTensor:$rhs,
                       UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs,
                       OptionalAttr<TypeAttr>:$reduce_dtype);
  let results = (outs Dtc_FloatTensor:$result);
}

def Dtc_ReduceSumOp : Dtc_DifferentiableOp<"reduce_sum"> {
  let summary = "Sum over the first or the last dimensions";
  let description = [{
    The result keeps the other dimensions in order.

    Constraints:
    - C1: `dims` lists the first or the last dimensions of the input, in order.
    - C2: the result has the shape of the kept dimensions and the element type
      of the input.

    Layouts: R; a kept dimension split; a summed one split gives P(sum); P(sum)
    stays. Pads of summed dimensions are zero.

    Example:
    ```mlir
    func.func @bias_gradient(%dy: tensor<7x5xf32>) -> tensor<5xf32> {
      %0 = dtc.reduce_sum %dy {dims = array<i64: 0>}
         : (tensor<7x5xf32>) -> tensor<5xf32>
      return %0 : tensor<5xf32>
    }
    ```

    Lives: from import or differentiate to the program.
  }];
  let arguments = (ins Dtc_FloatTensor:$input, DenseI64ArrayAttr:$dims,
                       OptionalAttr<TypeAttr>:$reduce_dtype);
  let results = (outs Dtc_FloatTensor:$result);
}

//===-- Elementwise ops -----------------------------------------------------===//

class Dtc_BinaryOp<string mnemonic>
    : Dtc_DifferentiableOp<mnemonic,
                           [DeclareOpInterfaceMethods<Dtc_ElementwiseOp>], [],
                           ["getInPlaceOperand"]> {
  let arguments = (ins Dtc_FloatTensor:$lhs, Dtc_FloatTensor:$rhs);
  let results = (outs Dtc_FloatTensor:$result);
}

def Dtc_AddOp : Dtc_BinaryOp<"add"> {
  let summary = "Elementwise sum; rhs is broadcast over leading dimensions";
  let description = [{
    Constraints:
    - C1: rhs has the trailing dimensions of lhs (a scalar has none); the result
      has the shape of lhs.
    - C2: operands and result have one element type.

    Layouts: R; a dimension split, in rhs too where rhs has it; both P(sum).

    Example:
    ```mlir
    func.func @bias(%x: tensor<7x5xf32>, %b: tensor<5xf32>) -> tensor<7x5xf32> {
      %0 = dtc.add %x, %b
         : (tensor<7x5xf32>, tensor<5xf32>) -> tensor<7x5xf32>
      return %0 : tensor<7x5xf32>
    }
    ```

    Lives: from import to the program.
  }];
}
def Dtc_SubOp : Dtc_BinaryOp<"sub"> {
  let summary = "Elementwise difference; rhs is broadcast over leading dimensions";
  let description = [{
    Constraints:
    - C1: as of `dtc.add`.
    - C2: as of `dtc.add`.

    Layouts: as of `dtc.add`.

    Example:
    ```mlir
    func.func @center(%x: tensor<7x5xf32>, %m: tensor<5xf32>) -> tensor<7x5xf32> {
      %0 = dtc.sub %x, %m
         : (tensor<7x5xf32>, tensor<5xf32>) -> tensor<7x5xf32>
      return %0 : tensor<7x5xf32>
    }
    ```

    Lives: from import to the program.
  }];
}
def Dtc_MulOp : Dtc_BinaryOp<"mul"> {
  let summary = "Elementwise product; rhs is broadcast over leading dimensions";
  let description = [{
    Constraints:
    - C1: as of `dtc.add`.
    - C2: as of `dtc.add`.

    Layouts: R; a dimension split as in `dtc.add`; one operand P(sum), the other
    R. A product of two partial values is no sum of products.

    Example:
    ```mlir
    #p = #dtc.layout<tp=2:P(sum)>
    #r = #dtc.layout<tp=2:R>
    func.func @scale(%x: tensor<7x5xf32, #p>, %s: tensor<f32, #r>)
        -> tensor<7x5xf32, #p> {
      %0 = dtc.mul %x, %s
         : (tensor<7x5xf32, #p>, tensor<f32, #r>) -> tensor<7x5xf32, #p>
      return %0 : tensor<7x5xf32, #p>
    }
    ```

    Lives: from import or differentiate to the program.
  }];
}

class Dtc_UnaryOp<string mnemonic, list<Trait> traits = []>
    : Dtc_DifferentiableOp<mnemonic, traits, [], ["getInPlaceOperand"]> {
  let arguments = (ins Dtc_FloatTensor:$input);
  let results = (outs Dtc_FloatTensor:$result);
}

def Dtc_ReluOp : Dtc_UnaryOp<"relu", [
    DeclareOpInterfaceMethods<Dtc_ElementwiseOp>]> {
  let summary = "max(input, 0); a NaN stays NaN";
  let description = [{
    Constraints:
    - C1: input and result are one tensor type.

    Layouts: R; a dimension split.

    Example:
    ```mlir
    func.func @f(%x: tensor<7x5xf32>) -> tensor<7x5xf32> {
      %0 = dtc.relu %x : (tensor<7x5xf32>) -> tensor<7x5xf32>
      return %0 : tensor<7x5xf32>
    }
    ```

    Lives: from import to the program.
  }];
}
def Dtc_ReluGradOp : Dtc_GraphOp<"relu_grad", [
    DeclareOpInterfaceMethods<Dtc_ElementwiseOp>], [], ["getInPlaceOperand"]> {
  let summary = "Cotangent of relu's input from relu's result; 0 where that is 0";
  let description = [{
    `output` is relu's result, so that its input need not be kept; the derivative
    at 0 is 0.

    Constraints:
    - C1: both operands and the result are one tensor type.

    Layouts: R; a dimension split.

    Example:
    ```mlir
    func.func @f(%dy: tensor<7x5xf32>, %y: tensor<7x5xf32>) -> tensor<7x5xf32> {
      %0 = dtc.relu_grad %dy, %y
         : (tensor<7x5xf32>, tensor<7x5xf32>) -> tensor<7x5xf32>
      return %0 : tensor<7x5xf32>
    }
    ```

    Lives: from differentiate to the program.
  }];
  let arguments = (ins Dtc_FloatTensor:$cotangent, Dtc_FloatTensor:$output);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_CastOp : Dtc_UnaryOp<"cast", [
    DeclareOpInterfaceMethods<Dtc_ElementwiseOp>]> {
  let summary = "The same values in another element type (round to nearest even)";
  let description = [{
    Constraints:
    - C1: input and result have one shape.

    Layouts: R; a dimension split; P(sum) only to a wider type, since a sum of
    rounded addends is not the rounded sum.

    Example:
    ```mlir
    func.func @f(%x: tensor<7x5xf32>) -> tensor<7x5xbf16> {
      %0 = dtc.cast %x : (tensor<7x5xf32>) -> tensor<7x5xbf16>
      return %0 : tensor<7x5xbf16>
    }
    ```

    Lives: from precision to the program.
  }];
}
def Dtc_MaskPadsOp : Dtc_UnaryOp<"mask_pads"> {
  let summary = "The input with its pads set to zero";
  let description = [{
    Constraints:
    - C1: input and result are one tensor type.

    Layouts: R; a dimension split; P(sum). All pads of the result are zero.

    Example:
    ```mlir
    #any  = #dtc.layout<dp=2:S(0), pad(0:any)>
    #zero = #dtc.layout<dp=2:S(0), pad(0:zero)>
    func.func @f(%x: tensor<7x5xf32, #any>) -> tensor<7x5xf32, #zero> {
      %0 = dtc.mask_pads %x : (tensor<7x5xf32, #any>) -> tensor<7x5xf32, #zero>
      return %0 : tensor<7x5xf32, #zero>
    }
    ```

    Lives: from assign-layouts to the program.
  }];
}

//===-- Sums ----------------------------------------------------------------===//

def Dtc_SumOp : Dtc_DifferentiableOp<"sum", [],
                                     ["joinsStages", "describeOperand"],
                                     ["getInPlaceOperand"]> {
  let summary = "N-ary sum, each operand a term";
  let description = [{
    `terms[i]` is the set of contribution names that operand i carries; the
    result carries their union. A chain of binary adds could not be regrouped by
    stages, and would not say that a term is missing.

    Constraints:
    - C1: there are operands; all and the result are one tensor type.
    - C2: `terms` has one set of names for each operand; the sets are disjoint.

    Layouts: all R; a dimension split in all; all P(sum). On `pp` operands may
    lie on different stages; the result is then P(sum) over their union.

    Example:
    ```mlir
    func.func @cotangent(%a: tensor<7x4xf32>, %b: tensor<7x4xf32>)
        -> tensor<7x4xf32> {
      %0 = dtc.sum %a, %b {terms = [["h0/skip"], ["h0/up"]]}
         : (tensor<7x4xf32>, tensor<7x4xf32>) -> tensor<7x4xf32>
      return %0 : tensor<7x4xf32>
    }
    ```

    Lives: from differentiate or optimize-step to the program.
  }];
  let arguments = (ins Variadic<Dtc_FloatTensor>:$inputs,
                       ArrayAttr:$terms);
  let results = (outs Dtc_FloatTensor:$result);
}

#endif // DTC_IR_COMPUTEOPS_TD
