//===- MultiTensorTemplate.cpp - Updates of variables and buckets ---------===//
//
// A flat loop over the elements of a variable or of a rank's shard of a bucket.
// A bucket's segments have their own decay and rate, so the loop is cut at
// their borders, counted in the bucket; a shard's are found by its first
// element.
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/Templates.h"
#include "codegen/kernels/UpdateFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::dtc {
namespace {

Operation *getUpdate(const KernelBody &body) {
  auto found = llvm::find_if(body.ops, isOptimizerUpdate);
  return found == body.ops.end() ? nullptr : *found;
}

std::string fits(const KernelBody &body) {
  if (llvm::count_if(body.ops, isOptimizerUpdate) != 1)
    return "it has not exactly one update";
  ArrayRef<int64_t> shape = getLocalShapeOf(getUpdate(body)->getResult(0));
  for (const KernelBuffer &buffer : body.buffers)
    if (ArrayRef<int64_t> other = getLocalShapeOf(buffer.value);
        !other.empty() && other != shape)
      return "its buffers have different shapes";
  return "";
}

bool isFlat(const KernelBody &) { return true; }

int64_t parallelExtent(const KernelBody &body) {
  int64_t elements = 1;
  for (int64_t size : getLocalShapeOf(getUpdate(body)->getResult(0)))
    elements *= size;
  return elements;
}

/// The place's index of element `global` of the bucket, within the kernel's
/// range.
Value toLocal(KernelScope &scope, Value start, int64_t global) {
  Value local =
      scope.b.create<arith::SubIOp>(scope.loc, scope.index(global), start);
  Value low = scope.b.create<arith::MaxSIOp>(scope.loc, local, scope.begin());
  return scope.b.create<arith::MinSIOp>(scope.loc, low, scope.end());
}

void buildSegment(KernelScope &scope, const KernelBody &body, Value lower,
                  Value upper) {
  Operation *update = getUpdate(body);
  bool scalar = getLocalShapeOf(update->getResult(0)).empty();
  scope.forLoop(lower, upper, [&](Value i) {
    SmallVector<Value> at;
    if (!scalar)
      at.push_back(i);
    SmallVector<Value> updated = buildUpdate(scope, update, at);
    for (auto [result, value] : llvm::zip_equal(update->getResults(), updated))
      if (scope.isOutput(result))
        scope.store(value, result, at);
  });
}

void build(KernelScope &scope, const KernelBody &body) {
  Operation *update = getUpdate(body);
  ArrayRef<int64_t> lengths = getSegmentLengths(update);
  if (lengths.size() <= 1)
    return buildSegment(scope, body, scope.begin(), scope.end());
  Value start = scope.extentStart(update->getResult(0), 0);
  int64_t first = 0;
  Value lower = scope.begin();
  for (auto [segment, length] : llvm::enumerate(lengths)) {
    first += length;
    // The last one takes the shard's pads too: zero stays zero.
    Value upper = segment + 1 == lengths.size() ? scope.end()
                                                : toLocal(scope, start, first);
    scope.segment = segment;
    buildSegment(scope, body, lower, upper);
    lower = upper;
  }
}

} // namespace

const KernelTemplateBuilder kMultiTensorTemplate = {fits, isFlat,
                                                    parallelExtent, build};

} // namespace mlir::dtc
