//===- RandomKey.cpp - Random numbers as a pure function ------------------===//
//
// Built with -ffp-contract=off: a fused multiply-add would change last bits
// on machines that have one.
//
//===----------------------------------------------------------------------===//

#include "runtime/base/RandomKey.h"

#include <cmath>

namespace dtc::rt {

std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter,
                                   std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    uint64_t p = uint64_t{0xd2511f53} * counter[0];
    uint64_t q = uint64_t{0xcd9e8d57} * counter[2];
    counter = {static_cast<uint32_t>(q >> 32) ^ counter[1] ^ key[0],
               static_cast<uint32_t>(q),
               static_cast<uint32_t>(p >> 32) ^ counter[3] ^ key[1],
               static_cast<uint32_t>(p)};
    key[0] += 0x9e3779b9;
    key[1] += 0xbb67ae85;
  }
  return counter;
}

/// ln of a number in (0, 1]: exponent apart, then the series of atanh.
static double fixedLog(double value) {
  int exponent;
  double mantissa = std::frexp(value, &exponent);
  if (mantissa < 0.7071067811865476) {
    mantissa *= 2;
    --exponent;
  }
  double s = (mantissa - 1) / (mantissa + 1);
  double t = s * s;
  double p = 1.0 / 23;
  for (int divisor = 21; divisor >= 1; divisor -= 2)
    p = p * t + 1.0 / divisor;
  return exponent * 0.6931471805599453 + (2 * s) * p;
}

/// Cosine (`even`) and sine (`odd`) of a full turn times word / 2^32. The
/// nearest quarter turn is cut off in integers, exactly.
static NormalPair fixedCircle(uint32_t word) {
  uint32_t quarter = (word + 0x20000000u) >> 30;
  int32_t rest = static_cast<int32_t>(word - (quarter << 30));
  double x = rest * (6.283185307179586 / 4294967296.0);
  double t = x * x;
  double sine = 1;
  for (int n = 18; n >= 2; n -= 2)
    sine = 1 - (t / (n * (n + 1))) * sine;
  sine = x * sine;
  double cosine = 1;
  for (int n = 17; n >= 1; n -= 2)
    cosine = 1 - (t / (n * (n + 1))) * cosine;
  switch (quarter) {
  case 0:
    return {cosine, sine};
  case 1:
    return {-sine, cosine};
  case 2:
    return {-cosine, -sine};
  default:
    return {sine, -cosine};
  }
}

NormalPair normalPair(uint32_t first, uint32_t second) {
  double u = (static_cast<double>(first) + 1) * 0x1p-32;
  double radius = std::sqrt(-2 * fixedLog(u));
  NormalPair circle = fixedCircle(second);
  return {radius * circle.even, radius * circle.odd};
}

static uint64_t splitMix64(uint64_t z) {
  z += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

static uint64_t fnv1a64(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

RandomKey::RandomKey(uint64_t seed, std::string_view stableName) {
  uint64_t mixed = splitMix64(splitMix64(seed) ^ fnv1a64(stableName));
  key = {static_cast<uint32_t>(mixed), static_cast<uint32_t>(mixed >> 32)};
}

std::array<uint32_t, 4> RandomKey::block(uint64_t step,
                                         uint64_t blockIndex) const {
  return philox4x32({static_cast<uint32_t>(blockIndex),
                     static_cast<uint32_t>(blockIndex >> 32),
                     static_cast<uint32_t>(step),
                     static_cast<uint32_t>(step >> 32)},
                    key);
}

double RandomKey::normal(uint64_t step, uint64_t index) const {
  std::array<uint32_t, 4> random = block(step, index >> 2);
  uint64_t first = index & 2;
  NormalPair pair = normalPair(random[first], random[first + 1]);
  return index & 1 ? pair.odd : pair.even;
}

void RandomKey::fillNormal(uint64_t step, uint64_t firstIndex,
                           int64_t elementCount, double *destination) const {
  int64_t done = 0;
  while (done < elementCount) {
    uint64_t index = firstIndex + done;
    std::array<uint32_t, 4> random = block(step, index >> 2);
    for (uint64_t word = index & 2; word < 4 && done < elementCount;
         word += 2) {
      NormalPair pair = normalPair(random[word], random[word + 1]);
      if (!((firstIndex + done) & 1))
        destination[done++] = pair.even;
      if (done < elementCount)
        destination[done++] = pair.odd;
    }
  }
}

} // namespace dtc::rt
