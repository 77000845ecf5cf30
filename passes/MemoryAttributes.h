//===- MemoryAttributes.h - How the memory plan stands in the IR -*- C++
//-*-===//
//
// Names of what dtc-select-kernels and dtc-plan-memory leave, for emission.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_MEMORYATTRIBUTES_H
#define DTC_PASSES_MEMORYATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace mlir::dtc {

/// On each op that is Lowerable: its KernelTemplateAttr.
inline constexpr llvm::StringLiteral kKernelAttr = "dtc.kernel";
/// On a variable: an array with a PlaceAttr for each stage, unit where the
/// stage does not hold it. (On ops of tasks and on buffers dtc.places has one
/// entry a result, and one for the buffer.)
inline constexpr llvm::StringLiteral kStagePlacesAttr = "dtc.stage_places";
/// On an op that needs scratch bytes: a PlaceAttr.
inline constexpr llvm::StringLiteral kWorkspaceAttr = "dtc.workspace";
/// On the module: a dictionary for each stage with stage, arena_bytes,
/// lower_bound_bytes, peak_live_bytes (i64) and classes, an array of
/// dictionaries with name, elements and bytes.
inline constexpr llvm::StringLiteral kMemoryAttr = "dtc.memory";

} // namespace mlir::dtc

#endif // DTC_PASSES_MEMORYATTRIBUTES_H
