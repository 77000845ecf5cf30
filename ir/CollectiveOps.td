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
/// differently. C1 of each: both have a layout on one mesh, one global shape and
/// element type.
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

//===-- Without communication -----------------------------------------------===//

def Dtc_RelayoutOp : Dtc_LayoutOp<"relayout", [Pure]> {
  let summary = "The same value in another layout; no collective chosen yet";
  let description = [{
    Constraints:
    - C1: input and result have a layout, on one mesh, and one global shape and
      element type.

    Example:
    ```mlir
    #p = #dtc.layout<dp=2:S(0), tp=2:P(sum)>
    #r = #dtc.layout<dp=2:S(0), tp=2:R>
    func.func @settle(%z: tensor<8x4xf32, #p>) -> tensor<8x4xf32, #r> {
      %0 = dtc.relayout %z {reduce_dtype = f32}
         : tensor<8x4xf32, #p> -> tensor<8x4xf32, #r>
      return %0 : tensor<8x4xf32, #r>
    }
    ```

    Lives: from assign-layouts to insert-collectives.
  }];
  let arguments = (ins Dtc_Tensor:$input, OptionalAttr<TypeAttr>:$reduce_dtype);
}
def Dtc_ToPartialOp : Dtc_LayoutOp<"to_partial", [Pure,
    DeclareOpInterfaceMethods<Dtc_Interpretable>], ["getInPlaceOperand"]> {
  let summary = "R becomes P: the value on coordinate 0, the identity elsewhere";
  let description = [{
    Over `mb` it enters on the first micro-batch, over `pp` on the first stage of
    its set. For max and or the identity is the value itself on every coordinate
    (they are idempotent), so nothing is computed.

    Constraints:
    - C1: as of `dtc.relayout`.
    - C2: `axes` are axes of the mesh, in its order.
    - C3: over them the input is R, the result P of some kind.
    - C4: over the others both lie alike.

    Example:
    ```mlir
    #p = #dtc.layout<tp=2:P(sum)>
    #r = #dtc.layout<tp=2:R>
    func.func @bias(%b: tensor<4xf32, #r>) -> tensor<4xf32, #p> {
      %0 = dtc.to_partial %b {axes = ["tp"]}
         : tensor<4xf32, #r> -> tensor<4xf32, #p>
      return %0 : tensor<4xf32, #p>
    }
    ```

    Lives: from assign-layouts or form-buckets to the program.
  }];
  let arguments = (ins Dtc_Tensor:$input, StrArrayAttr:$axes);
}
def Dtc_LocalSliceOp : Dtc_LayoutOp<"local_slice", [Pure,
    DeclareOpInterfaceMethods<Dtc_Interpretable>]> {
  let summary = "R becomes S(d): each coordinate takes its block";
  let description = [{
    Over `mb`: a micro-batch's rows of the step.

    Constraints:
    - C1: as of `dtc.relayout`.
    - C2: `axis` is an axis of the mesh.
    - C3: over it the input is R, the result S(dim), and no axis within it splits
      that dimension.
    - C4: over the others both lie alike.

    Example:
    ```mlir
    #s = #dtc.layout<dp=2:S(0), mb=2:R, pad(0:fill)>
    #m = #dtc.layout<dp=2:S(0), mb=2:S(0), pad(0:fill)>
    func.func @rows(%l: tensor<7xi32, #s>) -> tensor<7xi32, #m> {
      %0 = dtc.local_slice %l {axis = "mb"}
         : tensor<7xi32, #s> -> tensor<7xi32, #m>
      return %0 : tensor<7xi32, #m>
    }
    ```

    Lives: from insert-collectives to the program.
  }];
  let arguments = (ins Dtc_Tensor:$input, StrAttr:$axis);
}

//===-- Collectives ---------------------------------------------------------===//

// Not Pure: removing one on one rank alone would hang the others.
class Dtc_CollectiveOp<string mnemonic, list<Trait> traits = [],
                       list<string> lowerMethods = []>
    : Dtc_LayoutOp<mnemonic, traits # [
        DeclareOpInterfaceMethods<Dtc_Collective>], lowerMethods>;

