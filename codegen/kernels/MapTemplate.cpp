//===- MapTemplate.cpp - One element an index -----------------------------===//
//
// A loop nest over the outputs' shape. Where every buffer has that shape the
// nest is one flat loop, which vectorises without a remainder per row.
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/Templates.h"

namespace mlir::dtc {
namespace {

std::string fits(const KernelBody &body) {
  SmallVector<Value> outputs = body.getOutputs();
  for (Value output : outputs)
    if (getLocalShapeOf(output) != getLocalShapeOf(outputs.front()))
      return "its results have different shapes";
  for (Operation *op : body.ops)
    if (!isa<ElementwiseOp>(op) && !findElementFunction(op))
      return (op->getName().getStringRef() + " has no element function").str();
  return "";
}

bool isFlat(const KernelBody &body) {
  ArrayRef<int64_t> shape = getLocalShapeOf(body.getOutputs().front());
  for (Operation *op : body.ops) {
    auto elementwise = dyn_cast<ElementwiseOp>(op);
    if (!isa<SumOp>(op) && (!elementwise || elementwise.needsIndex()))
      return false;
  }
  return llvm::all_of(body.buffers, [&](const KernelBuffer &buffer) {
    ArrayRef<int64_t> other = getLocalShapeOf(buffer.value);
    return other.empty() || other == shape;
  });
}

SmallVector<int64_t> loopShape(const KernelBody &body) {
  ArrayRef<int64_t> shape = getLocalShapeOf(body.getOutputs().front());
  if (shape.empty() || !isFlat(body))
    return SmallVector<int64_t>(shape);
  int64_t elements = 1;
  for (int64_t size : shape)
    elements *= size;
  return {elements};
}

int64_t parallelExtent(const KernelBody &body) {
  SmallVector<int64_t> shape = loopShape(body);
  return shape.empty() ? 1 : shape.front();
}

void build(KernelScope &scope, const KernelBody &body) {
  SmallVector<Value> outputs = body.getOutputs();
  scope.forShape(loopShape(body), /*partitioned=*/true, [&](ValueRange at) {
    // All before the first store: an output may share an input's memory.
    SmallVector<Value> elements;
    for (Value output : outputs)
      elements.push_back(scope.element(output, at));
    for (auto [element, output] : llvm::zip_equal(elements, outputs))
      scope.store(element, output, at);
  });
}

} // namespace

const KernelTemplateBuilder kMapTemplate = {fits, isFlat, parallelExtent,
                                            build};

} // namespace mlir::dtc
