//===- KernelImage.h - Compiled kernels, loaded from memory
//----------------===//
//
// The program carries a shared object; it is loaded from an anonymous file, so
// nothing is written to disk and no compiler is needed.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_DEVICE_KERNELIMAGE_H
#define DTC_RUNTIME_DEVICE_KERNELIMAGE_H

#include "runtime/base/Status.h"
#include "runtime/schema/program_generated.h"

#include <memory>
#include <vector>

namespace dtc::rt {

/// A kernel's entry: buffers, integers, and a part of its outermost loop.
using KernelFunction = void (*)(void **buffers, const int64_t *scalars,
                                int64_t begin, int64_t end);

class KernelImage {
public:
  /// Loads all kernels of a program; one without kernels gives an empty image.
  ///
  /// Errors:  kInvalidProgram with the loader's text or the missing symbol.
  static Result<std::unique_ptr<KernelImage>>
  load(const program::KernelLibrary *library);

  ~KernelImage();
  KernelImage() = default;
  KernelImage(const KernelImage &) = delete;
  KernelImage &operator=(const KernelImage &) = delete;

  /// `index` is one of the library's kernels.
  KernelFunction function(uint32_t index) const { return functions[index]; }

private:
  void *handle = nullptr;
  std::vector<KernelFunction> functions;
};

} // namespace dtc::rt

#endif // DTC_RUNTIME_DEVICE_KERNELIMAGE_H
