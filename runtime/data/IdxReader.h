//===- IdxReader.h - Arrays of the MNIST family ---------------------------===//
//
// Two zero bytes, a type, a rank, big-endian sizes, data; plain or as gzip,
// which is how these data sets are handed out.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_DATA_IDXREADER_H
#define DTC_RUNTIME_DATA_IDXREADER_H

#include "runtime/data/StoredArray.h"

namespace dtc::rt {

/// Finds the array of an idx file. The sizes must account for every byte. A
/// gzip file is inflated into memory.
///
/// Errors:  kInvalidArgument (DTC-DATA-FILE-DAMAGED, -UNSUPPORTED) with the
///          file, the offset and what was expected.
/// Source:  "The MNIST database", section "The IDX file format".
Result<StoredArray> readIdx(std::shared_ptr<const ByteSource> source);

} // namespace dtc::rt

#endif // DTC_RUNTIME_DATA_IDXREADER_H
