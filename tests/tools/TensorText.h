//===- TensorText.h - Numbers by name, as text -----------------*- C++ -*-===//
//
// Inputs, initial values and expected results of tests are lists of numbers
// with a name. The shape comes from the type of what is named, so brackets and
// bars are for the reader only.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_TESTS_TOOLS_TENSORTEXT_H
#define DTC_TESTS_TOOLS_TENSORTEXT_H

#include "ir/interpreter/HostTensor.h"

#include <map>

namespace mlir::dtc::test {

/// Flat numbers by name.
using NamedNumbers = std::map<std::string, std::vector<double>>;

/// Reads `x=[1, 2, 3] w 0.5 1 | 2 3`. Words that are no number begin an entry;
/// spaces, `, ; | = : [ ]` separate; `#` hides the rest of a line. A word
/// `@part` puts the names after it into a part: `part/name`. A name twice, or
/// numbers before any name, are an error, returned as text; "" is success.
std::string parseNumbers(llvm::StringRef text, NamedNumbers &numbers);

/// The numbers in the shape of `type`; failure with an error at `loc` where
/// their count is another.
FailureOr<HostTensor> shapeNumbers(Location loc, llvm::StringRef name,
                                   llvm::ArrayRef<double> numbers,
                                   RankedTensorType type);

/// `[1, 2.5, -3]`, flat, 12 digits.
std::string formatTensor(const HostTensor &tensor);

/// Largest difference of two tensors, relative to the largest element of
/// `expected` (absolute where that is 0). Elements that are NaN or infinite
/// differ unless they are equal. Infinite where shapes differ.
double getRelativeDifference(const HostTensor &expected,
                             const HostTensor &found);

} // namespace mlir::dtc::test

#endif // DTC_TESTS_TOOLS_TENSORTEXT_H
