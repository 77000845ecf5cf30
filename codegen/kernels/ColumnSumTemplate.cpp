//===- ColumnSumTemplate.cpp - Sums over leading dimensions ---------------===//
//
// Bias gradients: rows are added into one row of sums, which stays in cache, so
// memory is read once in its own order. Threads take ranges of columns. Other
// reductions of several dimensions are loops of sums, one a kept index.
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/Templates.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::dtc {
namespace {

SmallVector<ReduceSumOp> getSums(const KernelBody &body) {
  SmallVector<ReduceSumOp> sums;
  for (Operation *op : body.ops)
    if (auto sum = dyn_cast<ReduceSumOp>(op))
      sums.push_back(sum);
  return sums;
}

bool sumsLeading(ReduceSumOp sum) {
  for (auto [position, dim] : llvm::enumerate(sum.getDims()))
    if (dim != static_cast<int64_t>(position))
      return false;
  return true;
}

std::string fits(const KernelBody &body) {
  SmallVector<ReduceSumOp> sums = getSums(body);
  if (sums.empty())
    return "nothing is summed";
  if (sums.size() == 1 && body.ops.size() == 1)
    return "";
  for (ReduceSumOp sum : sums)
    if (!sumsLeading(sum) || sum.getDims() != sums.front().getDims() ||
        getReductionDomain(sum) != getReductionDomain(sums.front()))
      return "its sums go over different dimensions";
  for (Value output : body.getOutputs())
    if (!output.getDefiningOp<ReduceSumOp>() &&
        getLocalShapeOf(output) != getReductionDomain(sums.front()))
      return "a result has another shape than what is summed";
  return "";
}

bool isFlat(const KernelBody &) { return false; }

int64_t parallelExtent(const KernelBody &body) {
  ArrayRef<int64_t> kept = getLocalShapeOf(getSums(body).front().getResult());
  return kept.empty() ? 1 : kept.front();
}

/// One sum over any dimensions: a loop nest a kept index.
void buildGeneral(KernelScope &scope, ReduceSumOp sum) {
  ArrayRef<int64_t> domain = getReductionDomain(sum);
  SmallVector<int64_t> reduced;
  for (int64_t dim : sum.getDims())
    reduced.push_back(domain[dim]);
  Type type = getElementTypeOrSelf(sum.getType());
  const ReductionFunction &reduction = *findReductionFunction(sum);
  scope.forShape(
      getLocalShapeOf(sum.getResult()), /*partitioned=*/true,
      [&](ValueRange kept) {
        Value total = scope.forShape(
            reduced, /*partitioned=*/false, scope.real(type, 0.0),
            [&](ValueRange summed, ValueRange totals) -> SmallVector<Value> {
              SmallVector<Value> at;
              size_t nextKept = 0, nextSummed = 0;
              for (int64_t dim = 0; dim < static_cast<int64_t>(domain.size());
                   ++dim)
                at.push_back(llvm::is_contained(sum.getDims(), dim)
                                 ? summed[nextSummed++]
                                 : kept[nextKept++]);
              return {reduction.combine(scope, totals.front(),
                                        reduction.term(scope, sum, at))};
            })[0];
        scope.store(total, sum.getResult(), kept);
      });
}

void buildLeading(KernelScope &scope, const KernelBody &body) {
  SmallVector<ReduceSumOp> sums = getSums(body);
  ArrayRef<int64_t> domain = getReductionDomain(sums.front());
  ArrayRef<int64_t> kept = getLocalShapeOf(sums.front().getResult());
  ArrayRef<int64_t> summed = domain.drop_back(kept.size());
  SmallVector<Value> others;
  for (Value output : body.getOutputs())
    if (!output.getDefiningOp<ReduceSumOp>())
      others.push_back(output);

  scope.forShape(kept, /*partitioned=*/true, [&](ValueRange column) {
    for (ReduceSumOp sum : sums)
      scope.store(scope.real(getElementTypeOrSelf(sum.getType()), 0.0),
                  sum.getResult(), column);
  });
  scope.forShape(summed, /*partitioned=*/false, [&](ValueRange row) {
    scope.forShape(kept, /*partitioned=*/true, [&](ValueRange column) {
      SmallVector<Value> at = llvm::to_vector(row);
      llvm::append_range(at, column);
      for (Value output : others)
        scope.bind(output, scope.element(output, at));
      for (ReduceSumOp sum : sums) {
        Value total = scope.loadOutput(sum.getResult(), column);
        scope.store(scope.b.create<arith::AddFOp>(
                        scope.loc, total, scope.element(sum.getInput(), at)),
                    sum.getResult(), column);
      }
      for (Value output : others) {
        scope.store(scope.element(output, at), output, at);
        scope.unbind(output);
      }
    });
  });
}

void build(KernelScope &scope, const KernelBody &body) {
  ReduceSumOp first = getSums(body).front();
  if (!sumsLeading(first) || getLocalShapeOf(first.getResult()).empty())
    return buildGeneral(scope, first);
  buildLeading(scope, body);
}

} // namespace

const KernelTemplateBuilder kColumnSumTemplate = {fits, isFlat, parallelExtent,
                                                  build};

} // namespace mlir::dtc
