//===- ByteSource.cpp - Bytes that a reader may not trust -----------------===//
//
// The one place of the data folder that talks to the system.
//
//===----------------------------------------------------------------------===//

#include "runtime/data/ByteSource.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dtc::rt {

Status damagedAt(const ByteSource &source, int64_t offset) {
  return Status::invalidArgument(ErrorCode::kDataFileDamaged)
         << source.name() << ": byte " << offset << ": ";
}

Status ByteSource::read(int64_t offset, void *destination,
                        int64_t byteCount) const {
  if (offset < 0 || byteCount < 0 || offset > size || byteCount > size - offset)
    return damagedAt(*this, offset) << byteCount << " bytes are needed, "
                                    << size << " bytes is the whole file";
  return byteCount == 0 ? Status::ok()
                        : readInside(offset, destination, byteCount);
}

namespace {

class FileSource final : public ByteSource {
public:
  FileSource(std::string path, int64_t byteSize, int descriptor)
      : ByteSource(std::move(path), byteSize), descriptor(descriptor) {}
  ~FileSource() override { ::close(descriptor); }

private:
  Status readInside(int64_t offset, void *destination,
                    int64_t byteCount) const override {
    auto *target = static_cast<char *>(destination);
    while (byteCount > 0) {
      ssize_t got = ::pread(descriptor, target, byteCount, offset);
      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        return Status::invalidArgument(ErrorCode::kFileUnreadable)
               << name() << ": byte " << offset << ": " << std::strerror(errno);
      if (got == 0)
        return damagedAt(*this, offset)
               << "the file ends here; it had " << byteSize()
               << " bytes when it was opened";
      target += got;
      offset += got;
      byteCount -= got;
    }
    return Status::ok();
  }

  int descriptor;
};

class MemorySource final : public ByteSource {
public:
  MemorySource(std::string name, std::vector<uint8_t> bytes)
      : ByteSource(std::move(name), static_cast<int64_t>(bytes.size())),
        bytes(std::move(bytes)) {}

private:
  Status readInside(int64_t offset, void *destination,
                    int64_t byteCount) const override {
    std::memcpy(destination, bytes.data() + offset, byteCount);
    return Status::ok();
  }

  std::vector<uint8_t> bytes;
};

} // namespace

Result<std::shared_ptr<const ByteSource>> openFile(const std::string &path) {
  auto unreadable = [&](const char *why) {
    return Status::invalidArgument(ErrorCode::kFileUnreadable)
           << path << ": " << why;
  };
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return unreadable(std::strerror(errno));
  struct stat info;
  const char *refusal = nullptr;
  if (::fstat(descriptor, &info) != 0)
    refusal = std::strerror(errno);
  else if (S_ISDIR(info.st_mode))
    refusal = "is a folder, expected a file";
  else if (!S_ISREG(info.st_mode))
    refusal = "is no regular file, which reading by position needs";
  if (refusal) {
    Status status = unreadable(refusal);
    ::close(descriptor);
    return status;
  }
  return std::make_shared<const FileSource>(path, info.st_size, descriptor);
}

std::shared_ptr<const ByteSource> makeMemorySource(std::string name,
                                                   std::vector<uint8_t> bytes) {
  return std::make_shared<const MemorySource>(std::move(name),
                                              std::move(bytes));
}

} // namespace dtc::rt
