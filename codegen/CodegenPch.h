//===- CodegenPch.h - Precompiled headers of code generation --*- C++ -*-===//
//
// The loop and target dialects and the LLVM headers that kernels need on top of
// the dialect's side of MLIR. None of dtc's own headers may stand here.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_CODEGEN_CODEGENPCH_H
#define DTC_CODEGEN_CODEGENPCH_H

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#endif // DTC_CODEGEN_CODEGENPCH_H
