//===- DtcOpBase.td - Types and trait lists shared by op families -*- tablegen -*-===//
//
// The tensor constraints and the interface lists that most ops repeat.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_DTCOPBASE_TD
#define DTC_IR_DTCOPBASE_TD

include "ir/DtcAttrs.td"
include "ir/DtcInterfaces.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Dtc_FloatTensor : StaticShapeTensorOf<[F16, BF16, F32, F64]>;
def Dtc_IntTensor : StaticShapeTensorOf<[I32, I64]>;
def Dtc_Tensor : StaticShapeTensorOf<[F16, BF16, F32, F64, I32, I64]>;

/// An op of the step graph: a pure function of tensors. `layoutMethods`,
/// `lowerMethods` and `costMethods` name the methods with a default that the op
/// overrides.
class Dtc_GraphOp<string mnemonic, list<Trait> traits = [],
                  list<string> layoutMethods = [],
                  list<string> lowerMethods = [],
                  list<string> costMethods = []>
    : Dtc_Op<mnemonic,
             traits # [Pure,
                       DeclareOpInterfaceMethods<Dtc_Distributable, layoutMethods>,
                       DeclareOpInterfaceMethods<Dtc_Interpretable>,
                       DeclareOpInterfaceMethods<Dtc_Costed, costMethods>,
                       DeclareOpInterfaceMethods<Dtc_Scaled>,
                       DeclareOpInterfaceMethods<Dtc_Lowerable, lowerMethods>]> {
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  // Messages about operands use the names of this file.
  let extraClassDeclaration = "static constexpr const char *kOperandNames[] = {"
      # !foldl("", !range(!size(arguments)), names, i,
               names # !if(!isa<TypeConstraint>(!getdagarg<Constraint>(arguments, i)),
                           "\"" # !getdagname(arguments, i) # "\", ", ""))
      # "nullptr};";
}

/// A graph op whose operands may need cotangents.
class Dtc_DifferentiableOp<string mnemonic, list<Trait> traits = [],
                           list<string> layoutMethods = [],
                           list<string> lowerMethods = []>
    : Dtc_GraphOp<mnemonic,
                  traits # [DeclareOpInterfaceMethods<Dtc_Differentiable>],
                  layoutMethods, lowerMethods>;

#endif // DTC_IR_DTCOPBASE_TD
