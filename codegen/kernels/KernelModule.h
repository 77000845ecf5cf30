//===- KernelModule.h - All generated kernels of a program -----*- C++ -*-===//
//
// Collects the kernels that a program launches, one for each different content:
// equal layers, and all ranks of a stage, share theirs.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_CODEGEN_KERNELS_KERNELMODULE_H
#define DTC_CODEGEN_KERNELS_KERNELMODULE_H

#include "codegen/kernels/KernelScope.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include "llvm/ADT/StringMap.h"

#include <string>

namespace mlir::dtc {

/// What the program needs to launch a kernel.
struct KernelDescription {
  std::string symbol;
  /// Iterations that may be split over threads; 1: none.
  int64_t parallelExtent = 1;
  /// Integer arguments; `buffer` counts inputs, then outputs, as the op has
  /// them.
  SmallVector<KernelScalar> scalars;
};

class KernelModule {
public:
  explicit KernelModule(MLIRContext *context);

  /// Adds the kernel of a graph op or `dtc.fused` with local types. Results
  /// that share the memory of an operand say so: `aliases` has one entry a
  /// result, the operand's index or -1. The launch passes one pointer for each
  /// operand and each result without alias, in this order. Errors:  emitted on
  /// `op` where no template makes it.
  FailureOr<unsigned> add(Operation *op, ArrayRef<int> aliases);

  ArrayRef<KernelDescription> getKernels() const { return kernels; }

  /// The kernels as text, for tests.
  ModuleOp getModule() { return *module; }

  /// Compiles all for the host's processor: the bytes of a shared object. The
  /// module is consumed.
  FailureOr<std::string> compileForHost();

private:
  OwningOpRef<ModuleOp> module;
  SmallVector<KernelDescription> kernels;
  llvm::StringMap<unsigned> byContent;
};

} // namespace mlir::dtc

#endif // DTC_CODEGEN_KERNELS_KERNELMODULE_H
