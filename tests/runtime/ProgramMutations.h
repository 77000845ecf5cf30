//===- ProgramMutations.h - Every small change of a program ---------------===//
//
// Lists the changes of a program that a slip in the compiler could make: an
// instruction left out, doubled or out of order, another axis, size, channel,
// operand, place, term, degree, call. A checker has to refuse each, but for
// those that do the same: a pure instruction twice, neighbours that share no
// bytes exchanged, a buffer moved to bytes that are free, one of two names of a
// value for the other, a layout that claims less. That a mutant is of these is
// not believed but shown, by running it on tokens.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_TESTS_RUNTIME_PROGRAMMUTATIONS_H
#define DTC_TESTS_RUNTIME_PROGRAMMUTATIONS_H

#include "runtime/schema/program_generated.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace dtc::rt::test {

/// A change of a program in its object form.
struct Mutation {
  std::string kind; ///< drop, double, swap, axis, elements ...
  std::string what; ///< stage, task, instruction, from what to what
  std::function<void(program::ProgramT &)> apply;
};

/// All changes of the training step of `program`, in a fixed order.
std::vector<Mutation> listMutations(const program::ProgramT &program);

/// What became of the mutants of a program, by kind.
struct MutationResult {
  std::map<std::string, int> refused;
  std::map<std::string, int> equivalent; ///< certified; they do the same
  std::vector<std::string> missed;       ///< certified; they do not
  std::vector<std::string> samples;      ///< one message a kind
};

/// Checks the program that each mutation makes of `bytes`.
MutationResult tryMutations(const std::vector<uint8_t> &bytes);

} // namespace dtc::rt::test

#endif // DTC_TESTS_RUNTIME_PROGRAMMUTATIONS_H