def Dtc_AllReduceOp : Dtc_CollectiveOp<"all_reduce", [],
                                       ["getInPlaceOperand"]> {
  let summary = "P(kind) over axes becomes R";
  let description = [{
    Every rank of a group gives its addend and gets the reduction. Over `pp` the
    group is the set of stages of the input, and the result is on all of them.

    Constraints:
    - C1: as of `dtc.relayout`.
    - C2: `axes` are axes of the mesh, in its order.
    - C3: over them the input is P(kind); none is `mb`.
    - C4: over them the result is R; over the others both lie alike.

    Example:
    ```mlir
    #p = #dtc.layout<dp=2:P(sum), tp=2:P(sum)>
    #r = #dtc.layout<dp=2:R, tp=2:R>
    func.func @norm(%sq: tensor<f32, #p>) -> tensor<f32, #r> {
      %0 = dtc.all_reduce sum %sq over ["dp", "tp"]
         : tensor<f32, #p> -> tensor<f32, #r>
      return %0 : tensor<f32, #r>
    }
    ```

    Lives: from insert-collectives to the program.
  }];
  let arguments = (ins Dtc_Tensor:$input, Dtc_ReductionKindAttr:$kind,
                       StrArrayAttr:$axes, OptionalAttr<TypeAttr>:$reduce_dtype);
  let assemblyFormat = [{
    $kind $input `over` $axes attr-dict `:` type($input) `->` type($result)
  }];
}
def Dtc_ReduceScatterOp : Dtc_CollectiveOp<"reduce_scatter"> {
  let summary = "P(sum) over an axis becomes S(0): each keeps its block of the sum";
  let description = [{
    Constraints:
    - C1: as of `dtc.relayout`.
    - C2: `axis` is an axis of the mesh.
    - C3: over it the input is P(sum).
    - C4: over it the result is S(0), and no axis within it splits dimension 0;
      over the others both lie alike.

    Example:
    ```mlir
    #p = #dtc.layout<dp=2:P(sum)>
    #s = #dtc.layout<dp=2:S(0), pad(0:zero)>
    func.func @bucket(%g: tensor<15xf32, #p>) -> tensor<15xf32, #s> {
      %0 = dtc.reduce_scatter %g over "dp"
         : tensor<15xf32, #p> -> tensor<15xf32, #s>
      return %0 : tensor<15xf32, #s>
    }
    ```

    Lives: from insert-collectives to the program.
  }];
  let arguments = (ins Dtc_Tensor:$input, StrAttr:$axis,
                       OptionalAttr<TypeAttr>:$reduce_dtype);
  let assemblyFormat = [{
    $input `over` $axis attr-dict `:` type($input) `->` type($result)
  }];
}
def Dtc_AllGatherOp : Dtc_CollectiveOp<"all_gather"> {
  let summary = "S(d) over an axis becomes R; pads are cropped";
  let description = [{
    Constraints:
    - C1: as of `dtc.relayout`.
    - C2: `axis` is an axis of the mesh.
    - C3: over it the input is S(dim), and no axis within it splits that
      dimension.
    - C4: over it the result is R; over the others both lie alike.

    Example:
    ```mlir
    #s = #dtc.layout<dp=2:S(0), pad(0:zero)>
    #r = #dtc.layout<dp=2:R>
    func.func @bucket(%p: tensor<15xf32, #s>) -> tensor<15xf32, #r> {
      %0 = dtc.all_gather %p over "dp"
         : tensor<15xf32, #s> -> tensor<15xf32, #r>
      return %0 : tensor<15xf32, #r>
    }
    ```

    Lives: from insert-collectives to the program.
  }];
  let arguments = (ins Dtc_Tensor:$input, StrAttr:$axis);
  let assemblyFormat = [{
    $input `over` $axis attr-dict `:` type($input) `->` type($result)
  }];
}
def Dtc_AccumulateOp : Dtc_CollectiveOp<"accumulate"> {
  let summary = "P(sum) over `mb` becomes R: the sum over the micro-batches";
  let description = [{
    Constraints:
    - C1: as of `dtc.relayout`.
    - C2: `mb` is an axis of the mesh.
    - C3: over it the input is P(sum).
    - C4: over it the result is R; over the others both lie alike.

    Example:
    ```mlir
    #p = #dtc.layout<dp=2:P(sum), mb=2:P(sum)>
    #r = #dtc.layout<dp=2:P(sum), mb=2:R>
    func.func @gradient(%g: tensor<5x4xf32, #p>) -> tensor<5x4xf32, #r> {
      %0 = dtc.accumulate %g : tensor<5x4xf32, #p> -> tensor<5x4xf32, #r>
      return %0 : tensor<5x4xf32, #r>
    }
    ```

    Lives: from insert-collectives to outline-tasks, which makes it an
    accumulator buffer, accumulate_into and load.
  }];
  let arguments = (ins Dtc_Tensor:$input, OptionalAttr<TypeAttr>:$reduce_dtype);
}
def Dtc_SendRecvOp : Dtc_CollectiveOp<"send_recv"> {
  let summary = "On{a} over pp becomes On{b}: one channel between two stages";
  let description = [{
    The value at home keeps its type; the result lives on the other stage.

    Constraints:
    - C1: as of `dtc.relayout`.
    - C2: `pp` is an axis of the mesh.
    - C3: the input is on the stage `source`.
    - C4: the result is on the stage `destination` alone, which is another; over
      the other axes both lie alike.
    - C5: the input is partial over no axis: it settles before it is sent.

    Example:
    ```mlir
    #a = #dtc.layout<pp=2:On{0}, dp=2:S(0)>
    #b = #dtc.layout<pp=2:On{1}, dp=2:S(0)>
    func.func @h(%h: tensor<8x4xf32, #a>) -> tensor<8x4xf32, #b> {
      %0 = dtc.send_recv %h {source = 0 : i64, destination = 1 : i64,
                             channel = 0 : i64}
         : tensor<8x4xf32, #a> -> tensor<8x4xf32, #b>
      return %0 : tensor<8x4xf32, #b>
    }
    ```

    Lives: from insert-collectives to outline-tasks, which makes a send at the
    end of a task and a recv at the start of one.
  }];
  let arguments = (ins Dtc_Tensor:$input, I64Attr:$source, I64Attr:$destination,
                       I64Attr:$channel);
}

#endif // DTC_IR_COLLECTIVEOPS_TD
