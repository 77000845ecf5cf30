//===- AxisRules.cpp - Which layouts of an op are legal together ----------===//
//
// Per axis and apart from all other axes. Linear ops pass a partial value on;
// what sums over a split dimension makes one; everything else refuses it.
//
//===----------------------------------------------------------------------===//

#include "runtime/check/OpKinds.h"

#include <algorithm>

namespace dtc::rt::check {
namespace {

using Rules = std::vector<AxisRule>;

const AxisLayout kR = AxisLayout::replicated();
const AxisLayout kX = AxisLayout::opaque();

AxisLayout S(int64_t dim) { return AxisLayout::split(dim); }
AxisLayout P(ReductionKind kind = ReductionKind::Sum) {
  return AxisLayout::partial(kind);
}

int64_t rank(const Shape &shape) { return static_cast<int64_t>(shape.size()); }

bool contains(const std::vector<int64_t> &list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// All operands in one state, all results in another.
AxisRule alike(const OpView &op, AxisLayout from, AxisLayout to) {
  return {std::vector<AxisLayout>(op.operands.size(), from),
          std::vector<AxisLayout>(op.results.size(), to)};
}

AxisRule whole(const OpView &op) { return alike(op, kR, kR); }

} // namespace

Rules matMulRules(const OpView &op) {
  int64_t m = op.hasFlag("transpose_lhs"), n = !op.hasFlag("transpose_rhs");
  return {{{kR, kR}, {kR}},           {{S(m), kR}, {S(0)}},
          {{kR, S(n)}, {S(1)}},       {{S(1 - m), S(1 - n)}, {P()}},
          {{P(), kR}, {P()}},         {{kR, P()}, {P()}}};
}

/// The right operand has the trailing dimensions of the left one.
static Rules splitRules(const OpView &op) {
  Rules rules = {whole(op)};
  int64_t lacking = rank(op.operands[0]) - rank(op.operands[1]);
  for (int64_t dim = 0; dim < rank(op.operands[0]); ++dim)
    rules.push_back(
        {{S(dim), dim < lacking ? kR : S(dim - lacking)}, {S(dim)}});
  return rules;
}

Rules binaryRules(const OpView &op) {
  Rules rules = splitRules(op);
  rules.push_back({{P(), P()}, {P()}});
  return rules;
}

Rules productRules(const OpView &op) {
  Rules rules = splitRules(op);
  rules.push_back({{P(), kR}, {P()}});
  rules.push_back({{kR, P()}, {P()}});
  return rules;
}

Rules alikeRules(const OpView &op) {
  Rules rules = {whole(op)};
  for (int64_t dim = 0; dim < rank(op.results[0]); ++dim)
    rules.push_back(alike(op, S(dim), S(dim)));
  return rules;
}

Rules linearRules(const OpView &op) {
  Rules rules = alikeRules(op);
  rules.push_back(alike(op, P(), P()));
  return rules;
}

Rules reduceRules(const OpView &op) {
  Rules rules = {whole(op), {{P()}, {P()}}};
  std::vector<int64_t> summed = op.integers("dims");
  int64_t kept = 0;
  for (int64_t dim = 0; dim < rank(op.operands[0]); ++dim)
    rules.push_back(
        {{S(dim)}, {contains(summed, dim) ? P() : S(kept++)}});
  return rules;
}

Rules broadcastRules(const OpView &op) {
  Rules rules = {whole(op), {{P()}, {P()}}};
  std::vector<int64_t> dims = op.integers("dims");
  for (int64_t dim = 0; dim < rank(op.results[0]); ++dim) {
    auto from = std::find(dims.begin(), dims.end(), dim);
    // A new dimension is split for nothing: each part repeats less often.
    rules.push_back(
        {{from == dims.end() ? kR : S(from - dims.begin())}, {S(dim)}});
  }
  return rules;
}

std::vector<std::pair<int64_t, int64_t>> keptDims(const Shape &from,
                                                  const Shape &to) {
  // A dimension is kept where as many elements stand before it in both, and it
  // is as long in both.
  std::vector<std::pair<int64_t, int64_t>> kept;
  for (size_t i = 0; i < from.size(); ++i)
    for (size_t j = 0; j < to.size(); ++j) {
      int64_t before = 1, resultBefore = 1;
      for (size_t k = 0; k < i; ++k)
        before *= from[k];
      for (size_t k = 0; k < j; ++k)
        resultBefore *= to[k];
      if (from[i] == to[j] && before == resultBefore &&
          (from[i] != 1 || i == j))
        kept.push_back({static_cast<int64_t>(i), static_cast<int64_t>(j)});
    }
  return kept;
}

Rules reshapeRules(const OpView &op) {
  Rules rules = {whole(op), {{P()}, {P()}}};
  for (auto [from, to] : keptDims(op.operands[0], op.results[0]))
    rules.push_back({{S(from)}, {S(to)}});
  return rules;
}

Rules transposeRules(const OpView &op) {
  Rules rules = {whole(op), {{P()}, {P()}}};
  std::vector<int64_t> permutation = op.integers("permutation");
  for (size_t to = 0; to < permutation.size(); ++to)
    rules.push_back({{S(permutation[to])}, {S(static_cast<int64_t>(to))}});
  return rules;
}

Rules boxRules(const OpView &op) {
  Rules rules = {whole(op), {{P()}, {P()}}};
  const Shape &from = op.operands[0], &to = op.results[0];
  for (size_t dim = 0; dim < std::min(from.size(), to.size()); ++dim)
    if (from[dim] == to[dim])
      rules.push_back({{S(static_cast<int64_t>(dim))},
                       {S(static_cast<int64_t>(dim))}});
  return rules;
}

Rules wholeRules(const OpView &op) { return {whole(op)}; }

Rules orRules(const OpView &op) {
  return {whole(op), alike(op, P(ReductionKind::Or), P(ReductionKind::Or))};
}

/// Rows are counted: whole labels give the count, split ones addends.
Rules countRules(const OpView &op) {
  Rules rules = {whole(op)};
  for (int64_t dim = 0; dim < rank(op.operands[0]); ++dim)
    rules.push_back(alike(op, S(dim), P()));
  return rules;
}

/// Logits whose classes are split give what `joined` says; rows split stay so.
static Rules classRules(const OpView &op, AxisLayout joined) {
  int64_t classes = rank(op.operands[0]) - 1;
  Rules rules = {whole(op)};
  for (int64_t dim = 0; dim < classes; ++dim)
    rules.push_back(alike(op, S(dim), S(dim)));
  AxisRule split = alike(op, kR, joined);
  split.operands[0] = S(classes);
  rules.push_back(split);
  return rules;
}

Rules rowMaxRules(const OpView &op) {
  return classRules(op, P(ReductionKind::Max));
}

Rules rowRules(const OpView &op) { return classRules(op, P()); }

/// `tensors` operands with rows, then labels, then N and the scale, both whole:
/// a rank's own count is no divisor.
static Rules lossRules(const OpView &op, bool isGradient) {
  size_t labels = op.operands.size() - 3;
  Rules rules = {whole(op)};
  for (int64_t dim = 0; dim < rank(op.operands[0]); ++dim) {
    AxisRule rule = alike(op, kR, isGradient ? S(dim) : P());
    for (size_t i = 0; i < labels; ++i)
      if (dim < rank(op.operands[i]))
        rule.operands[i] = S(dim);
    if (dim < rank(op.operands[labels]))
      rule.operands[labels] = S(dim);
    rules.push_back(rule);
  }
  return rules;
}

Rules crossEntropyRules(const OpView &op) { return lossRules(op, false); }

/// As a loss over rows; over classes max and sum, one a row, are whole.
Rules crossEntropyGradRules(const OpView &op) { return lossRules(op, true); }

Rules rowLossRules(const OpView &op) { return lossRules(op, false); }
Rules rowLossGradRules(const OpView &op) { return lossRules(op, true); }

/// One number of a whole tensor: parts, also opaque ones, give addends.
static Rules partRules(const OpView &op, ReductionKind kind) {
  Rules rules = {whole(op), {{kX}, {P(kind)}}};
  for (int64_t dim = 0; dim < rank(op.operands[0]); ++dim)
    rules.push_back({{S(dim)}, {P(kind)}});
  return rules;
}

Rules summaryRules(const OpView &op) {
  return partRules(op, ReductionKind::Sum);
}

Rules bitRules(const OpView &op) { return partRules(op, ReductionKind::Or); }

Rules updateRules(const OpView &op) {
  Rules rules = {whole(op)};
  auto add = [&](AxisLayout state) {
    AxisRule rule = alike(op, kR, state);
    for (size_t index : updateTensors(op))
      rule.operands[index] = state;
    rules.push_back(rule);
  };
  for (int64_t dim = 0; dim < rank(op.results[0]); ++dim)
    add(S(dim));
  add(kX);
  return rules;
}

Result<std::vector<AxisLayout>>
inferAxis(const OpView &op, int axis, const std::vector<AxisLayout> &operands) {
  Rules rules = findOpKind(op.kind())->axisRules(op);
  const AxisRule *best = nullptr;
  size_t bestMatches = 0;
  for (const AxisRule &rule : rules) {
    size_t matches = 0;
    for (size_t i = 0; i < operands.size(); ++i)
      matches += rule.operands[i] == operands[i];
    if (!best || matches > bestMatches) {
      best = &rule;
      bestMatches = matches;
    }
  }
  for (size_t i = 0; i < operands.size(); ++i)
    if (best->operands[i] != operands[i])
      return Status::invalidProgram()
             << op.label(i) << " holds " << operands[i].str()
             << " on axis \"" << axisName(axis) << "\", expected "
             << best->operands[i].str();
  return best->results;
}

} // namespace dtc::rt::check
