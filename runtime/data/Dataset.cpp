//===- Dataset.cpp - Samples by global index ------------------------------===//
//
// Files are told apart by their first bytes and never by their names: a wrong
// suffix is common, a wrong magic is damage.
//
//===----------------------------------------------------------------------===//

#include "runtime/data/Dataset.h"

#include "runtime/data/DataOrder.h"
#include "runtime/data/GzipReader.h"
#include "runtime/data/IdxReader.h"
#include "runtime/data/NpyReader.h"
#include "runtime/data/SafetensorsReader.h"

namespace dtc::rt {

namespace {

/// One or several arrays, joined along dimension 0.
class ArrayDataset final : public Dataset {
public:
  struct Part {
    StoredArray array;
    /// Global index of its first sample.
    int64_t begin;
  };

  ArrayDataset(std::vector<Part> parts, int64_t sampleCount,
               std::vector<int64_t> sampleShape, StoredType storedType)
      : Dataset(sampleCount, std::move(sampleShape), storedType),
        parts(std::move(parts)) {}

  Status read(const int64_t *indices, int64_t indexCount, DType dtype,
              void *destination,
              const SampleTransform &transform) const override;

private:
  Status readSample(int64_t index, DType dtype, void *destination,
                    const SampleTransform &transform) const;

  std::vector<Part> parts;
};

} // namespace

Status ArrayDataset::readSample(int64_t index, DType dtype, void *destination,
                                const SampleTransform &transform) const {
  int64_t elements = elementsPerSample();
  if (index == kAbsentSample) {
    auto *target = static_cast<char *>(destination);
    for (int64_t i = 0; i < elements; ++i)
      storeElement(target + i * rt::byteSize(dtype), dtype, transform.fill);
    return Status::ok();
  }
  if (index < 0 || index >= sampleCount())
    return Status::invalidArgument()
           << parts[0].array.source->name() << ": sample " << index
           << " asked for, there are " << sampleCount();
  size_t last = parts.size() - 1;
  while (parts[last].begin > index)
    --last;
  return parts[last].array.read((index - parts[last].begin) * elements,
                                elements, dtype, destination, transform.scale,
                                transform.shift);
}

Status ArrayDataset::read(const int64_t *indices, int64_t indexCount,
                          DType dtype, void *destination,
                          const SampleTransform &transform) const {
  int64_t sampleBytes = elementsPerSample() * rt::byteSize(dtype);
  auto *target = static_cast<char *>(destination);
  for (int64_t i = 0; i < indexCount; ++i)
    DTC_RETURN_IF_ERROR(
        readSample(indices[i], dtype, target + i * sampleBytes, transform));
  return Status::ok();
}

static Result<StoredArray>
openTensor(std::shared_ptr<const ByteSource> source,
           const std::optional<std::string> &tensorName) {
  DTC_ASSIGN_OR_RETURN(SafetensorsReader reader,
                       SafetensorsReader::open(source));
  if (tensorName)
    return reader.find(*tensorName);
  if (reader.tensors().size() != 1)
    return Status::invalidArgument()
           << source->name() << ": holds " << reader.tensors().size()
           << " tensors; name one as " << source->name() << "#name";
  return reader.find(reader.tensors()[0].name);
}

Result<StoredArray> openArray(const std::string &path) {
  std::string file = path;
  std::optional<std::string> tensorName;
  Result<std::shared_ptr<const ByteSource>> opened = openFile(file);
  if (size_t hash = path.rfind('#');
      !opened.isOk() && hash != std::string::npos) {
    file = path.substr(0, hash);
    tensorName = path.substr(hash + 1);
    opened = openFile(file);
  }
  DTC_ASSIGN_OR_RETURN(std::shared_ptr<const ByteSource> source,
                       std::move(opened));
  if (source->byteSize() == 0)
    return damagedAt(*source, 0) << "the file is empty";
  DTC_ASSIGN_OR_RETURN(bool npy, isNpy(*source));
  DTC_ASSIGN_OR_RETURN(bool safetensors,
                       SafetensorsReader::isSafetensors(*source));
  if (safetensors && !npy)
    return openTensor(std::move(source), tensorName);
  if (tensorName)
    return Status::invalidArgument()
           << file << ": is no safetensors file, so it has no tensor \""
           << *tensorName << "\"";
  if (npy)
    return readNpy(std::move(source));
  DTC_ASSIGN_OR_RETURN(bool gzip, isGzip(*source));
  uint8_t magic[2] = {1, 1};
  DTC_RETURN_IF_ERROR(source->read(0, magic, source->byteSize() < 2 ? 1 : 2));
  if (gzip || (magic[0] == 0 && magic[1] == 0))
    return readIdx(std::move(source));
  return Status::invalidArgument(ErrorCode::kDataFileUnsupported)
         << file << ": begins as none of npy, idx, gzip and safetensors";
}

Result<std::unique_ptr<Dataset>>
openDataset(const std::vector<std::string> &paths) {
  if (paths.empty())
    return Status::invalidArgument() << "a data set without files";
  std::vector<ArrayDataset::Part> parts;
  int64_t samples = 0;
  for (const std::string &path : paths) {
    DTC_ASSIGN_OR_RETURN(StoredArray array, openArray(path));
    if (array.shape.empty())
      return Status::invalidArgument()
             << path
             << ": holds one number, expected a first dimension that "
                "counts samples";
    const StoredArray &first = parts.empty() ? array : parts[0].array;
    if (array.type != first.type ||
        !std::equal(array.shape.begin() + 1, array.shape.end(),
                    first.shape.begin() + 1, first.shape.end()))
      return Status::invalidArgument()
             << path << ": holds " << shapeText(array.shape) << " of "
             << array.type << ", " << paths[0] << " " << shapeText(first.shape)
             << " of " << first.type
             << "; files of a data set differ in the first dimension only";
    parts.push_back({array, samples});
    if (__builtin_add_overflow(samples, array.shape[0], &samples))
      return Status::invalidArgument()
             << path << ": more samples than can be counted";
  }
  std::vector<int64_t> sampleShape(parts[0].array.shape.begin() + 1,
                                   parts[0].array.shape.end());
  StoredType type = parts[0].array.type;
  if (!elementProduct(sampleShape))
    return damagedAt(*parts[0].array.source, 0)
           << "sample shape " << shapeText(sampleShape)
           << " has more elements than can be counted";
  return std::make_unique<ArrayDataset>(std::move(parts), samples,
                                        std::move(sampleShape), type);
}

} // namespace dtc::rt
