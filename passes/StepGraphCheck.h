//===- StepGraphCheck.h - Is it still the same step? -----------*- C++ -*-===//
//
// A check of dtc-verify-phase: holds a lowered step to the copy of the graph
// that dtc-precision put aside.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_STEPGRAPHCHECK_H
#define DTC_PASSES_STEPGRAPHCHECK_H

#include "ir/DtcOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::dtc {

/// Checks a step, whole or in tasks, against `graph`:
///
/// - identity: the op with dtc.id n computes what op n of the graph does, from
///   the same values (an op of a bucket: member by member, dtc.ids). Changes of
///   layout, buffers and channels keep a value what it is.
/// - terms: the operands of a sum carry the terms that the op says, and a sum
///   that is complete has all terms of the graph's.
/// - stores: each variable that the graph stores is stored once, with that
///   value.
LogicalResult checkAgainstGraph(ModuleOp module, llvm::StringRef stepKind,
                                func::FuncOp graph);

} // namespace mlir::dtc

#endif // DTC_PASSES_STEPGRAPHCHECK_H
