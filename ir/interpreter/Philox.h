//===- Philox.h - The random key, as the interpreter knows it --*- C++ -*-===//
//
// A second writing of runtime/docs/random-key.md, from the page and not from
// the runtime's code: ir may not include runtime, and two writings that agree
// on the page's vectors are a check of each other.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_IR_INTERPRETER_PHILOX_H
#define DTC_IR_INTERPRETER_PHILOX_H

#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>

namespace mlir::dtc {

/// Step that initial values use; no op has a parameter's name.
inline constexpr uint64_t kInitialValueStep = 0;

/// Philox4x32-10.
///
/// Source:  Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3".
std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter,
                               std::array<uint32_t, 2> key);

/// The random numbers of one seed and one stable name.
class RandomStream {
public:
  RandomStream(uint64_t seed, llvm::StringRef name);

  std::array<uint32_t, 2> getKey() const { return key; }

  /// The word of element `index` of the logical tensor.
  uint32_t getWord(uint64_t step, uint64_t index) const;

  /// Uniform in [0, 1), a multiple of 2^-24.
  double getUniform(uint64_t step, uint64_t index) const;

  /// Standard normal.
  double getNormal(uint64_t step, uint64_t index) const;

  /// Dropout's decision; the rate is rounded to f32 first.
  bool keeps(uint64_t step, uint64_t index, double rate) const;

private:
  std::array<uint32_t, 2> key;
};

} // namespace mlir::dtc

#endif // DTC_IR_INTERPRETER_PHILOX_H
