//===- Passes.h - Every pass of dtc ----------------------------*- C++ -*-===//
//
// The public face of each pass: its create function, and registration of all.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_PASSES_PASSES_H
#define DTC_PASSES_PASSES_H

#include "ir/DtcOps.h"

#include "mlir/Pass/Pass.h"

#include <memory>

namespace mlir::dtc {

#define GEN_PASS_DECL
#include "passes/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Passes.h.inc"

} // namespace mlir::dtc

#endif // DTC_PASSES_PASSES_H
