//===- DtcInterfaces.td - What an op knows of itself ----------*- tablegen -*-===//
//
// Passes ask these and hold no switch over op names. Adding an op means
// answering them in the op's own family files.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_DTCINTERFACES_TD
#define DTC_IR_DTCINTERFACES_TD

include "mlir/IR/OpBase.td"

def Dtc_Differentiable : OpInterface<"Differentiable"> {
  let cppNamespace = "::mlir::dtc";
  let description = [{
    The gradients of an op as new ops. Input and weight gradients are separate
    ops. Called on global types without encoding.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the cotangent of each operand at the builder's insertion point.
      `cotangents` has one value a result, null where none arrives. `wanted`
      says which operands need one; `gradients` gets one value an operand, null
      where there is none (an integer operand, or not wanted).
    }],
    "void", "buildGradients",
    (ins "::mlir::OpBuilder &":$builder,
         "::llvm::ArrayRef<::mlir::Value>":$cotangents,
         "::llvm::ArrayRef<bool>":$wanted,
         "::llvm::SmallVectorImpl<::mlir::Value> &":$gradients)>
  ];
}

def Dtc_Loss : OpInterface<"Loss"> {
  let cppNamespace = "::mlir::dtc";
  let description = [{
    An op whose result is a loss: where the backward graph starts. The gradient
    op multiplies by the loss scale and divides by N, so the cotangent of the
    loss itself is 1 and no op.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the gradient of the loss at the builder's insertion point and sets
      `wrt` to the value that it is the cotangent of (for cross entropy the
      logits, whose row ops have no gradients of their own). Null, with an error
      emitted, where the operands do not come from the ops they must come from.
    }],
    "::mlir::Value", "buildLossGradient",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::Value &":$wrt)>,
    InterfaceMethod<"N, the count of valid rows, by which the loss is divided.",
    "::mlir::Value", "getDivisor", (ins), [{}], [{ return $_op.getN(); }]>
  ];
}

def Dtc_Distributable : OpInterface<"Distributable"> {
  let cppNamespace = "::mlir::dtc";
  let description = [{
    Which layouts of operands and results are legal together. Rules are per
    axis; `pp` has none here (an op runs on the stages of its results, and each
    operand must be there). The verifier of the interface holds types with a
    layout to these rules, so a partial value in a nonlinear op is no IR.
  }];
  let methods = [
    InterfaceMethod<[{
      Every legal rule over `axis` (not `pp`), the replicated one first.
      Operands and results are indexed as the op has them.
    }],
    "::llvm::SmallVector<::mlir::dtc::AxisRule>", "getAxisRules",
    (ins "::llvm::StringRef":$axis)>,
    InterfaceMethod<[{
      What pads of the results hold, given those of the operands (None where a
      dimension has no pads), or the operand that must be masked first.
    }],
    "::mlir::dtc::PadRule", "inferPads",
    (ins "::llvm::ArrayRef<::mlir::dtc::PadVector>":$operands)>,
    InterfaceMethod<[{
      True for products that sum over a dimension: a cotangent used only by
      contractions may stay partial.
    }],
    "bool", "isContraction", (ins), [{}], [{ return false; }]>,
    InterfaceMethod<[{
      True for n-ary sums and ors, whose operands may lie on different stages;
      the result is then partial over the union of the stages.
    }],
    "bool", "joinsStages", (ins), [{}], [{ return false; }]>,
    InterfaceMethod<[{
      What messages call an operand: `operand lhs`, by its name in the .td; ops
      whose operands stand for something a user knows say that.
    }],
    "std::string", "describeOperand", (ins "unsigned":$index), [{}], [{
      for (unsigned i = 0; $_op.kOperandNames[i]; ++i) {
        auto [start, length] = $_op.getODSOperandIndexAndLength(i);
        if (index >= start && index < start + length)
          return std::string("operand ") + $_op.kOperandNames[i];
      }
      return "operand " + std::to_string(index);
    }]>
  ];
  // After the op's own constraints, on which its rules rely.
  let verify = [{ return ::mlir::dtc::verifyDistributable($_op); }];
  let verifyWithRegions = 1;
}

