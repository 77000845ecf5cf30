//===- RandomInterpreter.cpp - Meaning of ops that draw -------------------===//
//
// An element draws by its index in the tensor of the whole step, so a place
// adds where its part begins.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"
#include "ir/interpreter/HostTensor.h"
#include "ir/interpreter/Philox.h"

namespace mlir::dtc {

LogicalResult DropoutOp::interpret(const PlaceContext &context,
                                   ArrayRef<const HostTensor *> operands,
                                   SmallVectorImpl<HostTensor> &results) {
  HostTensor result = *operands[0];
  RandomStream stream(context.seed, getKey());
  double rate = getRate().convertToDouble();
  SmallVector<Extent> extents = context.getExtents(getInput().getType());
  ArrayRef<int64_t> globalShape = getGlobalShape(getInput().getType());
  forEachIndex(result.shape, [&](ArrayRef<int64_t> index, int64_t linear) {
    if (!isElement(index, extents))
      return; // a pad: the input's
    SmallVector<int64_t> global(index);
    for (size_t dim = 0; dim < global.size(); ++dim)
      global[dim] += extents[dim].start;
    bool kept =
        stream.keeps(context.step, linearize(global, globalShape), rate);
    result[linear] = kept ? result[linear] / (1 - rate) : 0;
  });
  results.push_back(std::move(result));
  return success();
}

} // namespace mlir::dtc
