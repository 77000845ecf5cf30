//===- VariableOps.td - What a step remembers and reports -----*- tablegen -*-===//
//
// Variables outlive the step. Each is read as it was when the step began and
// stored once, so the order of reads and stores in a step means nothing.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_VARIABLEOPS_TD
#define DTC_IR_VARIABLEOPS_TD

include "ir/DtcOpBase.td"

def Dtc_VariableOp : Dtc_Op<"variable", [Symbol]> {
  let summary = "A tensor that outlives the step";
  let description = [{
    `init` is a dictionary: kind = "zeros" | "ones" | "constant" (value) |
    "normal" (mean, std) | "uniform" (low, high) | "file" (path, tensor).
    A bucket lists its `members` (names of the variables it replaces) with their
    global types in `member_types`; its elements are theirs, packed. Reads may
    still name a member: the step graph keeps the model's variables.

    Constraints:
    - C1: `init` has one of these kinds and the numbers (path) that it needs.
    - C2: `role` is "parameter", "state" (of the optimizer) or "scalar" (step
      count, scale).
    - C3: a state, and no other, names its parameter in `of`.
    - C4: each of `members` is a name, with a static tensor in `member_types`.

    Example:
    ```mlir
    dtc.variable @up.weight : tensor<5x4xf32>
      {role = "parameter", decay = 0.25 : f64,
       init = {kind = "normal", mean = 0.0, std = 0.02}}
    dtc.variable @up.weight.m : tensor<5x4xf32>
      {role = "state", of = @up.weight, init = {kind = "zeros"}}
    ```

    Lives: from import or optimize-step to the program.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<Dtc_Tensor>:$type, DictionaryAttr:$init,
                       StrAttr:$role, OptionalAttr<FlatSymbolRefAttr>:$of,
                       OptionalAttr<ArrayAttr>:$members,
                       OptionalAttr<ArrayAttr>:$member_types,
                       DefaultValuedAttr<F64Attr, "0.0">:$decay,
                       DefaultValuedAttr<F64Attr, "1.0">:$rate,
                       UnitAttr:$frozen);
  let assemblyFormat = "$sym_name `:` $type attr-dict";
  let hasVerifier = 1;
}
def Dtc_ReadOp : Dtc_Op<"read", [MemoryEffects<[MemRead]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "The value that a variable had when the step began";
  let description = [{
    Constraints:
    - C1: the module has the variable, or a bucket with a member of that name.
    - C2: the result is the variable's tensor; where both have a layout, they
      have one.

    Example:
    ```mlir
    dtc.variable @dtc.step : tensor<i32>
      {role = "scalar", init = {kind = "zeros"}}
    func.func @f() -> tensor<i32> {
      %0 = dtc.read @dtc.step : tensor<i32>
      return %0 : tensor<i32>
    }
    ```

    Lives: from import to the program.
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable);
  let results = (outs Dtc_Tensor:$result);
  let assemblyFormat = "$variable attr-dict `:` type($result)";
}
def Dtc_StoreOp : Dtc_Op<"store", [MemoryEffects<[MemWrite]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "The value that a variable has after the step; once a step";
  let description = [{
    Constraints:
    - C1: as of `dtc.read`.
    - C2: as of `dtc.read`, of the value.

    Example:
    ```mlir
    dtc.variable @dtc.step : tensor<i32>
      {role = "scalar", init = {kind = "zeros"}}
    func.func @f(%next: tensor<i32>) {
      dtc.store %next, @dtc.step : tensor<i32>
      return
    }
    ```

    Lives: from optimize-step to the program.
  }];
  let arguments = (ins Dtc_Tensor:$value, FlatSymbolRefAttr:$variable);
  let assemblyFormat = "$value `,` $variable attr-dict `:` type($value)";
}
def Dtc_ReportOp : Dtc_Op<"report", [MemoryEffects<[MemWrite]>]> {
  let summary = "Publishes a scalar under a metric's name";
  let description = [{
    Constraints:
    - C1: the value is a scalar.

    Example:
    ```mlir
    func.func @f(%loss: tensor<f32>) {
      dtc.report %loss as "loss" : tensor<f32>
      return
    }
    ```

    Lives: from import or optimize-step to the program.
  }];
  let arguments = (ins Dtc_Tensor:$value, StrAttr:$metric);
  let assemblyFormat = "$value `as` $metric attr-dict `:` type($value)";
  let hasVerifier = 1;
}

#endif // DTC_IR_VARIABLEOPS_TD
