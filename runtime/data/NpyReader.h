//===- NpyReader.h - Arrays that numpy saved ------------------------------===//
//
// Format versions 1 to 3, whose header is a Python dict. It is read as data and
// never evaluated; pickled objects are refused.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_DATA_NPYREADER_H
#define DTC_RUNTIME_DATA_NPYREADER_H

#include "runtime/data/StoredArray.h"

namespace dtc::rt {

/// Tells whether the bytes begin as npy does.
Result<bool> isNpy(const ByteSource &source);

/// Finds the array of an npy file. Shape and type must account for every byte.
///
/// Errors:  kInvalidArgument (DTC-DATA-FILE-DAMAGED, -UNSUPPORTED) with the
///          file, the offset and what was expected; column-major arrays of
///          two and more dimensions are refused by name.
/// Source:  numpy, "NEP 1: A simple file format for NumPy arrays".
Result<StoredArray> readNpy(std::shared_ptr<const ByteSource> source);

} // namespace dtc::rt

#endif // DTC_RUNTIME_DATA_NPYREADER_H
