//===- ImportLayers.cpp - One function a layer kind
//------------------------===//
//
// The last op of a layer carries the layer's own name, since that is what other
// layers read; the ops before it add what they do (`up.matmul`).
//
//===----------------------------------------------------------------------===//

#include "frontend/ModuleImporter.h"

namespace mlir::dtc {

using ::dtc::model::Activation;
using ::dtc::model::LayerKind;
using ::dtc::model::Split;

/// x W^T, then bias, activation and sum, as far as the layer has them.
Value ModuleImporter::importLinear(const GraphLayer &layer, Split split) {
  RankedTensorType type = getType(graph.values[layer.result]);
  bool hasRelu = layer.layer->activation() == Activation::relu;
  int left = (layer.bias >= 0) + hasRelu + (layer.add >= 0);
  // The name of the next op: the layer's own for the last.
  auto name = [&](StringRef part) {
    return left-- == 0 ? layer.name : layer.name + "." + part.str();
  };

  auto matmul = create<MatMulOp>(name("matmul"), type, values[layer.input],
                                 parameters[layer.weight], UnitAttr(),
                                 builder.getUnitAttr(), TypeAttr());
  matmul->setAttr(kTensorParallelAttr,
                  builder.getStringAttr(EnumNameSplit(split)));
  Value result = matmul;
  if (layer.bias >= 0)
    result =
        create<AddOp>(name("bias_add"), type, result, parameters[layer.bias]);
  if (hasRelu)
    result = create<ReluOp>(name("relu"), type, result);
  if (layer.add >= 0)
    result = create<AddOp>(name("add"), type, values[layer.add], result);
  return result;
}

Value ModuleImporter::importBinary(const GraphLayer &layer) {
  RankedTensorType type = getType(graph.values[layer.result]);
  Value lhs = values[layer.input], rhs = values[layer.with];
  // The op broadcasts its right operand only; both ops are commutative.
  if (lhs.getType() != type)
    std::swap(lhs, rhs);
  if (*layer.layer->kind() == LayerKind::mul)
    return create<MulOp>(layer.name, type, lhs, rhs);
  return create<AddOp>(layer.name, type, lhs, rhs);
}

Value ModuleImporter::importSlice(const GraphLayer &layer) {
  const GraphValue &input = graph.values[layer.input];
  SmallVector<int64_t> starts(input.shape.size() + input.isBatched, 0);
  starts[layer.layer->dim() + input.isBatched] = layer.layer->begin();
  return create<SliceOp>(layer.name, getType(graph.values[layer.result]),
                         values[layer.input],
                         builder.getDenseI64ArrayAttr(starts));
}

Value ModuleImporter::importConstant(const GraphLayer &layer) {
  RankedTensorType type = getType(graph.values[layer.result]);
  SmallVector<float> elements(layer.layer->values()->begin(),
                              layer.layer->values()->end());
  return create<ConstantOp>(
      layer.name, type,
      DenseElementsAttr::get(type, ArrayRef<float>(elements)));
}

void ModuleImporter::importLayer(size_t index) {
  const GraphLayer &layer = graph.layers[index];
  path = layer.path;
  stage = layer.stage;
  RankedTensorType type = getType(graph.values[layer.result]);
  Value input = layer.input >= 0 ? values[layer.input] : Value();
  Value &result = values[layer.result];
  switch (*layer.layer->kind()) {
  case LayerKind::linear:
    result = importLinear(layer, stream.splits[index]);
    break;
  case LayerKind::relu:
    result = create<ReluOp>(layer.name, type, input);
    break;
  case LayerKind::add:
  case LayerKind::mul:
    result = importBinary(layer);
    break;
  case LayerKind::matmul:
    result = create<MatMulOp>(layer.name, type, input, values[layer.with],
                              UnitAttr(), UnitAttr(), TypeAttr());
    break;
  case LayerKind::dropout:
    // An evaluation keeps every element.
    result = isTraining
                 ? create<DropoutOp>(layer.name, type, input,
                                     builder.getF64FloatAttr(layer.layer->p()),
                                     builder.getStringAttr(layer.name))
                       .getResult()
                 : input;
    break;
  case LayerKind::reshape:
  case LayerKind::flatten:
    result = create<ReshapeOp>(layer.name, type, input);
    break;
  case LayerKind::slice:
    result = importSlice(layer);
    break;
  case LayerKind::parameter:
    result = parameters[layer.weight]; // null where nobody reads it
    break;
  case LayerKind::constant:
    result = importConstant(layer);
    break;
  case LayerKind::block:
    llvm_unreachable("blocks are repeated when names are resolved");
  }
  // The pin is on the op that makes the value; an input of the model has none,
  // its layout is that of the data.
  if (stream.isResidual[layer.result])
    if (Operation *op = result.getDefiningOp())
      op->setAttr(kResidualAttr, builder.getUnitAttr());
  stage = -1;
}

} // namespace mlir::dtc
