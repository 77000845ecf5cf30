//===- KernelImage.cpp - Compiled kernels, loaded from memory
//--------------===//
//
// memfd_create and dlopen of its path under /proc/self.
//
//===----------------------------------------------------------------------===//

#include "runtime/device/KernelImage.h"

#include <cerrno>
#include <cstring>
#include <string>

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

namespace dtc::rt {
namespace {

constexpr char kCpuTarget[] = "cpu";

Status writeAll(int file, const uint8_t *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(file, bytes, count);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return Status::outOfMemory()
             << "kernels of " << count << " bytes: " << std::strerror(errno);
    bytes += written;
    count -= static_cast<size_t>(written);
  }
  return Status::ok();
}

} // namespace

KernelImage::~KernelImage() {
  if (handle)
    dlclose(handle);
}

Result<std::unique_ptr<KernelImage>>
KernelImage::load(const program::KernelLibrary *library) {
  auto image = std::make_unique<KernelImage>();
  if (!library)
    return image;
  if (library->target()->str() != kCpuTarget)
    return Status::invalidProgram()
           << "kernels are for target '" << library->target()->str()
           << "', this runtime has '" << kCpuTarget << "'";
  int file = memfd_create("dtc-kernels", MFD_CLOEXEC);
  if (file < 0)
    return Status::outOfMemory() << "kernels: " << std::strerror(errno);
  Status written =
      writeAll(file, library->image()->data(), library->image()->size());
  if (written.isOk()) {
    std::string path = "/proc/self/fd/" + std::to_string(file);
    image->handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  close(file);
  DTC_RETURN_IF_ERROR(written);
  if (!image->handle)
    return Status::invalidProgram() << "kernels do not load: " << dlerror();
  for (const program::Kernel *kernel : *library->kernels()) {
    void *symbol = dlsym(image->handle, kernel->symbol()->c_str());
    if (!symbol)
      return Status::invalidProgram()
             << "kernels have no symbol " << kernel->symbol()->str();
    image->functions.push_back(reinterpret_cast<KernelFunction>(symbol));
  }
  return image;
}

} // namespace dtc::rt
