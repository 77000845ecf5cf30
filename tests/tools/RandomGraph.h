//===- RandomGraph.h - Random models for run-tests -------------*- C++ -*-===//
//
// Passes are judged on graphs that nobody thought of: odd sizes, skips, tied
// weights, broadcasts, overlapping slices, dropout, any loss.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_TESTS_TOOLS_RANDOMGRAPH_H
#define DTC_TESTS_TOOLS_RANDOMGRAPH_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::dtc::test {

/// A module as import makes it (forward graph, loss, reports; plan of one rank,
/// AdamW or SGD), drawn from `seed`. The same seed gives the same module.
OwningOpRef<ModuleOp> makeRandomGraph(MLIRContext &context, uint64_t seed);

} // namespace mlir::dtc::test

#endif // DTC_TESTS_TOOLS_RANDOMGRAPH_H
