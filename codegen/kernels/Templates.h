//===- Templates.h - Loop structures of generated kernels ------*- C++ -*-===//
//
// A template decides in which order elements are visited and what is kept from
// one to the next. What an element is, is the op's own knowledge.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_CODEGEN_KERNELS_TEMPLATES_H
#define DTC_CODEGEN_KERNELS_TEMPLATES_H

#include "codegen/kernels/KernelScope.h"

namespace mlir::dtc {

/// The ops of one kernel in order, what it reads and what it gives.
struct KernelBody {
  Operation *root = nullptr; ///< for messages
  SmallVector<Operation *> ops;
  SmallVector<KernelBuffer> buffers; ///< inputs, then outputs

  SmallVector<Value> getOutputs() const;
};

/// A kernel template. `fits` returns an empty string or why it does not.
struct KernelTemplateBuilder {
  std::string (*fits)(const KernelBody &);
  /// True where buffers may be seen as one-dimensional.
  bool (*isFlat)(const KernelBody &);
  int64_t (*parallelExtent)(const KernelBody &);
  void (*build)(KernelScope &, const KernelBody &);
};

/// map: every output has one shape and an element of its own at each index.
extern const KernelTemplateBuilder kMapTemplate;
/// row: reductions over the last dimension of one row at a time, scalars summed
/// over the rows, and outputs of the row's shape.
extern const KernelTemplateBuilder kRowTemplate;
/// column-sum: sums over leading dimensions, and outputs of the summed shape.
extern const KernelTemplateBuilder kColumnSumTemplate;
/// multi-tensor: updates segment by segment; flat scalars (norm, flag).
extern const KernelTemplateBuilder kMultiTensorTemplate;

ArrayRef<int64_t> getLocalShapeOf(Value value);

} // namespace mlir::dtc

#endif // DTC_CODEGEN_KERNELS_TEMPLATES_H
