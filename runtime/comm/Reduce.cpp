//===- Reduce.cpp - Join the elements of several ranks --------------------===//
//
// Works in chunks that stay in the first-level cache: a chunk is summed on the
// stack and stored last, since the destination may be one of the sources.
//
//===----------------------------------------------------------------------===//

#include "runtime/comm/Reduce.h"

#include <algorithm>
#include <cassert>
#include <type_traits>

namespace dtc::rt {

static constexpr int64_t kChunkElements = 512;

namespace {

// How an element lies in memory (Stored) and is computed with (Computed).
template <typename T>
struct Plain {
  using Stored = T;
  using Computed = T;
  static T load(T value) { return value; }
  static T store(T value) { return value; }
};

struct Bf16 {
  using Stored = uint16_t;
  using Computed = float;
  static float load(uint16_t bits) { return floatFromBf16(bits); }
  static uint16_t store(float value) { return bf16FromFloat(value); }
};

struct F16 {
  using Stored = uint16_t;
  using Computed = float;
  static float load(uint16_t bits) { return floatFromF16(bits); }
  static uint16_t store(float value) { return f16FromFloat(value); }
};

struct Sum {
  template <typename T>
  static T join(T a, T b) {
    if constexpr (std::is_integral_v<T>) // Wraps, as on every device.
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) +
                            static_cast<std::make_unsigned_t<T>>(b));
    else
      return a + b;
  }
};

struct Max {
  template <typename T>
  static T join(T a, T b) {
    // A NaN in either stays: `a > b` is false for a NaN b, `a != a` for a.
    return a > b || a != a ? a : b;
  }
};

struct Or {
  template <typename T>
  static T join(T a, T b) {
    return a | b;
  }
};

} // namespace

template <typename Element, typename Operation>
static void reduceAs(ReduceSources sources, int64_t first, void *destination,
                     int64_t elementCount) {
  using Stored = typename Element::Stored;
  typename Element::Computed joined[kChunkElements];
  auto *out = static_cast<Stored *>(destination);
  for (int64_t begin = 0; begin < elementCount; begin += kChunkElements) {
    int64_t elements = std::min(kChunkElements, elementCount - begin);
    for (int source = 0; source < sources.count; ++source) {
      const Stored *in =
          static_cast<const Stored *>(sources.pointers[source]) + first + begin;
      if (source == 0)
        for (int64_t i = 0; i < elements; ++i)
          joined[i] = Element::load(in[i]);
      else
        for (int64_t i = 0; i < elements; ++i)
          joined[i] = Operation::join(joined[i], Element::load(in[i]));
    }
    for (int64_t i = 0; i < elements; ++i)
      out[begin + i] = Element::store(joined[i]);
  }
}

template <typename Element>
static void reduceKind(ReduceSources sources, int64_t first, void *destination,
                       int64_t elementCount, ReductionKind kind) {
  switch (kind) {
  case ReductionKind::kSum:
    return reduceAs<Element, Sum>(sources, first, destination, elementCount);
  case ReductionKind::kMax:
    return reduceAs<Element, Max>(sources, first, destination, elementCount);
  case ReductionKind::kOr:
    if constexpr (std::is_integral_v<typename Element::Computed>)
      return reduceAs<Element, Or>(sources, first, destination, elementCount);
  }
}

void reduceElements(ReduceSources sources, int64_t first, void *destination,
                    int64_t elementCount, DType dtype, ReductionKind kind) {
  assert(canReduce(dtype, kind) && "callers check first");
  switch (dtype) {
  case DType::kI32:
    return reduceKind<Plain<int32_t>>(sources, first, destination, elementCount,
                                      kind);
  case DType::kI64:
    return reduceKind<Plain<int64_t>>(sources, first, destination, elementCount,
                                      kind);
  case DType::kF32:
    return reduceKind<Plain<float>>(sources, first, destination, elementCount,
                                    kind);
  case DType::kF64:
    return reduceKind<Plain<double>>(sources, first, destination, elementCount,
                                     kind);
  case DType::kBF16:
    return reduceKind<Bf16>(sources, first, destination, elementCount, kind);
  case DType::kF16:
    return reduceKind<F16>(sources, first, destination, elementCount, kind);
  }
}

} // namespace dtc::rt
