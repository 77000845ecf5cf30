//===- PhiloxAgreementTest.cpp - Two generators, the same bits ------------===//
//
// The interpreter may not include the runtime, so the random key was written
// twice from its page. Masks and initial weights of the two must not differ in
// one bit, or the interpreter is no oracle.
//
//===----------------------------------------------------------------------===//

#include "ir/interpreter/Philox.h"
#include "runtime/base/RandomKey.h"

#include <gtest/gtest.h>

namespace {

TEST(PhiloxAgreementTest, InterpreterAndRuntimeDrawTheSameBits) {
  ASSERT_EQ(mlir::dtc::kInitialValueStep, dtc::rt::kInitialStep);
  for (uint64_t seed : {uint64_t{0}, uint64_t{7}, ~uint64_t{0}})
    for (const char *name : {"", "h.3.attn.qkv.weight", "层.0.dropout"}) {
      mlir::dtc::RandomStream interpreted(seed, name);
      dtc::rt::RandomKey run(seed, name);
      for (uint64_t step : {uint64_t{0}, uint64_t{1} << 40})
        for (uint64_t from : {uint64_t{0}, uint64_t{1} << 34})
          for (uint64_t i = from; i < from + 1000; ++i) {
            ASSERT_EQ(interpreted.getWord(step, i), run.word(step, i));
            ASSERT_EQ(interpreted.getUniform(step, i), run.uniform(step, i));
            ASSERT_EQ(interpreted.getNormal(step, i), run.normal(step, i));
            ASSERT_EQ(interpreted.keeps(step, i, 0.1),
                      run.keeps(step, i, 0.1f));
          }
    }
}

} // namespace
