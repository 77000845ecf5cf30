//===- Interpreter.cpp - One op on one place ------------------------------===//
//
// Rounding goes straight from the double: by way of f32 a bf16 would be rounded
// twice.
//
//===----------------------------------------------------------------------===//

#include "ir/interpreter/Interpreter.h"

#include "ir/DtcOps.h"

#include <cmath>

namespace mlir::dtc {

//===-- Rounding
//------------------------------------------------------------===//

/// Rounds to `precision` significant bits, the smallest normal number being
/// 2^minExponent and numbers of 2^(maxExponent + 1) and more infinite.
static double roundToBits(double value, int precision, int minExponent,
                          int maxExponent) {
  if (value == 0 || !std::isfinite(value))
    return value;
  int exponent = std::max(std::ilogb(value), minExponent);
  int lastBit = exponent - (precision - 1);
  // nearbyint rounds to even, which is the mode that a program starts in.
  double rounded =
      std::ldexp(std::nearbyint(std::ldexp(value, -lastBit)), lastBit);
  if (std::fabs(rounded) >= std::ldexp(1.0, maxExponent + 1))
    return std::copysign(INFINITY, value);
  return rounded;
}

double roundToType(double value, Type elementType) {
  if (elementType.isF32())
    return static_cast<float>(value);
  if (elementType.isBF16())
    return roundToBits(value, 8, -126, 127);
  if (elementType.isF16())
    return roundToBits(value, 11, -14, 15);
  return value;
}

void roundToType(HostTensor &tensor, Type elementType) {
  for (double &x : tensor.elements)
    x = roundToType(x, elementType);
}

//===-- After an op
//---------------------------------------------------------===//

/// What a pad element holds by the layout: zero if any of its pad dimensions
/// says so, else the fill value if one says that, else anything.
static PadKind getPadKind(LayoutAttr layout, ArrayRef<int64_t> index,
                          ArrayRef<Extent> extents, int64_t &dimOfKind) {
  PadKind kind = PadKind::Any;
  for (size_t dim = 0; dim < extents.size(); ++dim) {
    if (index[dim] < extents[dim].length)
      continue;
    PadKind here = layout.padOf(dim);
    if (here == PadKind::Zero ||
        (here == PadKind::Fill && kind == PadKind::Any)) {
      kind = here;
      dimOfKind = dim;
    }
    if (here == PadKind::Zero)
      break;
  }
  return kind;
}

LogicalResult Interpreter::finish(OpResult result, const PlaceContext &context,
                                  HostTensor &tensor, double inheritedFill) {
  Operation *op = result.getOwner();
  auto type = cast<RankedTensorType>(result.getType());
  SmallVector<int64_t> shape = getPlaceShape(type);
  if (ArrayRef<int64_t>(tensor.shape) != ArrayRef<int64_t>(shape))
    return op->emitOpError("result ")
           << result.getResultNumber() << " has shape [" << tensor.shape
           << "] here, its type says [" << shape << "]";
  if (typed)
    roundToType(tensor, type.getElementType());
  LayoutAttr layout = getLayout(type);
  if (!layout)
    return success();

  tensor.fill = inheritedFill;
  bool isFloat = isa<FloatType>(type.getElementType());
  std::uniform_int_distribution<int> sixteenths(-128, 128);
  SmallVector<Extent> extents = context.getExtents(type);
  LogicalResult outcome = success();
  forEachIndex(tensor.shape, [&](ArrayRef<int64_t> index, int64_t linear) {
    if (failed(outcome) || isElement(index, extents))
      return;
    int64_t dim = 0;
    PadKind kind = getPadKind(layout, index, extents, dim);
    if (kind == PadKind::Fill)
      tensor[linear] = tensor.fill;
    else if (kind == PadKind::Any)
      // Multiples of 1/16 up to 8 are exact in every type.
      tensor[linear] = sixteenths(noise) / (isFloat ? 16.0 : 1.0);
    else if (tensor[linear] != 0)
      outcome = op->emitOpError("pads of dimension ")
                << dim << " of result " << result.getResultNumber() << " hold "
                << formatNumber(tensor[linear]) << " at "
                << mesh.describe(context.coordinates)
                << ", but the layout says zero: " << layout;
  });
  return outcome;
}

//===-- Ops
//-----------------------------------------------------------------===//

bool Interpreter::canRun(Operation *op) {
  return isa<Interpretable, FusedOp>(op);
}

LogicalResult Interpreter::run(Operation *op, PlaceContext context,
                               ArrayRef<const HostTensor *> operands,
                               SmallVectorImpl<HostTensor> &results) {
  context.op = op;
  if (isa<FusedOp>(op))
    return runFused(op, context, operands, results);
  auto interpretable = dyn_cast<Interpretable>(op);
  if (!interpretable)
    return op->emitOpError("has no meaning on one place; the interpreter runs "
                           "graph ops, collectives and tasks of dtc");
  if (failed(interpretable.interpret(context, operands, results)))
    return failure();
  double fill = 0;
  for (const HostTensor *operand : operands)
    fill = fill == 0 ? operand->fill : fill;
  for (auto [result, tensor] : llvm::zip_equal(op->getResults(), results))
    if (failed(finish(cast<OpResult>(result), context, tensor, fill)))
      return failure();
  return success();
}

LogicalResult Interpreter::runFused(Operation *op, const PlaceContext &context,
                                    ArrayRef<const HostTensor *> operands,
                                    SmallVectorImpl<HostTensor> &results) {
  Block &body = op->getRegion(0).front();
  ValueMap values;
  for (auto [argument, operand] :
       llvm::zip_equal(body.getArguments(), operands))
    values[argument] = *operand;
  for (Operation &inner : body) {
    SmallVector<const HostTensor *> innerOperands;
    for (Value value : inner.getOperands())
      innerOperands.push_back(&values[value]);
    if (isa<YieldOp>(inner)) {
      for (const HostTensor *value : innerOperands)
        results.push_back(*value);
      return success();
    }
    SmallVector<HostTensor> innerResults;
    if (failed(run(&inner, context, innerOperands, innerResults)))
      return failure();
    for (auto [value, tensor] :
         llvm::zip_equal(inner.getResults(), innerResults))
      values[value] = std::move(tensor);
  }
  return op->emitOpError("has no yield");
}

} // namespace mlir::dtc
