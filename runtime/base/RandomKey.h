//===- RandomKey.h - Random numbers as a pure function --------------------===//
//
// A mask or an initial weight is a function of seed, name, step and logical
// index alone, so plan, rank and recomputation cannot change it. The format is
// frozen in runtime/docs/random-key.md, whose vectors the tests hold; formulas
// are written there.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_BASE_RANDOMKEY_H
#define DTC_RUNTIME_BASE_RANDOMKEY_H

#include <array>
#include <cstdint>
#include <string_view>

namespace dtc::rt {

/// The step that initial values use.
inline constexpr uint64_t kInitialStep = 0;

/// Applies Philox4x32-10 to a 128-bit counter, lowest word first.
///
/// Source:  Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3".
std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter,
                                   std::array<uint32_t, 2> key);

/// Two numbers of the standard normal distribution.
struct NormalPair {
  double even;
  double odd;
};

/// Turns two random words into two normal numbers, by Box and Muller with
/// logarithm and circle functions of fixed operations: same bits everywhere.
NormalPair normalPair(uint32_t first, uint32_t second);

/// Turns a random word into a number in [0, 1), a multiple of 2^-24.
constexpr float uniformFromWord(uint32_t word) {
  return static_cast<float>(word >> 8) * 0x1p-24f;
}

/// The stream of random numbers that belongs to one seed and one name.
class RandomKey {
public:
  /// `stableName` is the name of a parameter or op that its clones share.
  RandomKey(uint64_t seed, std::string_view stableName);

  std::array<uint32_t, 2> words() const { return key; }

  /// The four words of elements 4·blockIndex to 4·blockIndex + 3.
  std::array<uint32_t, 4> block(uint64_t step, uint64_t blockIndex) const;

  /// The word of element `index` of the logical tensor.
  uint32_t word(uint64_t step, uint64_t index) const {
    return block(step, index >> 2)[index & 3];
  }
  float uniform(uint64_t step, uint64_t index) const {
    return uniformFromWord(word(step, index));
  }
  double normal(uint64_t step, uint64_t index) const;

  /// Dropout's decision: true if the element is kept.
  bool keeps(uint64_t step, uint64_t index, float dropProbability) const {
    return uniform(step, index) >= dropProbability;
  }

  /// Writes the normal numbers of `elementCount` consecutive elements, one
  /// block of words for each four.
  void fillNormal(uint64_t step, uint64_t firstIndex, int64_t elementCount,
                  double *destination) const;

private:
  std::array<uint32_t, 2> key;
};

} // namespace dtc::rt

#endif // DTC_RUNTIME_BASE_RANDOMKEY_H
