//===- CollectiveOps.td - Changes of layout and what makes them -*- tablegen -*-===//
//
// assign-layouts and form-buckets leave relayout and to_partial; insert-
// collectives alone turns them into communication. Types say from what to what,
// so an op needs only its axes.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_COLLECTIVEOPS_TD
#define DTC_IR_COLLECTIVEOPS_TD

include "ir/DtcOpBase.td"

/// Input and result are one global value (shape and element type), laid
/// differently.
class Dtc_LayoutOp<string mnemonic, list<Trait> traits = [],
                   list<string> lowerMethods = []>
    : Dtc_Op<mnemonic, traits # [
        DeclareOpInterfaceMethods<Dtc_Scaled>,
        DeclareOpInterfaceMethods<Dtc_Lowerable, lowerMethods>]> {
  let assemblyFormat = [{
    $input attr-dict `:` type($input) `->` type($result)
  }];
  let results = (outs Dtc_Tensor:$result);
  let hasVerifier = 1;
}

def Dtc_RelayoutOp : Dtc_LayoutOp<"relayout", [Pure]> {
  let summary = "The same value in another layout; no collective chosen yet";
  let description = "Lives: from assign-layouts to insert-collectives.";
  let arguments = (ins Dtc_Tensor:$input, OptionalAttr<TypeAttr>:$reduce_dtype);
}
def Dtc_ToPartialOp : Dtc_LayoutOp<"to_partial", [Pure,
    DeclareOpInterfaceMethods<Dtc_Interpretable>], ["getInPlaceOperand"]> {
  let summary = "R becomes P: the value on coordinate 0, the identity elsewhere";
  let description = [{
    Over `axes`, each R in the input and P in the result. Over `mb` it enters on
    the first micro-batch. For max and or the identity of `or` is the value
    itself on every coordinate (or is idempotent), so nothing is computed.
  }];
  let arguments = (ins Dtc_Tensor:$input, StrArrayAttr:$axes);
}
def Dtc_LocalSliceOp : Dtc_LayoutOp<"local_slice", [Pure,
    DeclareOpInterfaceMethods<Dtc_Interpretable>]> {
  let summary = "R becomes S(d): each coordinate takes its block, no communication";
  let description = "Over `mb`: a micro-batch's rows of the step.";
  let arguments = (ins Dtc_Tensor:$input, StrAttr:$axis);
}
// Not Pure below: removing one on one rank alone would hang the others.
class Dtc_CollectiveOp<string mnemonic, list<Trait> traits = [],
                       list<string> lowerMethods = []>
    : Dtc_LayoutOp<mnemonic, traits # [
        DeclareOpInterfaceMethods<Dtc_Collective>], lowerMethods>;

def Dtc_AllReduceOp : Dtc_CollectiveOp<"all_reduce", [],
                                       ["getInPlaceOperand"]> {
  let summary = "P(kind) over axes becomes R";
  let arguments = (ins Dtc_Tensor:$input, Dtc_ReductionKindAttr:$kind,
                       StrArrayAttr:$axes, OptionalAttr<TypeAttr>:$reduce_dtype);
  let assemblyFormat = [{
    $kind $input `over` $axes attr-dict `:` type($input) `->` type($result)
  }];
}
def Dtc_ReduceScatterOp : Dtc_CollectiveOp<"reduce_scatter"> {
  let summary = "P(sum) over an axis becomes S(0): each keeps its block of the sum";
  let arguments = (ins Dtc_Tensor:$input, StrAttr:$axis,
                       OptionalAttr<TypeAttr>:$reduce_dtype);
  let assemblyFormat = [{
    $input `over` $axis attr-dict `:` type($input) `->` type($result)
  }];
}
def Dtc_AllGatherOp : Dtc_CollectiveOp<"all_gather"> {
  let summary = "S(d) over an axis becomes R; pads are cropped";
  let arguments = (ins Dtc_Tensor:$input, StrAttr:$axis);
  let assemblyFormat = [{
    $input `over` $axis attr-dict `:` type($input) `->` type($result)
  }];
}
def Dtc_AccumulateOp : Dtc_CollectiveOp<"accumulate"> {
  let summary = "P(sum) over `mb` becomes R: the sum over the micro-batches";
  let description = [{
    Lives: from insert-collectives to outline-tasks, which makes it an
    accumulator buffer, accumulate_into and load.
  }];
  let arguments = (ins Dtc_Tensor:$input, OptionalAttr<TypeAttr>:$reduce_dtype);
}
def Dtc_SendRecvOp : Dtc_CollectiveOp<"send_recv"> {
  let summary = "On{a} over pp becomes On{b}: one channel between two stages";
  let description = [{
    The value at home keeps its type; the result lives on the other stage.
    Lives: from insert-collectives to outline-tasks, which makes a send at the
    end of a task and a recv at the start of one.
  }];
  let arguments = (ins Dtc_Tensor:$input, I64Attr:$source, I64Attr:$destination,
                       I64Attr:$channel);
}

#endif // DTC_IR_COLLECTIVEOPS_TD
