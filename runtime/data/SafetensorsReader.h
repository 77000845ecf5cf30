//===- SafetensorsReader.h - Named tensors of one file --------------------===//
//
// The format of checkpoints and of weights handed from other frameworks. Every
// rule of the format is checked once, when the file is opened; tensors are then
// read in place, in any order.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_DATA_SAFETENSORSREADER_H
#define DTC_RUNTIME_DATA_SAFETENSORSREADER_H

#include "runtime/data/StoredArray.h"

#include <map>

namespace dtc::rt {

/// A safetensors file whose header holds.
class SafetensorsReader {
public:
  /// What the header says of one tensor. `dtype` may be one that is not read.
  struct Tensor {
    std::string name;
    std::string dtype;
    std::vector<int64_t> shape;
    /// Position in the file, header included.
    int64_t byteOffset;
    int64_t byteCount;
  };

  /// Tells whether the bytes could begin a safetensors file: a length that
  /// fits, then an opening brace.
  static Result<bool> isSafetensors(const ByteSource &source);

  /// Reads and checks the header.
  ///
  /// Errors:  kInvalidArgument (DTC-DATA-FILE-DAMAGED) with the file, the
  ///          offset or the tensor, and the rule.
  /// Source:  huggingface/safetensors, README, section "Format".
  static Result<SafetensorsReader>
  open(std::shared_ptr<const ByteSource> source);

  /// All tensors, in the order of their bytes.
  const std::vector<Tensor> &tensors() const { return entries; }
  /// The file's own notes, from `__metadata__`.
  const std::map<std::string, std::string> &metadata() const { return notes; }

  /// Finds a tensor.
  ///
  /// Errors:  kInvalidArgument naming the tensor and those that there are, or
  ///          its type if it is one that is not read.
  Result<StoredArray> find(const std::string &tensorName) const;

private:
  std::shared_ptr<const ByteSource> source;
  std::vector<Tensor> entries;
  std::map<std::string, std::string> notes;
};

} // namespace dtc::rt

#endif // DTC_RUNTIME_DATA_SAFETENSORSREADER_H
