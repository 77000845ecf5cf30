//===- DtcEnums.td - Closed sets of the dialect ---------------*- tablegen -*-===//
//
// Kinds that appear in attributes. A kind that needs parameters is an attribute
// of its own (DtcAttrs.td).
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_DTCENUMS_TD
#define DTC_IR_DTCENUMS_TD

include "ir/DtcDialect.td"
include "mlir/IR/EnumAttr.td"

def Dtc_ReductionKind
    : I32EnumAttr<"ReductionKind", "How addends of a partial value combine", [
        I32EnumAttrCase<"Sum", 0, "sum">,
        I32EnumAttrCase<"Max", 1, "max">,
        I32EnumAttrCase<"Or", 2, "or">
      ]> {
  let cppNamespace = "::mlir::dtc";
  let genSpecializedAttr = 0;
}
def Dtc_ReductionKindAttr
    : EnumAttr<Dtc_Dialect, Dtc_ReductionKind, "reduction">;

def Dtc_ScheduleKind
    : I32EnumAttr<"ScheduleKind", "Order of the pipeline's tasks", [
        I32EnumAttrCase<"GPipe", 0, "gpipe">,
        I32EnumAttrCase<"OneFOneB", 1, "1f1b">
      ]> {
  let cppNamespace = "::mlir::dtc";
  let genSpecializedAttr = 0;
}

def Dtc_TaskKind
    : I32EnumAttr<"TaskKind", "Which part of a step a task does", [
        I32EnumAttrCase<"Prologue", 0, "prologue">,
        I32EnumAttrCase<"Forward", 1, "forward">,
        I32EnumAttrCase<"Backward", 2, "backward">,
        I32EnumAttrCase<"Weight", 3, "weight">,
        I32EnumAttrCase<"Epilogue", 4, "epilogue">
      ]> {
  let cppNamespace = "::mlir::dtc";
  let genSpecializedAttr = 0;
}
def Dtc_TaskKindAttr : EnumAttr<Dtc_Dialect, Dtc_TaskKind, "task_kind"> {
  let assemblyFormat = "`<` $value `>`";
}

def Dtc_BufferClass
    : I32EnumAttr<"BufferClass", "What a buffer that outlives a task is for", [
        I32EnumAttrCase<"Variable", 0, "variable">,
        I32EnumAttrCase<"Batch", 1, "batch">,
        I32EnumAttrCase<"Accumulator", 2, "accumulator">,
        I32EnumAttrCase<"Stash", 3, "stash">,
        I32EnumAttrCase<"Received", 4, "received">,
        I32EnumAttrCase<"Sent", 5, "sent">,
        I32EnumAttrCase<"Static", 6, "static">
      ]> {
  let cppNamespace = "::mlir::dtc";
  let genSpecializedAttr = 0;
}
def Dtc_BufferClassAttr
    : EnumAttr<Dtc_Dialect, Dtc_BufferClass, "buffer_class"> {
  let assemblyFormat = "`<` $value `>`";
}

/// The five generated templates, and what needs no generated kernel.
def Dtc_KernelTemplate
    : I32EnumAttr<"KernelTemplate", "How codegen makes an op", [
        I32EnumAttrCase<"Map", 0, "map">,
        I32EnumAttrCase<"Row", 1, "row">,
        I32EnumAttrCase<"ColumnSum", 2, "column_sum">,
        I32EnumAttrCase<"MultiTensor", 3, "multi_tensor">,
        I32EnumAttrCase<"Library", 4, "library">,
        I32EnumAttrCase<"View", 5, "view">,
        I32EnumAttrCase<"Instruction", 6, "instruction">
      ]> {
  let cppNamespace = "::mlir::dtc";
  let genSpecializedAttr = 0;
}
def Dtc_KernelTemplateAttr
    : EnumAttr<Dtc_Dialect, Dtc_KernelTemplate, "kernel_template">;

#endif // DTC_IR_DTCENUMS_TD
