//===- StageCut.h - The balanced cut of a list of costs -------*- C++ -*-===//
//
// Arithmetic of dtc-assign-stages, apart from the IR.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_STAGECUT_H
#define DTC_PASSES_STAGECUT_H

#include "mlir/Support/LLVM.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace mlir::dtc {

/// Part of each of `costs` in the best cut into `partCount` contiguous parts,
/// none empty: the dearest part is as cheap as can be, and of such cuts the sum
/// of the parts' squares is the least (with equal costs, lengths then differ by
/// at most one; a cost of 0 counts as 1). Ties go to the earliest cut.
///
/// Needs at least `partCount` costs. Time is parts times the square of costs.
SmallVector<int64_t> cutBalanced(ArrayRef<int64_t> costs, int64_t partCount);

} // namespace mlir::dtc

#endif // DTC_PASSES_STAGECUT_H