def Dtc_Interpretable : OpInterface<"Interpretable"> {
  let cppNamespace = "::mlir::dtc";
  let description = [{
    The op's value on one rank, in float64. The meaning that passes and
    backends are held to.
  }];
  let methods = [
    InterfaceMethod<[{
      Computes `results` from `operands` on the place that `context` describes.
      Shapes are local and padded. Emits an error and fails where the op has no
      value.
    }],
    "::mlir::LogicalResult", "interpret",
    (ins "const ::mlir::dtc::PlaceContext &":$context,
         "::llvm::ArrayRef<const ::mlir::dtc::HostTensor *>":$operands,
         "::llvm::SmallVectorImpl<::mlir::dtc::HostTensor> &":$results)>
  ];
}

def Dtc_Collective : OpInterface<"Collective"> {
  let cppNamespace = "::mlir::dtc";
  let description = [{
    An op in which the ranks of a group (or, over `mb` before tasks are
    outlined, the micro-batches of a rank) exchange values.
  }];
  let methods = [
    InterfaceMethod<"Mesh axes that the group spans, in mesh order.",
    "::llvm::SmallVector<::llvm::StringRef>", "getGroupAxes", (ins)>,
    InterfaceMethod<[{
      Computes the result of each member of one group, members in order of
      their coordinates (mesh order, last axis fastest). `inputs[i]` is null
      where member i does not hold the operand (its stage is not in the set).
    }],
    "::mlir::LogicalResult", "combine",
    (ins "::llvm::ArrayRef<const ::mlir::dtc::PlaceContext *>":$members,
         "::llvm::ArrayRef<const ::mlir::dtc::HostTensor *>":$inputs,
         "::llvm::MutableArrayRef<::mlir::dtc::HostTensor>":$outputs)>
  ];
}

def Dtc_Costed : OpInterface<"Costed"> {
  let cppNamespace = "::mlir::dtc";
  let methods = [
    InterfaceMethod<"Floating-point operations of one execution on the op's types.",
    "int64_t", "getFlops", (ins)>,
    InterfaceMethod<"Bytes read and written.",
    "int64_t", "getBytes", (ins), [{}],
    [{ return ::mlir::dtc::getOperandAndResultBytes($_op); }]>
  ];
}

def Dtc_Scaled : OpInterface<"Scaled"> {
  let cppNamespace = "::mlir::dtc";
  let description = [{
    Degree of the results in (scale, 1/N). Failure where the operands' degrees
    do not fit, as in a sum of a scaled and an unscaled term; the error is
    emitted by the op.
  }];
  let methods = [
    InterfaceMethod<"Degrees of the results from those of the operands.",
    "::mlir::FailureOr<::llvm::SmallVector<::mlir::dtc::Degree>>",
    "inferDegrees", (ins "::llvm::ArrayRef<::mlir::dtc::Degree>":$operands)>
  ];
}

def Dtc_Lowerable : OpInterface<"Lowerable"> {
  let cppNamespace = "::mlir::dtc";
  let description = "Which kernel template or library makes the op.";
  let methods = [
    InterfaceMethod<"The template that the op fits alone.",
    "::mlir::dtc::KernelTemplate", "getKernelTemplate", (ins)>,
    InterfaceMethod<[{
      Index of the operand that the (only) result may overwrite, or -1. The
      element written at an index depends on that operand at this index only.
    }],
    "int", "getInPlaceOperand", (ins), [{}], [{ return -1; }]>,
    InterfaceMethod<[{
      The same for one of several results.
    }],
    "int", "getInPlaceOperandFor", (ins "unsigned":$result), [{}], [{
      return $_op->getNumResults() == 1 && result == 0
                 ? $_op.getInPlaceOperand() : -1;
    }]>
  ];
}

def Dtc_ElementwiseOp : OpInterface<"ElementwiseOp"> {
  let cppNamespace = "::mlir::dtc";
  let description = [{
    Map template: the result's element at an index is a scalar function of the
    operands' elements there (a broadcast operand: at the trailing index).
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the scalar (arith, math) from the operands' scalars. `index` holds
      the element's *global* index in each dimension, for ops that need it
      (dropout), `step` and `seed` the i64 scalars of the run.
    }],
    "::mlir::Value", "buildScalar",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
         "::mlir::ValueRange":$operands, "::mlir::ValueRange":$index,
         "::mlir::Value":$step, "::mlir::Value":$seed)>,
    InterfaceMethod<"True where buildScalar reads `index`, `step` or `seed`.",
    "bool", "needsIndex", (ins), [{}], [{ return false; }]>
  ];
}

#endif // DTC_IR_DTCINTERFACES_TD
