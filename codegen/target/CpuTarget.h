//===- CpuTarget.h - Kernel module to a shared object ----------*- C++ -*-===//
//
// The only place that knows LLVM's pipeline and the linker for the CPU. The
// result is the bytes of an ELF file that a runner loads from memory.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_CODEGEN_TARGET_CPUTARGET_H
#define DTC_CODEGEN_TARGET_CPUTARGET_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mlir::dtc {

/// Compiles `module` (func, scf, memref, arith, math; static memref arguments)
/// for the host's processor and links it alone into a shared object.
///
/// Every public function `f.body(memrefs..., i64...)` gets a C entry
///   void f(void **buffers, const int64_t *scalars, int64_t begin, int64_t end)
/// where `buffers` are the memrefs in order, and `scalars`, `begin` and `end`
/// its integer arguments in order. Functions without the suffix stay as they
/// are. The module is consumed.
/// Errors:  emitted on the module; a math function without an expansion is one
///          (never a call to a slow library function).
FailureOr<std::string> compileForCpu(ModuleOp module);

} // namespace mlir::dtc

#endif // DTC_CODEGEN_TARGET_CPUTARGET_H
