//===- DtcOps.h - All ops of the dialect -----------------------*- C++ -*-===//
//
// The umbrella header of the op families.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_DTCOPS_H
#define DTC_IR_DTCOPS_H

#include "ir/DtcDialect.h"
#include "ir/DtcInterfaces.h"
#include "ir/LayoutMath.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "ir/DtcOps.h.inc"

#endif // DTC_IR_DTCOPS_H
