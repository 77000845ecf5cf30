//===- ProgramTables.cpp - Tables of a program that ids point into
//---------===//
//
// The schema's enums mirror the dialect's; the conversions here are the only
// place that knows both.
//
//===----------------------------------------------------------------------===//

#include "codegen/ProgramTables.h"

namespace mlir::dtc {

namespace fbs = ::dtc::program;

static fbs::AxisKind toProgramAxisKind(AxisKind kind) {
  switch (kind) {
  case AxisKind::Replicated:
    return fbs::AxisKind::Replicated;
  case AxisKind::Split:
    return fbs::AxisKind::Split;
  case AxisKind::Partial:
    return fbs::AxisKind::Partial;
  case AxisKind::Opaque:
    return fbs::AxisKind::Opaque;
  case AxisKind::On:
    return fbs::AxisKind::On;
  }
  llvm_unreachable("no such axis kind");
}

static fbs::PadKind toProgramPad(PadKind kind) {
  switch (kind) {
  case PadKind::None:
    return fbs::PadKind::None;
  case PadKind::Zero:
    return fbs::PadKind::Zero;
  case PadKind::Any:
    return fbs::PadKind::Any;
  case PadKind::Fill:
    return fbs::PadKind::Fill;
  }
  llvm_unreachable("no such pad kind");
}

fbs::ReductionKind toProgramReduction(ReductionKind kind) {
  switch (kind) {
  case ReductionKind::Sum:
    return fbs::ReductionKind::Sum;
  case ReductionKind::Max:
    return fbs::ReductionKind::Max;
  case ReductionKind::Or:
    return fbs::ReductionKind::Or;
  }
  llvm_unreachable("no such reduction");
}

fbs::DType toProgramDType(Type elementType) {
  if (elementType.isF64())
    return fbs::DType::F64;
  if (elementType.isF16())
    return fbs::DType::F16;
  if (elementType.isBF16())
    return fbs::DType::BF16;
  if (elementType.isInteger(32))
    return fbs::DType::I32;
  if (elementType.isInteger(64))
    return fbs::DType::I64;
  assert(elementType.isF32() && "Dtc_Tensor allows no other element type");
  return fbs::DType::F32;
}

std::vector<uint64_t> toProgramShape(ArrayRef<int64_t> shape) {
  return std::vector<uint64_t>(shape.begin(), shape.end());
}

uint8_t toAxisIndex(StringRef axis) {
  constexpr StringLiteral kAxes[] = {kAxisPp, kAxisDp, kAxisTp, kAxisMb};
  for (auto [i, name] : llvm::enumerate(kAxes))
    if (axis == name)
      return i;
  llvm_unreachable("an axis that no mesh has");
}

StringRef getProgramName(Operation *op) {
  if (auto name = op->getAttrOfType<StringAttr>(kNameAttr))
    return name.getValue();
  return op->getName().getStringRef();
}

uint32_t ProgramTables::getLayout(LayoutAttr layout, int64_t rank) {
  auto [entry, isNew] =
      layouts.try_emplace({layout, rank}, program.layouts.size());
  if (!isNew)
    return entry->second;
  auto table = std::make_unique<fbs::LayoutT>();
  for (const MeshAxis &axis : layout.getAxes()) {
    const AxisState &state = axis.state;
    table->axes.push_back(fbs::AxisState(
        state.stages, state.isSplit() ? state.dim : -1,
        toProgramAxisKind(state.kind), toProgramReduction(state.reduction)));
  }
  for (int64_t dim = 0; dim < rank; ++dim)
    table->pads.push_back(toProgramPad(layout.padOf(dim)));
  program.layouts.push_back(std::move(table));
  return entry->second;
}

uint32_t ProgramTables::getTerm(StringRef name) {
  auto [entry, isNew] = terms.try_emplace(name, program.terms.size());
  if (isNew)
    program.terms.push_back(name.str());
  return entry->second;
}

uint32_t ProgramTables::addOperation(Operation *op, StringRef kind) {
  auto table = std::make_unique<fbs::OperationT>();
  table->name = getProgramName(op).str();
  table->kind = kind.str();
  if (auto location = dyn_cast<FileLineColLoc>(op->getLoc()))
    table->location =
        (location.getFilename().getValue() + ":" + Twine(location.getLine()) +
         ":" + Twine(location.getColumn()))
            .str();
  program.operations.push_back(std::move(table));
  return program.operations.size() - 1;
}

} // namespace mlir::dtc
