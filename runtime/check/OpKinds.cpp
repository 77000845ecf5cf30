//===- OpKinds.cpp - The table of op kinds --------------------------------===//
//
// One line a kind. Its rules are in AxisRules, PadRules and DegreeRules.
//
//===----------------------------------------------------------------------===//

#include "runtime/check/OpKinds.h"

#include <cstring>
#include <sstream>

namespace dtc::rt::check {
namespace {

constexpr OpKind kKinds[] = {
    {"matmul", "lhs rhs", matMulRules, matMulPads, productDegrees},
    {"add", "lhs rhs", binaryRules, sumPads, equalDegrees},
    {"sub", "lhs rhs", binaryRules, sumPads, equalDegrees},
    {"mul", "lhs rhs", productRules, productPads, productDegrees},
    {"relu", "input", alikeRules, keptPads, passedDegrees},
    {"relu_grad", "cotangent output", alikeRules, eitherZeroPads,
     passedDegrees},
    {"cast", "input", alikeRules, keptPads, passedDegrees},
    {"reduce_sum", "input", reduceRules, reducePads, passedDegrees},
    {"broadcast", "input", broadcastRules, broadcastPads, passedDegrees},
    {"reshape", "input", reshapeRules, reshapePads, passedDegrees},
    {"transpose", "input", transposeRules, transposePads, passedDegrees},
    {"slice", "input", boxRules, keptPads, passedDegrees},
    {"pad", "input", boxRules, keptPads, passedDegrees},
    {"constant", "", wholeRules, noPads, plainDegrees},
    {"sum", "...", linearRules, sumPads, equalDegrees},
    {"dropout", "input", linearRules, keptPads, passedDegrees},
    {"count_valid", "labels", countRules, labelledPads, plainDegrees},
    {"row_max", "logits", rowMaxRules, anyPads, plainDegrees},
    {"sum_exp", "logits max", rowRules, anyPads, plainDegrees},
    {"pick", "logits labels", rowRules, labelledPads, plainDegrees},
    {"cross_entropy", "max sum pick labels N scale", crossEntropyRules,
     labelledPads, lossDegrees},
    {"cross_entropy_grad", "logits max sum labels N scale",
     crossEntropyGradRules, maskedPads, lossGradDegrees},
    {"squared_error", "prediction target labels N scale", rowLossRules,
     labelledPads, lossDegrees},
    {"squared_error_grad", "prediction target labels N scale",
     rowLossGradRules, maskedPads, lossGradDegrees},
    {"linear_loss", "input labels N scale", rowLossRules, labelledPads,
     lossDegrees},
    {"linear_loss_grad", "like labels N scale", rowLossGradRules, maskedPads,
     lossGradDegrees},
    {"count_correct", "max pick labels", countRules, labelledPads,
     plainDegrees},
    {"nonfinite_bit", "input", bitRules, noPads, freeDegrees},
    {"empty_bit", "count", wholeRules, noPads, plainDegrees},
    {"or", "...", orRules, noPads, freeDegrees},
    {"unscale", "input scale", updateRules, updatePads, unscaleDegrees},
    {"sum_squares", "input", summaryRules, summedPads, squareDegrees},
    {"sqrt", "input", alikeRules, keptPads, rootDegrees},
    {"clip_factor", "sum_squares", wholeRules, noPads, clipDegrees},
    {"learning_rate", "step", wholeRules, noPads, plainDegrees},
    {"sgd", "value [momentum_state] gradient factor flag learning_rate",
     updateRules, updatePads, updateDegrees},
    {"adamw",
     "value first_moment second_moment gradient factor flag learning_rate step",
     updateRules, updatePads, updateDegrees},
    {"advance", "step scale good flag", wholeRules, noPads, advanceDegrees},
};

bool isVariadic(const OpKind &kind) {
  return std::strcmp(kind.operands, "...") == 0;
}

/// Operand names of an op with `count` operands.
std::vector<std::string> operandNames(const OpKind &kind, size_t count) {
  std::vector<std::string> all, required;
  std::istringstream stream(kind.operands);
  for (std::string name; stream >> name;) {
    bool optional = name.front() == '[';
    if (optional)
      name = name.substr(1, name.size() - 2);
    all.push_back(name);
    if (!optional)
      required.push_back(name);
  }
  return count == required.size() ? required : all;
}

size_t resultCount(const program::GraphOp &op) {
  std::string kind = op.kind()->str();
  if (kind == "adamw" || kind == "advance")
    return 3;
  if (kind == "sgd")
    return op.operands()->size() == 6 ? 2 : 1;
  return 1;
}

} // namespace

std::vector<int64_t> OpView::integers(const char *name) const {
  if (table->attributes())
    for (const program::Attribute *attribute : *table->attributes())
      if (attribute->name()->str() == name && attribute->integers())
        return {attribute->integers()->begin(), attribute->integers()->end()};
  return {};
}

std::string OpView::label(size_t operand) const {
  return operand < labels.size() ? labels[operand]
                                 : operandName(*table, operand);
}

std::string Degree::str() const {
  return "(" + std::to_string(scale) + ", " + std::to_string(count) + ")";
}

const OpKind *findOpKind(const std::string &kind) {
  for (const OpKind &known : kKinds)
    if (kind == known.name)
      return &known;
  return nullptr;
}

bool joinsTerms(const program::GraphOp &op) {
  std::string kind = op.kind()->str();
  return kind == "sum" || kind == "or";
}

bool isUpdate(const program::GraphOp &op) {
  std::string kind = op.kind()->str();
  return kind == "sgd" || kind == "adamw";
}

std::vector<size_t> updateTensors(const OpView &op) {
  if (op.kind() == "unscale")
    return {0};
  if (op.kind() == "adamw")
    return {0, 1, 2, 3};
  return op.operands.size() == 6 ? std::vector<size_t>{0, 1, 2}
                                 : std::vector<size_t>{0, 1};
}

std::string operandName(const program::GraphOp &op, size_t index) {
  const OpKind *kind = findOpKind(op.kind()->str());
  size_t count = op.operands() ? op.operands()->size() : 0;
  if (kind && !isVariadic(*kind)) {
    std::vector<std::string> names = operandNames(*kind, count);
    if (index < names.size())
      return "operand " + names[index];
  }
  return "operand " + std::to_string(index);
}

Status checkCounts(const program::GraphOp &op) {
  const OpKind *kind = findOpKind(op.kind()->str());
  if (!kind)
    return Status::invalidProgram()
           << "op kind " << op.kind()->str() << " is not known to the checker";
  size_t operands = op.operands() ? op.operands()->size() : 0;
  size_t results = op.results() ? op.results()->size() : 0;
  bool isLegal = isVariadic(*kind)
                     ? operands > 0
                     : operandNames(*kind, operands).size() == operands;
  if (!isLegal)
    return Status::invalidProgram()
           << operands << " operands, expected those named: " << kind->operands;
  if (results != resultCount(op))
    return Status::invalidProgram()
           << results << " results, expected " << resultCount(op);
  if (joinsTerms(op) && (!op.terms() || op.terms()->size() != operands))
    return Status::invalidProgram()
           << "sets of terms for " << (op.terms() ? op.terms()->size() : 0)
           << " operands, expected " << operands;
  return Status::ok();
}

} // namespace dtc::rt::check
