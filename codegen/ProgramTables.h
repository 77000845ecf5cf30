//===- ProgramTables.h - Tables of a program that ids point into -*- C++
//-*-===//
//
// Layouts, terms and operations stand once in a program and are named by index.
// One object hands out the indices while the parts of a program are written, in
// the order of first use, so equal modules give equal bytes.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_CODEGEN_PROGRAMTABLES_H
#define DTC_CODEGEN_PROGRAMTABLES_H

#include "ir/DtcOps.h"

#include "runtime/schema/program_generated.h"

#include "llvm/ADT/StringMap.h"

namespace mlir::dtc {

/// Discardable attributes that plan-memory and select-kernels leave.
inline constexpr llvm::StringLiteral kPlannedKernelAttr = "dtc.kernel";
inline constexpr llvm::StringLiteral kPlannedStagePlacesAttr =
    "dtc.stage_places";
inline constexpr llvm::StringLiteral kPlannedWorkspaceAttr = "dtc.workspace";
inline constexpr llvm::StringLiteral kPlannedMemoryAttr = "dtc.memory";
/// Of an op on a bucket: the ids of the graph ops that it stands for, by member.
inline constexpr llvm::StringLiteral kIdsOfBucketAttr = "dtc.ids";

class ProgramTables {
public:
  explicit ProgramTables(::dtc::program::ProgramT &program)
      : program(program) {}

  /// Index of a layout; its pads are those of a tensor of `rank` dimensions.
  uint32_t getLayout(LayoutAttr layout, int64_t rank);
  uint32_t getTerm(StringRef name);
  /// A new operation id for `op`, written as an instruction of `kind`.
  uint32_t addOperation(Operation *op, StringRef kind);

private:
  ::dtc::program::ProgramT &program;
  DenseMap<std::pair<LayoutAttr, int64_t>, uint32_t> layouts;
  llvm::StringMap<uint32_t> terms;
};

::dtc::program::DType toProgramDType(Type elementType);
::dtc::program::ReductionKind toProgramReduction(ReductionKind kind);
std::vector<uint64_t> toProgramShape(ArrayRef<int64_t> shape);
/// Index of a mesh axis (pp, dp, tp, mb).
uint8_t toAxisIndex(StringRef axis);

/// The op's dtc.name, or its own name where it has none.
StringRef getProgramName(Operation *op);

} // namespace mlir::dtc

#endif // DTC_CODEGEN_PROGRAMTABLES_H
