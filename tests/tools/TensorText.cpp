//===- TensorText.cpp - Numbers by name, as text --------------------------===//
//
// One reader for command lines and files, so that a table of a design page can
// be pasted as it stands.
//
//===----------------------------------------------------------------------===//

#include "tests/tools/TensorText.h"

#include "mlir/IR/Diagnostics.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

namespace mlir::dtc::test {

std::string parseNumbers(llvm::StringRef text, NamedNumbers &numbers) {
  std::string part, name;
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines) {
    SmallVector<StringRef> words;
    llvm::SplitString(line.take_until([](char c) { return c == '#'; }), words,
                      " \t\r,;|=:[]");
    for (StringRef word : words) {
      double value;
      if (word.consume_front("@")) {
        part = word.str() + "/";
        name.clear();
      } else if (!word.getAsDouble(value)) {
        if (name.empty())
          return "number " + word.str() + " stands before any name";
        numbers[name].push_back(value);
      } else {
        name = part + word.str();
        if (!numbers.try_emplace(name).second)
          return name + " is given twice";
      }
    }
  }
  return "";
}

FailureOr<HostTensor> shapeNumbers(Location loc, llvm::StringRef name,
                                   llvm::ArrayRef<double> numbers,
                                   RankedTensorType type) {
  HostTensor tensor(type.getShape());
  if (numbers.size() != tensor.elements.size())
    return emitError(loc) << name << " has " << tensor.elements.size()
                          << " elements, given " << numbers.size();
  tensor.elements.assign(numbers.begin(), numbers.end());
  return tensor;
}

std::string formatTensor(const HostTensor &tensor) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "[";
  for (int64_t i = 0; i < tensor.getElementCount(); ++i)
    out << (i ? ", " : "") << llvm::format("%.12g", tensor[i]);
  out << "]";
  return text;
}

double getRelativeDifference(const HostTensor &expected,
                             const HostTensor &found) {
  if (expected.shape != found.shape)
    return INFINITY;
  double largest = 0, difference = 0;
  for (int64_t i = 0; i < expected.getElementCount(); ++i) {
    double a = expected[i], b = found[i];
    if (a == b || (std::isnan(a) && std::isnan(b)))
      b = a;
    else if (!std::isfinite(a) || !std::isfinite(b))
      return INFINITY;
    if (std::isfinite(a)) {
      largest = std::max(largest, std::fabs(a));
      difference = std::max(difference, std::fabs(a - b));
    }
  }
  return largest == 0 ? difference : difference / largest;
}

} // namespace mlir::dtc::test
