//===- PipelineOps.td - Variables, tasks, buffers, schedules --*- tablegen -*-===//
//
// What a step remembers and in which order a rank does its parts. Variables
// outlive the step; buffers outlive a task; a schedule calls tasks.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_PIPELINEOPS_TD
#define DTC_IR_PIPELINEOPS_TD

include "ir/DtcOpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Dtc_VariableOp : Dtc_Op<"variable", [Symbol]> {
  let summary = "A tensor that outlives the step";
  let description = [{
    `init` is a dictionary: kind = "zeros" | "ones" | "constant" (value) |
    "normal" (mean, std) | "uniform" (low, high) | "file" (path, tensor).
    A bucket lists its `members` (names of the variables it replaces) with their
    global types in `member_types`; its elements are theirs, packed.
    `role`: "parameter", "state" (optimizer; `of` names the parameter),
    "scalar" (step count, scale ...).
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
  let arguments = (ins FlatSymbolRefAttr:$variable);
  let results = (outs Dtc_Tensor:$result);
  let assemblyFormat = "$variable attr-dict `:` type($result)";
}
def Dtc_StoreOp : Dtc_Op<"store", [MemoryEffects<[MemWrite]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "The value that a variable has after the step; once a step";
  let arguments = (ins Dtc_Tensor:$value, FlatSymbolRefAttr:$variable);
  let assemblyFormat = "$value `,` $variable attr-dict `:` type($value)";
}
def Dtc_ReportOp : Dtc_Op<"report", [MemoryEffects<[MemWrite]>]> {
  let summary = "Publishes a scalar under a metric's name";
  let arguments = (ins Dtc_Tensor:$value, StrAttr:$metric);
  let assemblyFormat = "$value `as` $metric attr-dict `:` type($value)";
}

//===-- After outline-tasks -------------------------------------------------===//

def Dtc_BufferOp : Dtc_Op<"buffer", [Symbol]> {
  let summary = "Memory of a stage that outlives a task";
  let description = [{
    `slots` copies, chosen by the micro-batch's slot (mb mod slots); 1 where all
    micro-batches share it. Belongs to one `stage`.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<Dtc_Tensor>:$type,
                       I64Attr:$stage, Dtc_BufferClassAttr:$buffer_class,
                       DefaultValuedAttr<I64Attr, "1">:$slots);
  let assemblyFormat = "$sym_name `:` $type attr-dict";
}
def Dtc_ReadBatchOp : Dtc_Op<"read_batch", [MemoryEffects<[MemWrite]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Fills a batch buffer with the step's samples of a model input";
  let description = [{
    The loader reads the rows that this rank needs of the whole step (all its
    micro-batches) and fills the pads with the input's own value.

    Constraints:
    - C1: `buffer` names a buffer of class `batch`.

    Lives: from outline-tasks to the program.
  }];
  let arguments = (ins StrAttr:$input, FlatSymbolRefAttr:$buffer);
  let assemblyFormat = "$input `into` $buffer attr-dict";
}
def Dtc_LoadOp : Dtc_Op<"load", [MemoryEffects<[MemRead]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "What a buffer holds (in the slot of the task's micro-batch)";
  let arguments = (ins FlatSymbolRefAttr:$buffer);
  let results = (outs Dtc_Tensor:$result);
  let assemblyFormat = "$buffer attr-dict `:` type($result)";
}
def Dtc_SaveOp : Dtc_Op<"save", [MemoryEffects<[MemWrite]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Puts a value into a buffer for another task";
  let arguments = (ins Dtc_Tensor:$value, FlatSymbolRefAttr:$buffer);
  let assemblyFormat = "$value `,` $buffer attr-dict `:` type($value)";
}
def Dtc_ClearOp : Dtc_Op<"clear", [MemoryEffects<[MemWrite]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Sets an accumulator to zero";
  let arguments = (ins FlatSymbolRefAttr:$buffer);
  let assemblyFormat = "$buffer attr-dict";
}
def Dtc_AccumulateIntoOp : Dtc_Op<"accumulate_into", [
    MemoryEffects<[MemRead, MemWrite]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "buffer += value; after the last micro-batch it holds the R value";
  let description = [{
    The value is P(sum) over `mb`, the buffer's type R over `mb`.
  }];
  let arguments = (ins Dtc_Tensor:$value, FlatSymbolRefAttr:$buffer);
  let assemblyFormat = "$value `,` $buffer attr-dict `:` type($value)";
}
def Dtc_SendOp : Dtc_Op<"send", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Posts a value on a channel; returns at once";
  let description = [{
    The bytes stay untouched until the receiver has taken them (`wait`).
  }];
  let arguments = (ins Dtc_Tensor:$value, I64Attr:$peer_stage, I64Attr:$channel);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}
def Dtc_RecvOp : Dtc_Op<"recv", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Takes the next value of a channel; waits for it";
  let arguments = (ins I64Attr:$peer_stage, I64Attr:$channel);
  let results = (outs Dtc_Tensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}
def Dtc_WaitOp : Dtc_Op<"wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Waits until at most `pending` posts of a channel are not taken";
  let arguments = (ins I64Attr:$channel, I64Attr:$pending);
  let assemblyFormat = "attr-dict";
}
def Dtc_ScheduleOp : Dtc_Op<"schedule", [Symbol, SingleBlock, NoTerminator]> {
  let summary = "The order in which the ranks of one stage call tasks in a step";
  let arguments = (ins SymbolNameAttr:$sym_name, I64Attr:$stage);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
}
def Dtc_RepeatOp : Dtc_Op<"repeat", [SingleBlock, NoTerminator]> {
  let summary = "Its calls, `count` times; call c in round i has micro-batch i + first";
  let arguments = (ins I64Attr:$count);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$count attr-dict-with-keyword $body";
}
def Dtc_CallOp : Dtc_Op<"call", [MemoryEffects<[MemRead, MemWrite]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Runs a task; in a repeat, on micro-batch round + first";
  let arguments = (ins FlatSymbolRefAttr:$task,
                       DefaultValuedAttr<I64Attr, "0">:$first);
  let assemblyFormat = "$task attr-dict";
}

//===-- After fuse ----------------------------------------------------------===//

def Dtc_FusedOp : Dtc_Op<"fused", [SingleBlock,
    DeclareOpInterfaceMethods<Dtc_Lowerable, ["getInPlaceOperand"]>]> {
  let summary = "Ops that one generated kernel computes";
  let description = [{
    The block's arguments are the operands; its ops are graph ops; the results
    are the values named by the closing `yield`.
  }];
  let arguments = (ins Variadic<Dtc_Tensor>:$inputs,
                       Dtc_KernelTemplateAttr:$kernel);
  let results = (outs Variadic<Dtc_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $kernel `(` $inputs `)` attr-dict `:` functional-type(operands, results) $body
  }];
  let hasVerifier = 1;
}
def Dtc_YieldOp : Dtc_Op<"yield", [Pure, Terminator, HasParent<"FusedOp">]> {
  let summary = "The results of a fused op";
  let arguments = (ins Variadic<Dtc_Tensor>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

#endif // DTC_IR_PIPELINEOPS_TD
