//===- ComputeOps.td - Contractions, elementwise ops, shapes --*- tablegen -*-===//
//
// The ops that make up a model's forward and backward graph. All are global and
// static; a layout in the types says which rank does which part.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_COMPUTEOPS_TD
#define DTC_IR_COMPUTEOPS_TD

include "ir/DtcOpBase.td"

def Dtc_MatMulOp : Dtc_DifferentiableOp<"matmul", [], ["isContraction"]> {
  let summary = "Matrix product, either operand transposed";
  let description = [{
    result[m, n] = sum over k of lhs[m, k] * rhs[k, n], where `transpose_lhs`
    reads lhs as [k, m] and `transpose_rhs` reads rhs as [n, k].

    Constraints:
    - C1: operands and result have rank 2.
    - C2: the contracted dimensions are equal.
    - C3: the result is [m, n].
    - C4: operands and result have one element type.
    - C5: over an axis: all R; m split; n split; the contracted dimension split
      in both, result P(sum); one operand P(sum), the other R, result P(sum).
    - C6: a padded contracted dimension has pads zero in one operand.
  }];
  let arguments = (ins Dtc_FloatTensor:$lhs, Dtc_FloatTensor:$rhs,
                       UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs,
                       OptionalAttr<TypeAttr>:$reduce_dtype);
  let results = (outs Dtc_FloatTensor:$result);
}

class Dtc_BinaryOp<string mnemonic>
    : Dtc_DifferentiableOp<mnemonic,
                           [DeclareOpInterfaceMethods<Dtc_ElementwiseOp>], [],
                           ["getInPlaceOperand"]> {
  let arguments = (ins Dtc_FloatTensor:$lhs, Dtc_FloatTensor:$rhs);
  let results = (outs Dtc_FloatTensor:$result);
}
// Broadcast of the three binary ops: rhs has the trailing dimensions of lhs
// (a scalar has none); the result has the shape of lhs. C1: that; C2: one
// element type.
def Dtc_AddOp : Dtc_BinaryOp<"add"> {
  let summary = "Elementwise sum; rhs is broadcast over leading dimensions";
}
def Dtc_SubOp : Dtc_BinaryOp<"sub"> {
  let summary = "Elementwise difference; rhs is broadcast over leading dimensions";
}
def Dtc_MulOp : Dtc_BinaryOp<"mul"> {
  let summary = "Elementwise product; rhs is broadcast over leading dimensions";
}

class Dtc_UnaryOp<string mnemonic, list<Trait> traits = []>
    : Dtc_DifferentiableOp<mnemonic, traits, [], ["getInPlaceOperand"]> {
  let arguments = (ins Dtc_FloatTensor:$input);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_ReluOp : Dtc_UnaryOp<"relu", [
    DeclareOpInterfaceMethods<Dtc_ElementwiseOp>]> {
  let summary = "max(input, 0); a NaN stays NaN";
}
def Dtc_ReluGradOp : Dtc_GraphOp<"relu_grad", [
    DeclareOpInterfaceMethods<Dtc_ElementwiseOp>], [], ["getInPlaceOperand"]> {
  let summary = "Cotangent of relu's input from relu's result; 0 where that is 0";
  let arguments = (ins Dtc_FloatTensor:$cotangent, Dtc_FloatTensor:$output);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_CastOp : Dtc_UnaryOp<"cast", [
    DeclareOpInterfaceMethods<Dtc_ElementwiseOp>]> {
  let summary = "The same values in another element type (round to nearest even)";
}
def Dtc_ReduceSumOp : Dtc_DifferentiableOp<"reduce_sum"> {
  let summary = "Sum over the listed dimensions";
  let description = [{
    The result keeps the other dimensions in order.

    Constraints:
    - C1: `dims` is increasing and within the rank.
    - C2: the result's shape is that of the kept dimensions.
    - C3: over an axis: a kept dimension split; a summed one split, result
      P(sum); P(sum) stays.
    - C4: a padded summed dimension has pads zero.
  }];
  let arguments = (ins Dtc_FloatTensor:$input, DenseI64ArrayAttr:$dims,
                       OptionalAttr<TypeAttr>:$reduce_dtype);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_BroadcastOp : Dtc_DifferentiableOp<"broadcast"> {
  let summary = "Repeat along new dimensions; dims[i] is where dimension i goes";
  let arguments = (ins Dtc_FloatTensor:$input, DenseI64ArrayAttr:$dims);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_ReshapeOp : Dtc_DifferentiableOp<"reshape"> {
  let summary = "The same elements in row-major order under another shape";
  let arguments = (ins Dtc_Tensor:$input);
  let results = (outs Dtc_Tensor:$result);
}
def Dtc_TransposeOp : Dtc_DifferentiableOp<"transpose"> {
  let summary = "Dimension i of the result is dimension permutation[i] of the input";
  let arguments = (ins Dtc_Tensor:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs Dtc_Tensor:$result);
}
def Dtc_SliceOp : Dtc_DifferentiableOp<"slice"> {
  let summary = "A box of the input: starts[i] <= index < starts[i] + result size";
  let arguments = (ins Dtc_Tensor:$input, DenseI64ArrayAttr:$starts);
  let results = (outs Dtc_Tensor:$result);
}
def Dtc_PadOp : Dtc_DifferentiableOp<"pad"> {
  let summary = "The input at offset starts in a tensor of zeros (transpose of slice)";
  let arguments = (ins Dtc_FloatTensor:$input, DenseI64ArrayAttr:$starts);
  let results = (outs Dtc_FloatTensor:$result);
}
def Dtc_ConstantOp : Dtc_GraphOp<"constant"> {
  let summary = "A tensor known at compile time, R on every axis";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Dtc_Tensor:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
}
def Dtc_SumOp : Dtc_DifferentiableOp<"sum", [],
                                      ["joinsStages", "describeOperand"],
                                      ["getInPlaceOperand"]> {
  let summary = "N-ary sum, each operand a term";
  let description = [{
    `terms[i]` is the set of contribution names that operand i carries; the
    result carries their union.

    Constraints:
    - C1: operands and result have one type up to the encoding.
    - C2: `terms` has one entry an operand, and the sets are disjoint.
    - C3: over an axis: all in one linear state. Operands on different stages
      make a result partial over the union of the stages.
  }];
  let arguments = (ins Variadic<Dtc_FloatTensor>:$inputs,
                       ArrayAttr:$terms);
  let results = (outs Dtc_FloatTensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, results)
  }];
}
def Dtc_MaskPadsOp : Dtc_UnaryOp<"mask_pads"> {
  let summary = "The input with its pads set to zero (made by assign-layouts)";
}

#endif // DTC_IR_COMPUTEOPS_TD
