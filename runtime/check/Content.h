//===- Content.h - What bytes mean, without their numbers -----------------===//
//
// The checker runs a program on contents in place of numbers: which values of
// the step graph some bytes are, how they lie, of which micro-batch, and which
// terms of a sum they have. Everything but the logical ids is reckoned by the
// checker from what an instruction reads.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_CHECK_CONTENT_H
#define DTC_RUNTIME_CHECK_CONTENT_H

#include "runtime/check/GraphFacts.h"

#include <memory>

namespace dtc::rt::check {

/// A parameter (or its gradient) inside a bucket.
struct PackedMember {
  ValueLayout layout;
  int64_t elements = 0; ///< of one coordinate's padded part
};

struct Content {
  enum class Kind {
    Value,
    Zeros,       ///< a cleared accumulator
    Accumulator, ///< some micro-batches are added, not all
    Variable,    ///< of a variable before its read
  };

  Kind kind = Kind::Value;
  std::string name; ///< of the program's value that it was made as
  /// Into the step graph; several for a bucket, or for one number of a bucket
  /// (the squares of its members, say).
  std::vector<uint32_t> logicals;
  program::DType dtype = program::DType::F32;
  Shape global, local;
  ValueLayout layout;
  /// Of n-ary sums and ors: the contributions that are in it so far.
  TermNames terms;
  TermNames stageTerms; ///< of the stage alone, where pp was reduced
  /// False where only declarations are looked at, which hold no terms.
  bool isExact = true;
  int64_t microBatch = -1; ///< where the value varies over time
  std::vector<PackedMember> members;
  std::vector<bool> added; ///< micro-batches in an accumulator
  /// What the rows that a batch does not have hold.
  std::optional<double> fill;
  int32_t variable = -1;

  bool isPacked() const { return !members.empty(); }
  int64_t byteCount() const;
  /// `h1 of micro-batch 0`.
  std::string str() const;
};
using ContentPtr = std::shared_ptr<const Content>;

/// Bytes of one element of a schema type.
int64_t elementBytes(program::DType dtype);

} // namespace dtc::rt::check

#endif // DTC_RUNTIME_CHECK_CONTENT_H
