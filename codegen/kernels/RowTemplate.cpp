//===- RowTemplate.cpp - Rows, and scalars over rows ----------------------===//
//
// Walks the rows of a tensor. In each row: the reductions over its last
// dimension in the order of the ops, then the outputs that have the row's shape
// in one loop, then the terms of scalars that sum over rows. A scalar makes the
// kernel sequential, so its order of summation does not depend on threads.
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/Templates.h"

#include "mlir/IR/BuiltinTypes.h"

namespace mlir::dtc {
namespace {

bool isScalar(Value value) { return getLocalShapeOf(value).empty(); }

/// A reduction that keeps all but the last dimension of its domain. One that
/// keeps none is a scalar's.
bool isRowReduction(Operation *op) {
  if (!findReductionFunction(op))
    return false;
  ArrayRef<int64_t> domain = getReductionDomain(op);
  if (domain.size() < 2 ||
      getLocalShapeOf(op->getResult(0)) != domain.drop_back())
    return false;
  auto sum = dyn_cast<ReduceSumOp>(op);
  return !sum ||
         (sum.getDims().size() == 1 &&
          sum.getDims().front() == static_cast<int64_t>(domain.size()) - 1);
}

bool isScalarReduction(Operation *op) {
  return findReductionFunction(op) && isScalar(op->getResult(0)) &&
         !isRowReduction(op);
}

/// The shape that is walked: the rows of the row reductions, or all indices of
/// the scalars where there are none.
ArrayRef<int64_t> walkShape(const KernelBody &body) {
  for (Operation *op : body.ops)
    if (isRowReduction(op))
      return getReductionDomain(op).drop_back();
  for (Operation *op : body.ops)
    if (isScalarReduction(op))
      return getReductionDomain(op);
  return {};
}

std::string fits(const KernelBody &body) {
  ArrayRef<int64_t> shape = walkShape(body);
  bool reduces = false;
  for (Operation *op : body.ops) {
    if (isRowReduction(op)) {
      reduces = true;
      if (getReductionDomain(op).drop_back() != shape)
        return "its rows have different shapes";
    } else if (isScalarReduction(op)) {
      reduces = true;
      if (getReductionDomain(op) != shape)
        return "a scalar sums over another shape than the rows'";
    } else if (findReductionFunction(op)) {
      return "it reduces other dimensions than the last";
    }
  }
  return reduces ? "" : "nothing is reduced";
}

bool isFlat(const KernelBody &) { return false; }

bool hasScalars(const KernelBody &body) {
  return llvm::any_of(body.ops, isScalarReduction);
}

int64_t parallelExtent(const KernelBody &body) {
  ArrayRef<int64_t> shape = walkShape(body);
  return hasScalars(body) || shape.empty() ? 1 : shape.front();
}

Value identityOf(KernelScope &scope, Operation *op) {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  double identity = findReductionFunction(op)->identity;
  if (isa<FloatType>(type))
    return scope.real(type, identity);
  return scope.b.create<arith::ConstantOp>(
      scope.loc, scope.b.getIntegerAttr(type, static_cast<int64_t>(identity)));
}

/// Reduces one row of `op`'s domain.
Value reduceRow(KernelScope &scope, Operation *op, ValueRange row) {
  const ReductionFunction &reduction = *findReductionFunction(op);
  SmallVector<Value> at = llvm::to_vector(row);
  at.push_back({});
  Value total =
      scope.forLoop(scope.index(0), scope.index(getReductionDomain(op).back()),
                    identityOf(scope, op),
                    [&](Value column, ValueRange totals) -> SmallVector<Value> {
                      at.back() = column;
                      return {reduction.combine(scope, totals.front(),
                                                reduction.term(scope, op, at))};
                    })[0];
  return reduction.finish ? reduction.finish(scope, op, total) : total;
}

/// Stores the outputs that have one more dimension than the walk, all of one
/// column before the next.
void storeColumns(KernelScope &scope, ArrayRef<Value> outputs, ValueRange row) {
  if (outputs.empty())
    return;
  int64_t columns = getLocalShapeOf(outputs.front()).back();
  scope.forLoop(scope.index(0), scope.index(columns), [&](Value column) {
    SmallVector<Value> at = llvm::to_vector(row), elements;
    at.push_back(column);
    for (Value output : outputs)
      elements.push_back(scope.element(output, at));
    for (auto [element, output] : llvm::zip_equal(elements, outputs))
      scope.store(element, output, at);
  });
}

/// Every value of the row is made before the first store: an output may lie
/// over the input that a later value, such as the label's logit, still reads.
void buildRow(KernelScope &scope, const KernelBody &body, ValueRange row) {
  SmallVector<Value> columns;
  for (Operation *op : body.ops) {
    if (isScalarReduction(op))
      continue;
    for (Value result : op->getResults()) {
      size_t rank = getLocalShapeOf(result).size();
      if (isRowReduction(op) || (rank == row.size() && rank > 0))
        scope.bind(result, isRowReduction(op) ? reduceRow(scope, op, row)
                                              : scope.element(result, row));
      else if (rank == row.size() + 1 && scope.isOutput(result))
        columns.push_back(result);
    }
  }
  for (Operation *op : body.ops)
    for (Value result : op->getResults())
      if (!isScalar(result) && scope.isOutput(result) &&
          getLocalShapeOf(result).size() == row.size())
        scope.store(scope.element(result, row), result, row);
  storeColumns(scope, columns, row);
}

void build(KernelScope &scope, const KernelBody &body) {
  SmallVector<Operation *> scalars;
  SmallVector<Value> identities;
  for (Operation *op : body.ops)
    if (isScalarReduction(op)) {
      scalars.push_back(op);
      identities.push_back(identityOf(scope, op));
    }
  SmallVector<Value> totals = scope.forShape(
      walkShape(body), /*partitioned=*/scalars.empty(), identities,
      [&](ValueRange at, ValueRange carried) {
        buildRow(scope, body, at);
        SmallVector<Value> next;
        for (auto [op, total] : llvm::zip_equal(scalars, carried)) {
          const ReductionFunction &reduction = *findReductionFunction(op);
          next.push_back(
              reduction.combine(scope, total, reduction.term(scope, op, at)));
        }
        return next;
      });
  // Values of a row end with it.
  for (Operation *op : body.ops)
    for (Value result : op->getResults())
      scope.unbind(result);
  for (auto [op, total] : llvm::zip_equal(scalars, totals)) {
    const ReductionFunction &reduction = *findReductionFunction(op);
    Value value = reduction.finish ? reduction.finish(scope, op, total) : total;
    scope.bind(op->getResult(0), value);
    if (scope.isOutput(op->getResult(0)))
      scope.store(value, op->getResult(0), {});
  }
  // Scalars made from scalars: the flag of several bits, say.
  for (Operation *op : body.ops)
    for (Value result : op->getResults())
      if (isScalar(result) && !findReductionFunction(op) &&
          scope.isOutput(result))
        scope.store(scope.element(result, {}), result, {});
}

} // namespace

const KernelTemplateBuilder kRowTemplate = {fits, isFlat, parallelExtent,
                                            build};

} // namespace mlir::dtc
