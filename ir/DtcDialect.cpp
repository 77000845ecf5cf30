//===- DtcDialect.cpp - Registration and aliases --------------------------===//
//
// Layouts are long and most values of a step share a few, so the printer writes
// them once, as aliases (#layout, #layout1, ...).
//
//===----------------------------------------------------------------------===//

#include "ir/DtcDialect.h"

#include "mlir/IR/OpImplementation.h"

#include "ir/DtcDialect.cpp.inc"

#include "ir/DtcEnums.cpp.inc"

namespace mlir::dtc {
namespace {

struct DtcAsmInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &os) const final {
    if (!isa<LayoutAttr>(attribute))
      return AliasResult::NoAlias;
    os << "layout";
    return AliasResult::FinalAlias;
  }
};

} // namespace

void DtcDialect::initialize() {
  registerAttributes();
  registerOps();
  addInterfaces<DtcAsmInterface>();
}

} // namespace mlir::dtc
