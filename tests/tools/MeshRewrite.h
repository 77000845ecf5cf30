//===- MeshRewrite.h - The same file on another mesh -----------*- C++ -*-===//
//
// A test is written once and run on several meshes, and its oracle is the same
// file without any layout.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_TESTS_TOOLS_MESHREWRITE_H
#define DTC_TESTS_TOOLS_MESHREWRITE_H

#include "mlir/IR/BuiltinOps.h"

#include <map>

namespace mlir::dtc::test {

/// One mesh of `--mesh`: sizes by axis, and what else a plan says.
struct MeshSpec {
  std::string text; ///< as written: `dp:2xtp:2xzero:1xschedule:gpipe`
  std::map<std::string, int64_t> sizes; ///< pp, dp, tp, mb, zero
  std::string schedule;                 ///< empty: the file's
};

/// Reads meshes separated by commas. Returns the complaint, "" on success.
std::string parseMeshes(llvm::StringRef text, std::vector<MeshSpec> &meshes);

/// Puts the sizes into the plan of `module` and into each layout. Axes that the
/// mesh does not name keep theirs. Failure, with an error, where a layout has
/// no such axis or over pp, whose stages are written out.
LogicalResult setMesh(ModuleOp module, const MeshSpec &mesh);

/// True where some type below `module` has a layout.
bool hasLayouts(ModuleOp module);

/// Makes every type global and without encoding, and drops the ops that only
/// change a layout: what is left is what the file means, on one place.
LogicalResult removeLayouts(ModuleOp module);

} // namespace mlir::dtc::test

#endif // DTC_TESTS_TOOLS_MESHREWRITE_H
