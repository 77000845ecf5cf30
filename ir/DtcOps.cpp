//===- DtcOps.cpp - Generated code of all ops -----------------------------===//
//
// One unit for what TableGen writes, so that an edit in a family's own file
// does not compile it again.
//
//===----------------------------------------------------------------------===//

#include "ir/DtcOps.h"

#define GET_OP_CLASSES
#include "ir/DtcOps.cpp.inc"

namespace mlir::dtc {

void DtcDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "ir/DtcOps.cpp.inc"
      >();
}

} // namespace mlir::dtc
