//===- OpKinds.h - What the checker knows of each op of a step graph ------===//
//
// The checker's own table of op kinds: operands, which layouts are legal
// together axis by axis, what pads hold, and how degrees in (scale, 1/N) go
// through. It is written from the ops' descriptions and shares nothing with
// the compiler, so that a slip in one is seen by the other. A kind that is not
// in the table is an error.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_CHECK_OPKINDS_H
#define DTC_RUNTIME_CHECK_OPKINDS_H

#include "runtime/base/Status.h"
#include "runtime/check/ValueLayout.h"

namespace dtc::rt::check {

/// An op of the step graph with the global shapes that it works on: those of
/// the graph, or of buckets where the op stands for one graph op a member.
struct OpView {
  const program::GraphOp *table;
  std::vector<Shape> operands, results;
  /// What messages call the operands; `operand N` where empty.
  std::vector<std::string> labels = {};

  std::string label(size_t operand) const;
  std::string kind() const { return table->kind()->str(); }
  /// Integers of an attribute; empty where it is absent.
  std::vector<int64_t> integers(const char *name) const;
  bool hasFlag(const char *name) const {
    std::vector<int64_t> value = integers(name);
    return !value.empty() && value[0] != 0;
  }
};

/// "Operands lie so on an axis, then results lie so." R stands for On too.
struct AxisRule {
  std::vector<AxisLayout> operands, results;
};

/// Powers of the loss scale and of 1/N in a value.
struct Degree {
  int scale = 0, count = 0;
  bool operator==(const Degree &other) const {
    return scale == other.scale && count == other.count;
  }
  std::string str() const;
};

struct OpKind {
  const char *name;
  /// Names of the operands, separated by spaces; "..." where any number is
  /// legal. One in brackets may be missing.
  const char *operands;
  std::vector<AxisRule> (*axisRules)(const OpView &);
  /// Pads of the results, or an error where a sum needs zeros.
  Result<std::vector<Pads>> (*pads)(const OpView &, const std::vector<Pads> &);
  Result<std::vector<Degree>> (*degrees)(const OpView &,
                                         const std::vector<Degree> &);
};

/// Finds a kind; null where the checker does not know it.
const OpKind *findOpKind(const std::string &kind);

/// True for n-ary sum and or, which join terms and stages.
bool joinsTerms(const program::GraphOp &op);

/// The name of an operand, `operand N` or `operand 2`.
std::string operandName(const program::GraphOp &op, size_t index);

/// Errors where the number of operands or results is not the kind's.
Status checkCounts(const program::GraphOp &op);

/// Errors where the shapes are not the kind's; rules may index dimensions
/// freely afterwards.
Status checkShapes(const OpView &op);

/// States of the results on `axis` from those of the operands; an error names
/// the operand, what it holds and what was expected.
Result<std::vector<AxisLayout>>
inferAxis(const OpView &op, int axis, const std::vector<AxisLayout> &operands);

// Rules of the families, for the table.
std::vector<AxisRule> matMulRules(const OpView &);
std::vector<AxisRule> binaryRules(const OpView &);
std::vector<AxisRule> productRules(const OpView &);
std::vector<AxisRule> alikeRules(const OpView &);
std::vector<AxisRule> linearRules(const OpView &);
std::vector<AxisRule> reduceRules(const OpView &);
std::vector<AxisRule> broadcastRules(const OpView &);
std::vector<AxisRule> reshapeRules(const OpView &);
std::vector<AxisRule> transposeRules(const OpView &);
std::vector<AxisRule> boxRules(const OpView &);
std::vector<AxisRule> wholeRules(const OpView &);
std::vector<AxisRule> orRules(const OpView &);
std::vector<AxisRule> countRules(const OpView &);
std::vector<AxisRule> rowMaxRules(const OpView &);
std::vector<AxisRule> rowRules(const OpView &);
std::vector<AxisRule> crossEntropyRules(const OpView &);
std::vector<AxisRule> crossEntropyGradRules(const OpView &);
std::vector<AxisRule> rowLossRules(const OpView &);
std::vector<AxisRule> rowLossGradRules(const OpView &);
std::vector<AxisRule> summaryRules(const OpView &);
std::vector<AxisRule> bitRules(const OpView &);
std::vector<AxisRule> updateRules(const OpView &);

using PadResult = Result<std::vector<Pads>>;
using PadList = std::vector<Pads>;
PadResult matMulPads(const OpView &, const PadList &);
PadResult sumPads(const OpView &, const PadList &);
PadResult productPads(const OpView &, const PadList &);
PadResult keptPads(const OpView &, const PadList &);
PadResult eitherZeroPads(const OpView &, const PadList &);
PadResult reducePads(const OpView &, const PadList &);
PadResult broadcastPads(const OpView &, const PadList &);
PadResult reshapePads(const OpView &, const PadList &);
PadResult transposePads(const OpView &, const PadList &);
PadResult noPads(const OpView &, const PadList &);
PadResult anyPads(const OpView &, const PadList &);
PadResult labelledPads(const OpView &, const PadList &);
PadResult maskedPads(const OpView &, const PadList &);
PadResult summedPads(const OpView &, const PadList &);
PadResult updatePads(const OpView &, const PadList &);

using DegreeResult = Result<std::vector<Degree>>;
using DegreeList = std::vector<Degree>;
DegreeResult productDegrees(const OpView &, const DegreeList &);
DegreeResult equalDegrees(const OpView &, const DegreeList &);
DegreeResult passedDegrees(const OpView &, const DegreeList &);
DegreeResult plainDegrees(const OpView &, const DegreeList &);
DegreeResult freeDegrees(const OpView &, const DegreeList &);
DegreeResult lossDegrees(const OpView &, const DegreeList &);
DegreeResult lossGradDegrees(const OpView &, const DegreeList &);
DegreeResult unscaleDegrees(const OpView &, const DegreeList &);
DegreeResult squareDegrees(const OpView &, const DegreeList &);
DegreeResult rootDegrees(const OpView &, const DegreeList &);
DegreeResult clipDegrees(const OpView &, const DegreeList &);
DegreeResult updateDegrees(const OpView &, const DegreeList &);
DegreeResult advanceDegrees(const OpView &, const DegreeList &);

/// Pairs (operand, result) of dimensions that a reshape leaves alone.
std::vector<std::pair<int64_t, int64_t>> keptDims(const Shape &from,
                                                  const Shape &to);
/// Operands of sgd and adamw that lie as the variable does.
std::vector<size_t> updateTensors(const OpView &op);
bool isUpdate(const program::GraphOp &op);

} // namespace dtc::rt::check

#endif // DTC_RUNTIME_CHECK_OPKINDS_H
