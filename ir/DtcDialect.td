//===- DtcDialect.td - The dtc dialect and its op base class --*- tablegen -*-===//
//
// One training step of one model, first global, then laid out over a mesh, then
// local to a rank. All three are the same ops; what changes is the encoding of
// the tensor types (none, #dtc.layout, #dtc.local).
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_DTCDIALECT_TD
#define DTC_IR_DTCDIALECT_TD

include "mlir/IR/OpBase.td"

def Dtc_Dialect : Dialect {
  let name = "dtc";
  let cppNamespace = "::mlir::dtc";
  let summary = "A training step, from the model graph to the tasks of a rank";
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::func::FuncDialect"];
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerOps();
  }];
}

class Dtc_Op<string mnemonic, list<Trait> traits = []>
    : Op<Dtc_Dialect, mnemonic, traits>;

#endif // DTC_IR_DTCDIALECT_TD
