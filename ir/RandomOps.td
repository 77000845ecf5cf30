//===- RandomOps.td - Ops that draw random numbers ------------*- tablegen -*-===//
//
// Randomness is a pure function of (seed, name, step, global index), so an op
// that draws is pure too: clones share `key` and give the same numbers.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_RANDOMOPS_TD
#define DTC_IR_RANDOMOPS_TD

include "ir/DtcOpBase.td"

def Dtc_DropoutOp : Dtc_DifferentiableOp<"dropout", [
    DeclareOpInterfaceMethods<Dtc_ElementwiseOp, ["needsIndex"]>], [],
    ["getInPlaceOperand"]> {
  let summary = "input / (1 - rate) where the random number is >= rate, else 0";
  let description = [{
    The random number of an element is uniform in [0, 1), drawn by Philox with
    key hash(seed, `key`), the step, and the element's linear index in the
    global tensor of the whole step. Linear in its input, so its gradient is
    itself with the same key.

    Constraints:
    - C1: 0 <= rate < 1.
    - C2: input and result are one tensor type.

    Layouts: R; a dimension split; P(sum).

    Example:
    ```mlir
    func.func @f(%x: tensor<7x5xf32>) -> tensor<7x5xf32> {
      %0 = dtc.dropout %x {key = "h.0.drop", rate = 1.0e-01 : f64}
         : (tensor<7x5xf32>) -> tensor<7x5xf32>
      return %0 : tensor<7x5xf32>
    }
    ```

    Lives: from import to the program.
  }];
  let arguments = (ins Dtc_FloatTensor:$input, F64Attr:$rate, StrAttr:$key);
  let results = (outs Dtc_FloatTensor:$result);
}

#endif // DTC_IR_RANDOMOPS_TD
