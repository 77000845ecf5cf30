//===- PipelineOps.td - Tasks, buffers, schedules, kernels ----*- tablegen -*-===//
//
// In which order a rank does its parts of a step. A task is a function without
// arguments; buffers outlive a task and channels join stages; a schedule calls
// tasks; a fused op is one kernel of a task.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_PIPELINEOPS_TD
#define DTC_IR_PIPELINEOPS_TD

include "ir/DtcOpBase.td"

//===-- Buffers -------------------------------------------------------------===//

def Dtc_BufferOp : Dtc_Op<"buffer", [Symbol]> {
  let summary = "Memory of a stage that outlives a task";
  let description = [{
    `slots` copies, chosen by the micro-batch's slot (mb mod slots); 1 where all
    micro-batches share it. Belongs to one `stage`.

    Constraints:
    - C1: stage is 0 or more, slots 1 or more.

    Example:
    ```mlir
    #c = #dtc.layout<mb=2:S(0)>
    dtc.buffer @stage0.h1 : tensor<4x6xf32, #dtc.local<8x6, #c>>
      {stage = 0 : i64, buffer_class = #dtc.buffer_class<stash>, slots = 2 : i64}
    ```

    Lives: from outline-tasks to the program.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<Dtc_Tensor>:$type,
                       I64Attr:$stage, Dtc_BufferClassAttr:$buffer_class,
                       DefaultValuedAttr<I64Attr, "1">:$slots);
  let assemblyFormat = "$sym_name `:` $type attr-dict";
  let hasVerifier = 1;
}
def Dtc_ReadBatchOp : Dtc_Op<"read_batch", [MemoryEffects<[MemWrite]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Fills a batch buffer with the step's samples of a model input";
  let description = [{
    The loader reads the rows that this rank needs of the whole step (all its
    micro-batches) and fills the pads with the input's own value.

    Constraints:
    - C1: the module has the buffer.
    - C2: its class is batch.

    Example:
    ```mlir
    dtc.buffer @stage0.x : tensor<8x6xf32>
      {stage = 0 : i64, buffer_class = #dtc.buffer_class<batch>}
    func.func private @stage0.train.prologue() {
      dtc.read_batch "x" into @stage0.x
      return
    }
    ```

    Lives: from outline-tasks to the program.
  }];
  let arguments = (ins StrAttr:$input, FlatSymbolRefAttr:$buffer);
  let assemblyFormat = "$input `into` $buffer attr-dict";
}
def Dtc_LoadOp : Dtc_Op<"load", [MemoryEffects<[MemRead]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "What a buffer holds (in the slot of the task's micro-batch)";
  let description = [{
    Constraints:
    - C1: the module has the buffer.
    - C2: the result has its type.

    Example:
    ```mlir
    dtc.buffer @stage0.h1 : tensor<8x6xf32>
      {stage = 0 : i64, buffer_class = #dtc.buffer_class<stash>}
    func.func private @stage0.train.weight() {
      %0 = dtc.load @stage0.h1 : tensor<8x6xf32>
      return
    }
    ```

    Lives: from outline-tasks to the program.
  }];
  let arguments = (ins FlatSymbolRefAttr:$buffer);
  let results = (outs Dtc_Tensor:$result);
  let assemblyFormat = "$buffer attr-dict `:` type($result)";
}
def Dtc_SaveOp : Dtc_Op<"save", [MemoryEffects<[MemWrite]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Puts a value into a buffer for another task";
  let description = [{
    Constraints:
    - C1: the module has the buffer.
    - C2: the value has its type.

    Example:
    ```mlir
    dtc.buffer @stage0.one : tensor<i64>
      {stage = 0 : i64, buffer_class = #dtc.buffer_class<static>}
    func.func private @stage0.train.prologue() {
      %0 = dtc.constant dense<1> : tensor<i64> : tensor<i64>
      dtc.save %0, @stage0.one : tensor<i64>
      return
    }
    ```

    Lives: from outline-tasks to the program.
  }];
  let arguments = (ins Dtc_Tensor:$value, FlatSymbolRefAttr:$buffer);
  let assemblyFormat = "$value `,` $buffer attr-dict `:` type($value)";
}
def Dtc_ClearOp : Dtc_Op<"clear", [MemoryEffects<[MemWrite]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Sets an accumulator to zero";
  let description = [{
    Constraints:
    - C1: the module has the buffer.
    - C2: its class is accumulator.

    Example:
    ```mlir
    dtc.buffer @stage0.g : tensor<5x4xf32>
      {stage = 0 : i64, buffer_class = #dtc.buffer_class<accumulator>}
    func.func private @stage0.train.prologue() {
      dtc.clear @stage0.g
      return
    }
    ```

    Lives: from outline-tasks to the program.
  }];
  let arguments = (ins FlatSymbolRefAttr:$buffer);
  let assemblyFormat = "$buffer attr-dict";
}
def Dtc_AccumulateIntoOp : Dtc_Op<"accumulate_into", [
    MemoryEffects<[MemRead, MemWrite]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "buffer += value; after the last micro-batch it holds the R value";
  let description = [{
    Constraints:
    - C1: the module has the buffer.
    - C2: its class is accumulator.
    - C3: the value is P(sum) over `mb`, the buffer's type R; over the other axes
      they lie alike.
    - C4: they are one global tensor.

    Example:
    ```mlir
    #p = #dtc.layout<dp=2:P(sum), mb=2:P(sum)>
    #r = #dtc.layout<dp=2:P(sum), mb=2:R>
    dtc.buffer @stage0.loss : tensor<f32, #dtc.local<scalar, #r>>
      {stage = 0 : i64, buffer_class = #dtc.buffer_class<accumulator>}
    func.func private @add(%loss: tensor<f32, #dtc.local<scalar, #p>>) {
      dtc.accumulate_into %loss, @stage0.loss
        : tensor<f32, #dtc.local<scalar, #p>>
      return
    }
    ```

    Lives: from outline-tasks to the program.
  }];
  let arguments = (ins Dtc_Tensor:$value, FlatSymbolRefAttr:$buffer);
  let assemblyFormat = "$value `,` $buffer attr-dict `:` type($value)";
}

//===-- Channels ------------------------------------------------------------===//

def Dtc_SendOp : Dtc_Op<"send", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Posts a value on a channel; returns at once";
  let description = [{
    The bytes stay untouched until the receiver has taken them (`dtc.wait`).

    Constraints:
    - C1: the value is partial over no axis.

    Example:
    ```mlir
    func.func private @f(%h: tensor<8x6xf32>) {
      dtc.send %h {peer_stage = 1 : i64, channel = 0 : i64} : tensor<8x6xf32>
      return
    }
    ```

    Lives: from outline-tasks to the program.
  }];
  let arguments = (ins Dtc_Tensor:$value, I64Attr:$peer_stage, I64Attr:$channel);
  let assemblyFormat = "$value attr-dict `:` type($value)";
  let hasVerifier = 1;
}
def Dtc_RecvOp : Dtc_Op<"recv", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Takes the next value of a channel; waits for it";
  let description = [{
    Constraints:
    - C1: the result is partial over no axis.

    Example:
    ```mlir
    func.func private @f() -> tensor<8x6xf32> {
      %0 = dtc.recv {peer_stage = 0 : i64, channel = 0 : i64} : tensor<8x6xf32>
      return %0 : tensor<8x6xf32>
    }
    ```

    Lives: from outline-tasks to the program.
  }];
  let arguments = (ins I64Attr:$peer_stage, I64Attr:$channel);
  let results = (outs Dtc_Tensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def Dtc_WaitOp : Dtc_Op<"wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Waits until at most `pending` posts of a channel are not taken";
  let description = [{
    Constraints:
    - C1: pending is 0 or more.

    Example:
    ```mlir
    func.func private @f() {
      dtc.wait {channel = 0 : i64, pending = 1 : i64}
      return
    }
    ```

    Lives: from outline-tasks or schedule to the program.
  }];
  let arguments = (ins I64Attr:$channel, I64Attr:$pending);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

//===-- Schedules -----------------------------------------------------------===//

def Dtc_ScheduleOp : Dtc_Op<"schedule", [Symbol, SingleBlock, NoTerminator]> {
  let summary = "The order in which the ranks of one stage call tasks in a step";
  let description = [{
    Constraints:
    - C1: the body holds calls and repeats.

    Example:
    ```mlir
    func.func private @stage0.train.forward() { return }
    dtc.schedule @stage0.train attributes {stage = 0 : i64} {
      dtc.repeat 2 {
        dtc.call @stage0.train.forward
      }
    }
    ```

    Lives: from schedule to the program.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, I64Attr:$stage);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasVerifier = 1;
}
def Dtc_RepeatOp : Dtc_Op<"repeat", [SingleBlock, NoTerminator]> {
  let summary = "Its calls, `count` times; call c in round i has micro-batch i + first";
  let description = [{
    Constraints:
    - C1: count is 1 or more.
    - C2: the body holds calls.

    Example: see `dtc.schedule`.

    Lives: from schedule to the program.
  }];
  let arguments = (ins I64Attr:$count);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$count attr-dict-with-keyword $body";
  let hasVerifier = 1;
}
def Dtc_CallOp : Dtc_Op<"call", [MemoryEffects<[MemRead, MemWrite]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Runs a task; in a repeat, on micro-batch round + first";
  let description = [{
    Constraints:
    - C1: the module has the task, a function.
    - C2: it has no arguments and no results: values cross by buffers, channels.

    Example: see `dtc.schedule`.

    Lives: from schedule to the program.
  }];
  let arguments = (ins FlatSymbolRefAttr:$task,
                       DefaultValuedAttr<I64Attr, "0">:$first);
  let assemblyFormat = "$task attr-dict";
}

//===-- Kernels -------------------------------------------------------------===//

def Dtc_FusedOp : Dtc_Op<"fused", [SingleBlock,
    DeclareOpInterfaceMethods<Dtc_Lowerable, ["getInPlaceOperandFor"]>]> {
  let summary = "Ops that one generated kernel computes";
  let description = [{
    Constraints:
    - C1: the block's arguments have the types of the operands.
    - C2: it ends in `dtc.yield` of values of the results' types.
    - C3: its other ops are computed by kernels: no communication, nothing fused.

    Example:
    ```mlir
    func.func @f(%x: tensor<7x5xf32>, %b: tensor<5xf32>) -> tensor<7x5xf32> {
      %0 = dtc.fused map(%x, %b)
         : (tensor<7x5xf32>, tensor<5xf32>) -> tensor<7x5xf32> {
      ^bb0(%u: tensor<7x5xf32>, %v: tensor<5xf32>):
        %1 = dtc.add %u, %v
           : (tensor<7x5xf32>, tensor<5xf32>) -> tensor<7x5xf32>
        %2 = dtc.relu %1 : (tensor<7x5xf32>) -> tensor<7x5xf32>
        dtc.yield %2 : tensor<7x5xf32>
      }
      return %0 : tensor<7x5xf32>
    }
    ```

    Lives: from fuse to the program.
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
  let description = "Example: see `dtc.fused`.";
  let arguments = (ins Variadic<Dtc_Tensor>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

#endif // DTC_IR_PIPELINEOPS_TD
