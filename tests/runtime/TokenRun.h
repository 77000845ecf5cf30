//===- TokenRun.h - A program run on tokens in place of numbers -----------===//
//
// Two programs do the same if every number that a step leaves was made in the
// same way from the same numbers. So a kernel's result is a hash of what it
// read, a sum the sum of its addends, and whatever two programs leave equal they
// compute equal. It knows what instructions do to bytes and nothing of layouts,
// logical ids or terms: with it the mutation tests prove that a mutant which is
// certified is no other program.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_TESTS_RUNTIME_TOKENRUN_H
#define DTC_TESTS_RUNTIME_TOKENRUN_H

#include "runtime/schema/program_generated.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace dtc::rt::test {

/// What a training step leaves.
struct TokenResult {
  std::vector<std::string> variables; ///< of all ranks, with their tokens
  std::map<std::string, std::set<std::string>> reports; ///< by metric

  /// True where a run left the same: a metric that several ranks publish may
  /// come from fewer of them.
  bool isSameAs(const TokenResult &expected) const;
};

/// Runs a training step; no variable where the ranks wait for each other.
///
/// `lateSends` lets a post be copied as late as its receive can be, with its
/// sender as far on as it can go; otherwise it is copied at once.
TokenResult runTokens(const program::Program &program,
                      bool lateSends);

} // namespace dtc::rt::test

#endif // DTC_TESTS_RUNTIME_TOKENRUN_H
