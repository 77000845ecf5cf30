//===- Philox.cpp - The random key, as the interpreter knows it -----------===//
//
// The page runtime/docs/random-key.md, section by section. Operations are those
// of the page and in its order, since last bits count.
//
//===----------------------------------------------------------------------===//

#include "ir/interpreter/Philox.h"

#include <cmath>
#include <utility>

// The page forbids a fused multiply-add anywhere.
#pragma clang fp contract(off)

namespace mlir::dtc {

//===-- Section 1: key
//------------------------------------------------------===//

static uint64_t mix(uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static uint64_t fnv(llvm::StringRef name) {
  uint64_t h = 0xcbf29ce484222325u;
  for (unsigned char byte : name)
    h = (h ^ byte) * 0x100000001b3u;
  return h;
}

RandomStream::RandomStream(uint64_t seed, llvm::StringRef name) {
  uint64_t bits = mix(mix(seed) ^ fnv(name));
  key = {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)};
}

//===-- Section 2: counter and word
//-----------------------------------------===//

std::array<uint32_t, 4> philox(std::array<uint32_t, 4> c,
                               std::array<uint32_t, 2> k) {
  for (int round = 0; round < 10; ++round) {
    uint64_t p = 0xd2511f53u * static_cast<uint64_t>(c[0]);
    uint64_t q = 0xcd9e8d57u * static_cast<uint64_t>(c[2]);
    uint32_t highP = p >> 32, highQ = q >> 32;
    c = {highQ ^ c[1] ^ k[0], static_cast<uint32_t>(q), highP ^ c[3] ^ k[1],
         static_cast<uint32_t>(p)};
    k[0] += 0x9e3779b9u;
    k[1] += 0xbb67ae85u;
  }
  return c;
}

uint32_t RandomStream::getWord(uint64_t step, uint64_t index) const {
  uint64_t block = index / 4;
  return philox(
      {static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32),
       static_cast<uint32_t>(step), static_cast<uint32_t>(step >> 32)},
      key)[index % 4];
}

//===-- Section 3: uniform and dropout
//--------------------------------------===//

double RandomStream::getUniform(uint64_t step, uint64_t index) const {
  return (getWord(step, index) >> 8) * 0x1p-24;
}

bool RandomStream::keeps(uint64_t step, uint64_t index, double rate) const {
  return getUniform(step, index) >= static_cast<float>(rate);
}

//===-- Section 4: normal
//---------------------------------------------------===//

static double naturalLog(double u) {
  int e;
  double m = std::frexp(u, &e);
  if (m < 0.7071067811865476) {
    m = m * 2;
    e = e - 1;
  }
  double s = (m - 1) / (m + 1);
  double t = s * s;
  double p = 1.0 / 23;
  for (int d = 21; d >= 1; d -= 2)
    p = p * t + 1.0 / d;
  return e * 0.6931471805599453 + (2 * s) * p;
}

/// Sine and cosine of a full turn times w / 2^32.
static std::pair<double, double> sineCosine(uint32_t w) {
  uint32_t q = (w + 0x20000000u) >> 30;
  int32_t f = static_cast<int32_t>(w - q * 0x40000000u);
  double x = f * (6.283185307179586 / 4294967296);
  double t = x * x;
  double s = 1;
  for (int d : {342, 272, 210, 156, 110, 72, 42, 20, 6})
    s = 1 - (t / d) * s;
  s = x * s;
  double c = 1;
  for (int d : {306, 240, 182, 132, 90, 56, 30, 12, 2})
    c = 1 - (t / d) * c;
  if (q == 0)
    return {s, c};
  if (q == 1)
    return {c, -s};
  if (q == 2)
    return {-s, -c};
  return {-c, s};
}

double RandomStream::getNormal(uint64_t step, uint64_t index) const {
  uint64_t even = index & ~uint64_t{1};
  double u = (static_cast<double>(getWord(step, even)) + 1) * 0x1p-32;
  double r = std::sqrt(-2 * naturalLog(u));
  auto [sine, cosine] = sineCosine(getWord(step, even + 1));
  return index == even ? r * cosine : r * sine;
}

} // namespace mlir::dtc
