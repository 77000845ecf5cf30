//===- BatchLoader.cpp - A step's rows from the program's data
//-------------===//
//
// Names of files become datasets once; a step copies rows by index.
//
//===----------------------------------------------------------------------===//

#include "runtime/executor/BatchLoader.h"

#include "runtime/program/Program.h"

#include <filesystem>

namespace dtc::rt {
namespace {

/// Where Debian's data packages put their files: dataset-NAME under NAME.
constexpr char kPackageFolder[] = "/usr/share/datasets";

std::string findFile(const program::InputSource &source,
                     const std::string &file, const std::string &dataFolder) {
  std::filesystem::path path = file;
  if (path.is_absolute())
    return file;
  if (!dataFolder.empty())
    return (std::filesystem::path(dataFolder) / path).string();
  if (source.package())
    return (std::filesystem::path(kPackageFolder) / source.package()->str() /
            path)
        .string();
  return file;
}

std::vector<int64_t> toShape(const flatbuffers::Vector<uint64_t> *shape) {
  std::vector<int64_t> result;
  if (shape)
    for (uint64_t size : *shape)
      result.push_back(static_cast<int64_t>(size));
  return result;
}

const program::InputSource *findSource(const program::DataSplit &table,
                                       const program::Input &input) {
  for (const program::InputSource *source : *table.sources())
    if (source->input()->str() == input.name()->str())
      return source;
  return nullptr;
}

/// Opens the files of one input; elements of a sample must be as many as the
/// model wants, the shape may be flattened.
Result<std::unique_ptr<Dataset>> openSource(const program::InputSource &source,
                                            const program::Input &input,
                                            const std::string &dataFolder) {
  std::vector<std::string> paths;
  for (const flatbuffers::String *file : *source.files())
    paths.push_back(findFile(source, file->str(), dataFolder));
  DTC_ASSIGN_OR_RETURN(std::unique_ptr<Dataset> dataset, openDataset(paths));
  std::vector<int64_t> wanted = toShape(input.shape());
  if (dataset->elementsPerSample() != *elementProduct(wanted))
    return Status::invalidArgument()
           << paths.front() << ": a sample is "
           << shapeText(dataset->sampleShape()) << ", input "
           << input.name()->str() << " takes " << shapeText(wanted);
  return dataset;
}

} // namespace

Result<std::shared_ptr<const DataSplit>>
DataSplit::open(const program::Program &program,
                const program::DataSplit &table, const std::string &dataFolder,
                LastBatch lastBatch) {
  auto split = std::make_shared<DataSplit>();
  int64_t sampleCount = -1;
  std::string countedIn;
  for (const program::Input *input : *program.data()->inputs()) {
    Source entry;
    entry.name = input->name()->str();
    entry.dtype = toDType(input->dtype());
    entry.transform.fill = input->fill();
    entry.classCount = input->class_count();
    if (!input->validity()) {
      const program::InputSource *source = findSource(table, *input);
      if (!source)
        return Status::invalidArgument()
               << "input " << entry.name << ": the data names no file for it";
      entry.transform.scale = source->scale();
      entry.transform.shift = source->shift();
      DTC_ASSIGN_OR_RETURN(entry.dataset,
                           openSource(*source, *input, dataFolder));
      if (sampleCount >= 0 && entry.dataset->sampleCount() != sampleCount)
        return Status::invalidArgument()
               << "input " << entry.name << " has "
               << entry.dataset->sampleCount() << " samples, " << countedIn
               << " has " << sampleCount;
      sampleCount = entry.dataset->sampleCount();
      countedIn = entry.name;
    }
    split->sources.push_back(std::move(entry));
  }
  DTC_ASSIGN_OR_RETURN(
      DataOrder order,
      DataOrder::create({program.seed(), std::max<int64_t>(sampleCount, 0),
                         static_cast<int64_t>(program.data()->global_batch()),
                         table.shuffle(), lastBatch}));
  split->dataOrder = std::make_unique<DataOrder>(order);
  return std::shared_ptr<const DataSplit>(split);
}

BatchLoader::BatchLoader(std::shared_ptr<const DataSplit> split,
                         int64_t globalBatch)
    : split(std::move(split)), indices(static_cast<size_t>(globalBatch)) {}

/// A label out of range would add nothing to any sum, so it is an error here.
Status BatchLoader::checkLabels(const DataSplit::Source &source,
                                int64_t rowCount, const void *labels) const {
  int64_t perRow = source.dataset->elementsPerSample();
  int64_t bytes = byteSize(source.dtype);
  const auto *at = static_cast<const std::byte *>(labels);
  for (int64_t i = 0; i < rowCount * perRow; ++i) {
    double label = loadElement(at + i * bytes, source.dtype);
    if ((label < 0 || label >= double(source.classCount)) &&
        label != source.transform.fill)
      return Status::invalidArgument(ErrorCode::kDataValueRange)
             << "input " << source.name << " sample "
             << indices[static_cast<size_t>(i / perRow)] << ": label " << label
             << " is outside 0 to " << source.classCount - 1
             << " and is not the ignore label " << source.transform.fill;
  }
  return Status::ok();
}

Status BatchLoader::read(uint32_t input, int64_t step, int64_t firstRow,
                         int64_t rowCount, void *destination) {
  const DataSplit::Source &source = split->sources[input];
  if (!source.dataset) {
    auto *at = static_cast<std::byte *>(destination);
    for (int64_t row = 0; row < rowCount; ++row) {
      bool present =
          split->order().sampleAt(step, firstRow + row) != kAbsentSample;
      storeElement(at + row * byteSize(source.dtype), source.dtype,
                   present ? 1.0 : source.transform.fill);
    }
    return Status::ok();
  }
  for (int64_t row = 0; row < rowCount; ++row)
    indices[static_cast<size_t>(row)] =
        split->order().sampleAt(step, firstRow + row);
  DTC_RETURN_IF_ERROR(source.dataset->read(
      indices.data(), rowCount, source.dtype, destination, source.transform));
  return source.classCount > 0 ? checkLabels(source, rowCount, destination)
                               : Status::ok();
}

} // namespace dtc::rt
