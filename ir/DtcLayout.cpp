//===- DtcLayout.cpp - Plain values that layouts are made of --------------===//
//
// Equality ignores the fields that a kind does not use, so that a state made in
// one place compares equal to one parsed in another.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcLayout.h"

#include "llvm/Support/raw_ostream.h"

namespace mlir::dtc {

AxisState AxisState::split(int64_t dim) {
  AxisState state;
  state.kind = AxisKind::Split;
  state.dim = static_cast<int32_t>(dim);
  return state;
}

AxisState AxisState::partial(ReductionKind kind, uint64_t stages) {
  AxisState state;
  state.kind = AxisKind::Partial;
  state.reduction = kind;
  state.stages = stages;
  return state;
}

AxisState AxisState::opaque() {
  AxisState state;
  state.kind = AxisKind::Opaque;
  return state;
}

AxisState AxisState::on(uint64_t stages) {
  AxisState state;
  state.kind = AxisKind::On;
  state.stages = stages;
  return state;
}

bool AxisState::operator==(const AxisState &other) const {
  if (kind != other.kind)
    return false;
  switch (kind) {
  case AxisKind::Replicated:
  case AxisKind::Opaque:
    return true;
  case AxisKind::Split:
    return dim == other.dim;
  case AxisKind::Partial:
    return reduction == other.reduction && stages == other.stages;
  case AxisKind::On:
    return stages == other.stages;
  }
  llvm_unreachable("every kind is compared");
}

static void printStages(raw_ostream &os, uint64_t stages) {
  os << '{';
  StringRef comma = "";
  for (int k = 0; k < 64; ++k) {
    if (!(stages >> k & 1))
      continue;
    os << comma << k;
    comma = ",";
  }
  os << '}';
}

std::string AxisState::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  switch (kind) {
  case AxisKind::Replicated:
    os << 'R';
    break;
  case AxisKind::Opaque:
    os << 'X';
    break;
  case AxisKind::Split:
    os << "S(" << dim << ')';
    break;
  case AxisKind::Partial:
    os << "P(" << stringifyReductionKind(reduction) << ')';
    if (stages)
      printStages(os, stages);
    break;
  case AxisKind::On:
    os << "On";
    printStages(os, stages);
    break;
  }
  return text;
}

bool MeshAxis::operator==(const MeshAxis &other) const {
  return name == other.name && size == other.size && state == other.state;
}

bool DimPad::operator==(const DimPad &other) const {
  return dim == other.dim && kind == other.kind;
}

llvm::hash_code hash_value(const AxisState &state) {
  switch (state.kind) {
  case AxisKind::Split:
    return llvm::hash_combine(state.kind, state.dim);
  case AxisKind::Partial:
    return llvm::hash_combine(state.kind, state.reduction, state.stages);
  case AxisKind::On:
    return llvm::hash_combine(state.kind, state.stages);
  case AxisKind::Replicated:
  case AxisKind::Opaque:
    return llvm::hash_combine(state.kind);
  }
  llvm_unreachable("every kind is hashed");
}

llvm::hash_code hash_value(const MeshAxis &axis) {
  return llvm::hash_combine(axis.name, axis.size, axis.state);
}

llvm::hash_code hash_value(const DimPad &pad) {
  return llvm::hash_combine(pad.dim, pad.kind);
}

StringRef stringifyPadKind(PadKind kind) {
  switch (kind) {
  case PadKind::None:
    return "none";
  case PadKind::Zero:
    return "zero";
  case PadKind::Any:
    return "any";
  case PadKind::Fill:
    return "fill";
  }
  llvm_unreachable("every kind has a name");
}

} // namespace mlir::dtc
