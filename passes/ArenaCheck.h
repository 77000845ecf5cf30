//===- ArenaCheck.h - Does every read see what was written? ----*- C++ -*-===//
//
// A check of dtc-verify-phase on a module with places.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_ARENACHECK_H
#define DTC_PASSES_ARENACHECK_H

#include "ir/DtcOps.h"

namespace mlir::dtc {

/// Runs the schedules of each stage, training then evaluation, on bytes that
/// only know who wrote them last. An op that reads an operand of which a byte
/// was overwritten since it was made, a buffer, a variable or a posted send
/// that lost a byte, and a place outside the arena are errors at the op, with
/// the name of the op that wrote there.
///
/// Shares nothing with dtc-plan-memory but the places: it knows no lifetimes.
LogicalResult checkArena(ModuleOp module);

} // namespace mlir::dtc

#endif // DTC_PASSES_ARENACHECK_H
