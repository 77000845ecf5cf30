//===- GraphFacts.h - What follows from a step graph alone ----------------===//
//
// Degrees, full sets of terms and the makers of values do not depend on how a
// step is spread, so they are found once on the graph. On the way the graph
// itself is checked: one maker a value, operands before users, every trainable
// parameter updated once from its own gradient, clip factor and flag over all.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_CHECK_GRAPHFACTS_H
#define DTC_RUNTIME_CHECK_GRAPHFACTS_H

#include "runtime/check/OpKinds.h"

#include <map>
#include <optional>
#include <set>

namespace dtc::rt::check {

using TermNames = std::set<uint32_t>; ///< into Program.terms

class GraphFacts {
public:
  /// Checks `graph`; one of a training step also has updates.
  static Result<GraphFacts> build(const program::Program &program,
                                  const program::StepGraph &graph,
                                  bool isTraining);

  const program::StepGraph &graph() const { return *table; }
  const program::GraphOp &op(uint32_t index) const {
    return *table->ops()->Get(index);
  }
  const program::GraphValue &value(uint32_t index) const {
    return *table->values()->Get(index);
  }
  std::string name(uint32_t value) const;
  size_t valueCount() const { return table->values()->size(); }
  size_t opCount() const { return table->ops()->size(); }

  /// Two reads of a variable are one value; the first stands for all.
  uint32_t canonical(uint32_t value) const { return canonicals[value]; }
  Degree degree(uint32_t value) const { return degrees[value]; }
  /// Op that makes a value; -1 for reads and inputs.
  int32_t maker(uint32_t value) const { return makers[value]; }
  /// All terms of a value that an n-ary sum or or makes; null for others.
  const TermNames *fullTerms(uint32_t value) const;
  std::optional<uint32_t> readOf(const std::string &variable) const;
  std::optional<uint32_t> inputOf(const std::string &input) const;
  std::optional<uint32_t> storeOf(const std::string &variable) const;
  /// Value that the step publishes under a metric's name.
  std::optional<uint32_t> reportOf(const std::string &metric) const;
  const std::map<std::string, uint32_t> &allReports() const { return reports; }
  /// An op with the graph's own shapes.
  OpView view(uint32_t op) const;
  /// `{h0/skip, h0/up}`.
  std::string termsText(const TermNames &terms) const;

private:
  Status readValues();
  Status readOps();
  Status readOp(uint32_t index);
  Status readStores();
  Status checkUpdates();
  Status checkUpdate(const program::GraphOp &op, TermNames &updated);
  Status checkFlag(uint32_t flag, const TermNames &updated);
  Status checkFactor(uint32_t factor, const TermNames &updated);
  Status checkSummaries(const program::GraphOp &join, const char *kind);
  std::optional<uint32_t> termOf(const std::string &name) const;

  const program::Program *program = nullptr;
  const program::StepGraph *table = nullptr;
  std::vector<uint32_t> canonicals;
  std::vector<Degree> degrees;
  std::vector<int32_t> makers;
  std::vector<bool> isMade;
  std::map<uint32_t, TermNames> sums;
  std::map<std::string, uint32_t> reads, inputs, stores, reports;
  /// Unscaled gradient of each updated variable, by term.
  std::map<uint32_t, uint32_t> gradients;
};

} // namespace dtc::rt::check

#endif // DTC_RUNTIME_CHECK_GRAPHFACTS_H
